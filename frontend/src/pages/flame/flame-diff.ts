import { itemAt, valueAt } from '../../base/at';
import { bytesText } from '../../base/bytes';
import { LatestRequest } from '../../base/latest-request';
import { OTHERS, ROOT } from '../../model/flame-graph';
import { locationText } from '../../model/frames';
import type { FlameDiffView } from '../../model/rest-types';
import { fetchJson } from '../request/api-fetch';
import { element } from '../display/element';
import { FlameBars } from './flame-bars';
import { FlamePath, type FlameStep } from './flame-path';
import { PageUrl } from '../request/page-url';
import { showProblem } from '../display/problem';
import { setData, setMessage, setState } from '../display/view-state';

const FRAMES: readonly (readonly [value: string, text: string])[] = [
  ['python', 'own code and packages'],
  ['user', 'own code only'],
  ['all', 'all, with C++'],
];

/** The flame graph of two devices: bars in the colour of the side that holds more, the stronger the more. */
class FlameDiffPage {
  private readonly bars: FlameBars;
  private readonly path = new FlamePath(location.search, (steps) => this.show(steps));
  private readonly status = element('p', { class: 'view-status', role: 'status' });
  private readonly message = element('div', { class: 'view-message', hidden: '' });
  private readonly frames = element(
    'select',
    { 'aria-label': 'Frames' },
    ...FRAMES.map(([value, text]) => element('option', { value }, text)),
  );
  private readonly pageUrl = new PageUrl(() => this.query());
  private readonly requests: LatestRequest<string, FlameDiffView>;
  private diff: FlameDiffView | null = null;

  constructor(private readonly root: HTMLElement) {
    const { api = '' } = root.dataset;
    this.requests = new LatestRequest(
      async (query, signal) => (await fetchJson(`${api}${query}`, signal)) as FlameDiffView,
      (_query, diff) => this.received(diff),
      (_query, error) => showProblem(this.root, this.message, error, () => this.load()),
      () => false,
    );
    this.bars = new FlameBars(
      {
        zoomTo: (node) => this.zoomTo(node),
        describe: (node) => this.describe(node),
        showAll: () => this.path.steps.length > 0 && this.show([]),
      },
      () => this.draw(),
    );
    const parameters = new URLSearchParams(location.search);
    this.frames.value = FRAMES.find(([value]) => value === parameters.get('frames'))?.[0] ?? 'python';
    this.frames.addEventListener('change', () => this.show([]));
    this.pageUrl.onReturn(() => location.reload());
    const bar = element('div', { class: 'view-bar' }, this.path.root, this.frames, this.status);
    root.replaceChildren(bar, element('div', { class: 'view-plot' }, this.bars.root, this.message));
    this.load();
  }

  private load(): void {
    setState(this.root, 'loading');
    const path = this.path.text;
    this.requests.request(`&frames=${this.frames.value}${path === '' ? '' : `&path=${path}`}`);
  }

  private show(steps: readonly FlameStep[]): void {
    this.pageUrl.jump(() => (this.path.steps = steps));
    this.load();
  }

  private query(): string {
    const parameters = new URLSearchParams(location.search);
    const set = (name: string, value: string) => (value === '' ? parameters.delete(name) : parameters.set(name, value));
    set('path', this.path.text);
    set('frames', this.frames.value === 'python' ? '' : this.frames.value);
    return parameters.toString();
  }

  private zoomTo(node: number): void {
    const { diff } = this;
    if (diff === null || diff.nodes.frame[node] === OTHERS) return;
    if (node === 0) {
      this.path.leave();
      return;
    }
    const below: FlameStep[] = [];
    for (let at = node; at > 0; at = valueAt(diff.nodes.parent, at)) {
      const frame = itemAt(diff.frames, valueAt(diff.nodes.frame, at));
      below.unshift({ number: frame.number, text: frame.name });
    }
    this.show([...this.path.steps, ...below]);
  }

  private received(diff: FlameDiffView): void {
    this.diff = diff;
    this.bars.resetFocus();
    const isEmpty = !(valueAt(diff.nodes.amount, 0) > 0);
    setState(this.root, isEmpty ? 'empty' : 'ready');
    const hint =
      this.path.steps.length > 0 ? 'Neither side holds memory below this frame.' : 'Neither side holds memory.';
    setMessage(this.message, isEmpty ? element('p', { class: 'view-hint' }, hint) : null);
    const { parent, before, after, frame } = diff.nodes;
    setData(this.root, { nodes: parent.length, before: valueAt(before, 0), after: valueAt(after, 0) });
    this.path.draw(diff.frames[valueAt(frame, 0)]?.name);
    this.draw();
    this.describe(0);
  }

  private draw(): void {
    const { diff } = this;
    if (diff === null) return;
    const { before, after, amount, frame } = diff.nodes;
    this.bars.draw(diff.nodes, ({ node, isRest }) => {
      const difference = isRest ? 0 : valueAt(after, node) - valueAt(before, node);
      const kind =
        isRest || frame[node] === OTHERS ? 'others' : difference > 0 ? 'more' : difference < 0 ? 'less' : 'same';
      return {
        classes: `flame-${kind}`,
        text: isRest ? '' : `${this.nameOf(diff, node)} ${differenceText(difference)}`,
        strength: Math.abs(difference) / valueAt(amount, node),
      };
    });
  }

  private nameOf(diff: FlameDiffView, node: number): string {
    const index = diff.nodes.frame[node];
    if (index === ROOT) return 'all stacks';
    if (index === OTHERS) return 'smaller branches';
    const frame = itemAt(diff.frames, valueAt(diff.nodes.frame, node));
    return `${frame.name} ${locationText(frame)}`.trim();
  }

  private describe(node: number): void {
    const { diff } = this;
    if (diff === null || node >= diff.nodes.parent.length) return;
    const { before, after } = diff.nodes;
    const own = ownDifference(diff, node);
    this.status.textContent = [
      this.nameOf(diff, node),
      `A ${bytesText(valueAt(before, node))}`,
      `B ${bytesText(valueAt(after, node))}`,
      differenceText(valueAt(after, node) - valueAt(before, node)),
      own === 0 ? null : `${differenceText(own)} without a frame below`,
    ]
      .filter((part) => part !== null)
      .join(' · ');
  }
}

/** The difference of the stacks that end at a node; 0 where its children are not in the answer. */
function ownDifference({ nodes: { parent, before, after } }: FlameDiffView, node: number): number {
  let [own, hasChildren] = [valueAt(after, node) - valueAt(before, node), false];
  for (let child = node + 1; child < parent.length; child++) {
    if (parent[child] !== node) continue;
    own -= valueAt(after, child) - valueAt(before, child);
    hasChildren = true;
  }
  return hasChildren ? own : 0;
}

function differenceText(bytes: number): string {
  return bytes === 0 ? 'no difference' : `${bytes > 0 ? '+' : '−'}${bytesText(Math.abs(bytes))}`;
}

/** Shows the flame graph of a comparison in `root`. */
export function mountFlameDiff(root: HTMLElement): void {
  new FlameDiffPage(root);
}
