import { button, element, fill } from '../display/element';

/** A frame that a flame graph is zoomed to, by its number, with its text. */
export interface FlameStep {
  readonly number: number;
  readonly text: string;
}

/** The frames from the root to the zoomed one, with links back to each. */
export class FlamePath {
  readonly root = element('nav', { class: 'flame-crumbs', 'aria-label': 'Selected frames' });
  steps: readonly FlameStep[];

  /** Begins with the path in a query, whose texts are not known yet. */
  constructor(
    query: string,
    private readonly show: (steps: readonly FlameStep[]) => void,
  ) {
    const path = new URLSearchParams(query).get('path') ?? '';
    this.steps = /^\d{1,9}(\.\d{1,9})*$/.test(path)
      ? path.split('.').map((number) => ({ number: Number(number), text: '…' }))
      : [];
  }

  /** For the query; empty at the root. */
  get text(): string {
    return this.steps.map((step) => step.number).join('.');
  }

  /** Zooms out by one frame. */
  leave(): void {
    if (this.steps.length > 0) this.show(this.steps.slice(0, -1));
  }

  /** Draws the links; `name` is that of the last frame if there is one. */
  draw(name: string | undefined): void {
    const last = this.steps.at(-1);
    if (last !== undefined && name !== undefined) this.steps = [...this.steps.slice(0, -1), { ...last, text: name }];
    const links = this.steps.map((step, index) =>
      button(step.text, `Zoom to ${step.text}`, () => this.show(this.steps.slice(0, index + 1))),
    );
    const all = button('All stacks', 'Show all stacks (f)', () => this.show([]));
    fill(this.root, all, ...links.flatMap((link) => [' › ', link]));
  }
}
