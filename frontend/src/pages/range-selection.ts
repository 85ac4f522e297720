import type { EventRange } from '../model/event-range';
import { eventAt, type Plot } from '../model/plot';

/** The range that a Shift-drag in progress has marked; `selected` is called at its end. */
export class RangeSelection {
  range: EventRange | null = null;

  constructor(
    private readonly plot: () => Plot | null,
    private readonly selected: (range: EventRange) => void,
    private readonly repaint: () => void,
  ) {}

  mark(x0: number, x1: number): void {
    const plot = this.plot();
    if (plot === null) return;
    const [from, to] = [eventAt(plot, Math.min(x0, x1)), eventAt(plot, Math.max(x0, x1))];
    this.range = { from: Math.max(plot.range.from, from), to: Math.min(plot.range.to, to) };
    this.repaint();
  }

  end(): void {
    const { range } = this;
    this.range = null;
    if (range !== null) this.selected(range);
    this.repaint();
  }
}
