import { itemAt, valueAt } from '../../base/at';
import { bytesText } from '../../base/bytes';
import { LatestRequest } from '../../base/latest-request';
import { countedText, countText, shareText } from '../../base/numbers';
import { flameQuery } from '../../model/view-parameters';
import { type FlameGraph, isMatch, OTHERS, pathOf, ROOT } from '../../model/flame-graph';
import { locationText } from '../../model/frames';
import { fetchJson } from '../request/api-fetch';
import { element, fill } from '../display/element';
import { FlameBars } from './flame-bars';
import { FlameChoice } from './flame-choice';
import { FlamePath, type FlameStep } from './flame-path';
import { PageUrl } from '../request/page-url';
import { showProblem } from '../display/problem';
import { setData, setMessage, setState } from '../display/view-state';

/** The flame graph: bars of the functions below the selected one, with a search. */
class FlameGraphPage {
  private readonly choice = new FlameChoice();
  private readonly bars: FlameBars;
  private readonly path = new FlamePath(location.search, (steps) => this.show(steps));
  private readonly status = element('p', { class: 'view-status', role: 'status' });
  private readonly matched = element('p', { class: 'flame-matched' });
  private readonly message = element('div', { class: 'view-message', hidden: '' });
  private readonly pageUrl = new PageUrl(() => flameQuery(this.query(), location.search));
  private readonly requests: LatestRequest<string, FlameGraph>;
  private graph: FlameGraph | null = null;

