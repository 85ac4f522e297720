import { barsOf, type FlameBar, type FlameNodes } from '../../model/flame-graph';
import { element, fill } from '../display/element';
import { isInputOrShortcut } from '../display/keys';

const ROW_HEIGHT = 20;
const LEAST_PIXELS = 1;

/** A narrower bar has no text: an ellipsis alone would fill it. */
const LEAST_TEXT_PIXELS = 20;

/** How a bar looks. */
export interface BarLook {
  readonly classes: string;
  readonly text: string;
  /** The strength of its colour, from 0 to 1, for styles. */
  readonly strength?: number;
}

export interface BarActions {
  zoomTo(node: number): void;
  describe(node: number): void;
  showAll(): void;
}

/** The bars of a flame graph, as a tree for the keyboard and screen readers. */
export class FlameBars {
  readonly root = element('div', { class: 'flame-bars', role: 'tree', tabindex: '0', 'aria-label': 'Call tree' });
  private drawn: readonly FlameBar[] = [];
  private parent: readonly number[] = [];
  private focused = 0;

  /** `resized` is called when the bars must be drawn again. */
  constructor(
    private readonly actions: BarActions,
    resized: () => void,
  ) {
    const nodeOf = (event: Event) => (event.target as Element).closest<HTMLElement>('[data-node]')?.dataset['node'];
    this.root.addEventListener('click', (event) => {
      const node = nodeOf(event);
      if (node !== undefined) actions.zoomTo(Number(node));
    });
    this.root.addEventListener('pointerover', (event) => {
      const node = nodeOf(event);
      if (node !== undefined) actions.describe(Number(node));
    });
    this.root.addEventListener('pointerleave', () => actions.describe(0));
    this.root.addEventListener('keydown', (event) => {
      if (!isInputOrShortcut(event) && this.onKey(event.key)) event.preventDefault();
    });
    new ResizeObserver(resized).observe(this.root);
  }

  /** Draws nodes. Does nothing while the page has no width for them. */
  draw(nodes: FlameNodes, look: (bar: FlameBar) => BarLook): void {
    const width = this.root.clientWidth;
    if (width === 0) return;
    this.parent = nodes.parent;
    this.drawn = barsOf(nodes, LEAST_PIXELS / width);
    const depth = this.drawn.reduce((most, bar) => Math.max(most, bar.depth), 0);
    this.root.style.height = `${(depth + 1) * ROW_HEIGHT}px`;
    fill(this.root, ...this.drawn.map((bar) => barElement(bar, look(bar), bar.width * width >= LEAST_TEXT_PIXELS)));
  }

  /** Another graph is shown. */
  resetFocus(): void {
    this.focused = 0;
  }

  private onKey(key: string): boolean {
    const current = this.drawn.find((bar) => bar.node === this.focused);
    if (current === undefined) return false;
    const move = (found: FlameBar | undefined) => {
      if (found !== undefined) this.focus(found.node);
      return true;
    };
    const siblings = this.drawn.filter((bar) => bar.depth === current.depth);
    const place = siblings.indexOf(current);
    switch (key) {
      case 'ArrowDown':
        return move(this.drawn.find((bar) => this.parent[bar.node] === current.node));
      case 'ArrowUp':
        return move(this.drawn.find((bar) => bar.node === this.parent[current.node]));
      case 'ArrowRight':
        return move(siblings[place + 1]);
      case 'ArrowLeft':
        return move(siblings[place - 1]);
      case 'Enter':
        this.actions.zoomTo(current.node);
        return true;
      case 'Escape':
      case 'f':
        this.actions.showAll();
        return true;
      default:
        return false;
    }
  }

  private focus(node: number): void {
    this.focused = node;
    for (const bar of this.root.querySelectorAll('.is-focused')) bar.classList.remove('is-focused');
    const found = this.root.querySelector(`[data-node="${node}"]`);
    found?.classList.add('is-focused');
    if (found !== null) this.root.setAttribute('aria-activedescendant', found.id);
    found?.scrollIntoView({ block: 'nearest' });
    this.actions.describe(node);
  }
}

function barElement({ node, left, width, depth, isRest }: FlameBar, look: BarLook, hasText: boolean): HTMLElement {
  const bar = element(
    'div',
    {
      class: `flame-bar ${look.classes}`,
      id: `flame-${node}`,
      role: 'treeitem',
      'aria-level': String(depth + 1),
      'aria-label': isRest || hasText ? null : look.text,
      'data-node': isRest ? null : String(node),
      title: isRest ? 'Branches that are too narrow; zoom to the bar above them' : null,
    },
    isRest || !hasText ? null : look.text,
  );
  bar.style.left = `${left * 100}%`;
  bar.style.width = `${width * 100}%`;
  bar.style.top = `${depth * ROW_HEIGHT}px`;
  if (look.strength !== undefined) bar.style.setProperty('--strength', `${Math.round(look.strength * 100)}%`);
  return bar;
}