  constructor(private readonly root: HTMLElement) {
    const { api = '' } = root.dataset;
    this.requests = new LatestRequest(
      async (query, signal) => (await fetchJson(`${api}/flame?${query}`, signal)) as FlameGraph,
      (_query, graph) => this.received(graph),
      (_query, error) => this.failed(error),
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
    const bar = element('div', { class: 'view-bar' }, this.path.root, this.matched, this.status);
    root.replaceChildren(bar, element('div', { class: 'view-plot' }, this.bars.root, this.message));
    this.listen();
    this.load();
  }

  private listen(): void {
    this.choice.listen(
      (isText) => {
        // Another direction or other frames have other paths.
        if (!isText) this.path.steps = [];
        this.mark();
      },
      () => {
        this.pageUrl.update();
        this.load();
      },
    );
    this.pageUrl.onReturn(() => location.reload());
  }

  private query(): URLSearchParams {
    const query = this.choice.parameters();
    if (this.path.text !== '') query.set('path', this.path.text);
    return query;
  }

  private load(): void {
    setState(this.root, 'loading');
    this.requests.request(this.query().toString());
    showExports(this.choice.parameters());
  }

  /** Zooms to a path; Back returns to the graph before. */
  private show(steps: readonly FlameStep[]): void {
    this.pageUrl.jump(() => (this.path.steps = steps));
    this.load();
  }

  private zoomTo(node: number): void {
    if (this.graph === null || this.graph.nodes.frame[node] === OTHERS) return;
    if (node === 0) {
      this.path.leave();
      return;
    }
    const { graph } = this;
    const texts = new Map(graph.frames.map((frame) => [frame.number, frame.name]));
    const below = pathOf(graph, node).map((number) => ({ number, text: texts.get(number) ?? '…' }));
    // A zoomed root is a frame of the path already.
    this.show([...this.path.steps, ...below]);
  }

  private received(graph: FlameGraph): void {
    this.graph = graph;
    this.bars.resetFocus();
    const isEmpty = !(valueAt(graph.nodes.amount, 0) > 0);
    setState(this.root, isEmpty ? 'empty' : 'ready');
    const hint = hintOf(graph);
    setMessage(this.message, hint === null ? null : element('p', { class: 'view-hint' }, hint));
    setData(this.root, { total: graph.total, nodes: graph.nodes.parent.length });
    this.path.draw(graph.frames[valueAt(graph.nodes.frame, 0)]?.name);
    fill(
      this.matched,
      graph.matched === null
        ? null
        : `${this.amountText(graph.matched)} (${shareText(graph.matched, graph.total)}) in stacks with this text`,
    );
    this.draw();
    this.describe(0);
  }

  private failed(error: unknown): void {
    showProblem(this.root, this.message, error, () => this.load());
  }

  private draw(): void {
    const { graph } = this;
    if (graph === null) return;
    this.bars.draw(graph.nodes, ({ node, isRest }) => {
      const index = isRest ? OTHERS : valueAt(graph.nodes.frame, node);
      const frame = graph.frames[index];
      const kind = frame?.kind ?? (index === OTHERS ? 'others' : 'root');
      const colour = frame?.kind === 'user' ? ` flame-colour-${colourOf(frame.file)}` : '';
      return { classes: `flame-${kind}${colour}`, text: isRest ? '' : this.nameOf(graph, node) };
    });
    this.mark();
  }

  private nameOf(graph: FlameGraph, node: number): string {
    const index = graph.nodes.frame[node];
    if (index === ROOT) return 'all stacks';
    if (index === OTHERS) return `${countedText(valueAt(graph.nodes.count, node), 'allocation')} of smaller branches`;
    const frame = itemAt(graph.frames, valueAt(graph.nodes.frame, node));
    const location = locationText(frame);
    return location === '' ? frame.name : `${frame.name} ${location}`;
  }

  private describe(node: number): void {
    const { graph } = this;
    if (graph === null || node >= graph.nodes.parent.length) return;
    const { amount, count } = graph.nodes;
    const parts = [
      this.nameOf(graph, node),
      `${this.amountText(valueAt(amount, node))} (${shareText(valueAt(amount, node), graph.total)})`,
      countedText(valueAt(count, node), 'allocation'),
      this.selfText(graph, node),
      node === 0 && graph.event !== null ? `after event ${countText(graph.event)}` : null,
    ];
    this.status.textContent = parts.filter((part) => part !== null).join(' · ');
  }

  private selfText(graph: FlameGraph, node: number): string | null {
    const { amount, frame, selfAmount } = graph.nodes;
    const own = valueAt(selfAmount, node);
    if (!(own > 0)) return null;
    if (frame[node] === ROOT) return `${this.amountText(own)} without such frames in a stack`;
    return own < valueAt(amount, node) ? `${this.amountText(own)} itself` : null;
  }

  private amountText(amount: number): string {
    return this.graph?.unit === 'byte-events' ? `${bytesText(amount)} × events` : bytesText(amount);
  }

  private mark(): void {
    const { graph } = this;
    const { words } = this.choice;
    this.bars.root.classList.toggle('is-searched', words.length > 0);
    if (graph === null) return;
    const matches = graph.frames.map((frame) => words.length > 0 && isMatch(frame, words));
    for (const bar of this.bars.root.children) {
      const node = (bar as HTMLElement).dataset['node'];
      const index = node === undefined ? OTHERS : valueAt(graph.nodes.frame, Number(node));
      bar.classList.toggle('is-match', matches[index] ?? false);
    }
  }
}

/** What to say about a graph that has no frame, or null. */
function hintOf({ nodes }: FlameGraph): string | null {
  if (!(valueAt(nodes.amount, 0) > 0)) return 'No allocation has these properties at this moment.';
  return nodes.frame.length === 1 && nodes.frame[0] === ROOT
    ? 'No stack with such frames was recorded for this memory.'
    : null;
}

/** The links of the downloads have the parameters of the graph. */
function showExports(parameters: URLSearchParams): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-flame-export]')) {
    const url = new URL(link.href);
    parameters.set('format', url.searchParams.get('format') ?? 'folded');
    link.href = `${url.pathname}?${parameters}`;
  }
}

/** Bars of one file have one colour, a number from 1 to 8. */
function colourOf(file: string): number {
  let hash = 0;
  for (let i = 0; i < file.length; i++) hash = (hash * 31 + file.charCodeAt(i)) | 0;
  return (Math.abs(hash) % 8) + 1;
}

/** Shows the flame graph in `root`. */
export function mountFlameGraph(root: HTMLElement): void {
  new FlameGraphPage(root);
}
