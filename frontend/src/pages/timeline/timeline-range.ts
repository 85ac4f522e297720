import { clamped, equal, type EventRange, panned, roundedOut, sizeOf, zoomed } from '../../model/event-range';
import { eventsOf, extended, markBetween, type MarkedRange, readMark } from '../../model/marked-range';
import type { OomEvent } from '../../model/timeline';
import { type Area, eventAt, type Plot, shareAt } from '../../model/plot';
import { EarlyInput } from '../request/early-input';
import { listenToGestures } from '../display/gestures';
import { MarkBar } from './mark-bar';
import { listenToMinimapDrag } from './minimap-drag';
import { RangeAnimator } from './range-animator';
import { RangeStrip } from './range-strip';
import { RangeTable } from './range-table';
import type { SnapshotClient } from '../snapshot/snapshot-client';
import type { TimelineActions } from './timeline-elements';

/** The chart whose range is shown. */
export interface RangedChart {
  /** The whole trace; null until it has arrived. */
  overview(): { readonly eventCount: number; readonly peakEvent: number; readonly ooms: readonly OomEvent[] } | null;
  plot(): Plot | null;
  area(): Area;
  minimapPlot(): Plot | null;
  /** The event at which a mark begins that is made with the keyboard. */
  markStart(): number;
  /** The parameters of the page's URL that restore the chart. */
  query(): string;
  /** Makes a change that Back undoes. */
  jump(change: () => void): void;
  /** Replaces the parameters of the page's URL. */
  replace(query: string): void;
  /** Called after each change of the visible or the marked range. */
  changed(): void;
}

export interface PointerActions {
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
}

/** The events that a timeline shows, and those that the user has marked: by mouse, touch, buttons and keys. */
export class TimelineRange {
  visible: EventRange = { from: 0, to: 1 };
  mark: MarkedRange | null = null;
  /** Whether a drag marks instead of moving: for touch screens, which have no Shift key. */
  isMarking = false;
  readonly bar: MarkBar;
  readonly animator: RangeAnimator;
  readonly strip: RangeStrip;
  readonly table: RangeTable;
  /** What the user does with the chart before its data has arrived. */
  readonly early = new EarlyInput();

  /** `page` is the path of the snapshot's pages. */
  constructor(
    client: SnapshotClient,
    page: string,
    private readonly chart: RangedChart,
  ) {
    this.table = new RangeTable(page, {
      mark: (text) => this.listRange(text),
      replace: (query) => chart.replace(query),
    });
    this.strip = new RangeStrip(client, (events) =>
      chart.jump(() => this.setMark(markBetween(events.from, events.to, this.count))),
    );
    this.animator = new RangeAnimator(
      () => this.visible,
      () => this.count,
      (range) => this.show(range),
    );
    this.bar = new MarkBar({
      zoomTo: () => void this.zoomToMark(),
      listSites: () => this.listSites(),
      clear: () => void this.clearMark(),
    });
  }

  /** Number of events; 1 until it is known. */
  get count(): number {
    return this.chart.overview()?.eventCount ?? 1;
  }

  /** Takes over what the page's URL says. */
  restore(visible: EventRange, mark: MarkedRange | null): void {
    this.animator.stop();
    this.visible = visible;
    this.mark = mark;
    this.bar.show(mark);
  }

  /** The visible events, or those that will be visible when they have moved into place. */
  get goal(): EventRange {
    return this.animator.goal;
  }

  /** The marked part of the chart to be drawn: none if it is all that is visible. */
  get drawnMark(): EventRange | null {
    if (this.mark === null) return null;
    const events = eventsOf(this.mark);
    return events.from <= this.visible.from && events.to >= this.visible.to ? null : events;
  }

  /** What the buttons and keys of every timeline do with its range. */
  get actions(): Pick<TimelineActions, Exclude<keyof TimelineActions, 'toggleScale'>> {
    return {
      zoomIn: () => this.early.do(() => this.animator.zoomIn()),
      zoomOut: () => this.early.do(() => this.animator.zoomOut()),
      fit: () => this.jump(() => this.animator.fit()),
      toPeak: () => this.jump(() => this.animator.toEventsBefore(this.chart.overview()?.peakEvent ?? NaN)),
      toOom: () => this.jump(() => this.animator.toNextOom(this.chart.overview()?.ooms ?? [])),
      toggleMarking: () => (this.isMarking = !this.isMarking),
      listSites: () => this.early.do(() => this.listSites()),
    };
  }

  private jump(change: () => void): void {
    this.early.do(() => this.chart.jump(change));
  }

  /** Lists the sites of the marked events, or else of the visible ones, which are marked then. */
  private listSites(): void {
    const { from, to } = this.goal;
    const mark = this.mark ?? markBetween(from, to, this.count);
    if (mark === null) return;
    if (this.mark === null) this.chart.jump(() => this.setMark(mark));
    this.table.open(mark, this.chart.query());
  }

  /** Marks the events of a range such as `100-200` and lists their sites. Returns false if the text is no range. */
  private listRange(text: string): boolean {
    const mark = this.chart.overview() === null ? null : readMark(text, this.count);
    if (mark === null) return false;
    this.chart.jump(() => this.setMark(mark));
    this.table.open(mark, this.chart.query());
    return true;
  }

  /** Returns false if nothing is marked. */
  zoomToMark(): boolean {
    const { mark } = this;
    if (mark === null) return false;
    this.chart.jump(() => this.animator.animateTo(clamped(eventsOf(mark), this.count)));
    return true;
  }

  /** Returns false if nothing is marked. */
  clearMark(): boolean {
    const hadMark = this.mark !== null;
    if (hadMark) this.setMark(null);
    return hadMark;
  }

  /** Moves the end of the mark with the keyboard, and the view with it. */
  extendMark(by: -1 | 1): void {
    this.setMark(extended(this.mark, this.chart.markStart(), by, this.visible, this.count));
    if (this.mark === null) return;
    const { head } = this.mark;
    const { from, to } = this.visible;
    const beyond = head < from ? head - from : head > to ? head - to : 0;
    if (beyond !== 0) this.animator.animateTo(panned(this.visible, beyond / sizeOf(this.visible), this.count));
  }

  listen(canvas: HTMLElement, minimap: HTMLElement, pointer: PointerActions): void {
    listenToGestures(canvas, {
      hover: (x, y) => pointer.hover(x, y),
      leave: () => pointer.leave(),
      click: (x, y) => pointer.click(x, y),
      zoom: (factor, x) => {
        const plot = this.chart.plot();
        if (plot?.scale) {
          const { left, width } = plot.area;
          const at = (edge: number) => eventAt(plot, x + (edge - x) * factor);
          this.animator.jumpTo(clamped({ from: at(left), to: at(left + width) }, this.count));
          return;
        }
        const share = Math.min(1, Math.max(0, shareAt(this.chart.area(), x)));
        this.animator.jumpTo(zoomed(this.visible, factor, share, this.count));
      },
      pan: (dx) => {
        const plot = this.chart.plot();
        if (plot?.scale) this.animator.jumpTo(pannedInTime(plot, dx, this.count));
        else this.animator.jumpTo(panned(this.visible, -dx / this.chart.area().width, this.count));
      },
      isMarking: () => this.isMarking,
      selectRange: (x0, x1) => this.markPixels(x0, x1),
      selectRangeEnd: () => undefined,
      doubleClick: () => this.chart.jump(() => this.animator.fit()),
    });
    listenToMinimapDrag(
      minimap,
      () => this.chart.minimapPlot(),
      () => this.visible,
      (change) => this.chart.jump(change),
      (range) => this.animator.jumpTo(range),
    );
  }

  private markPixels(x0: number, x1: number): void {
    const plot = this.chart.plot();
    if (plot === null) return;
    const { from, to } = roundedOut(plot.range);
    const within = (x: number) => Math.min(to, Math.max(from, eventAt(plot, x)));
    this.setMark(markBetween(within(x0), within(x1), this.count));
  }

  private setMark(mark: MarkedRange | null): void {
    this.mark = mark;
    this.bar.show(mark);
    this.chart.changed();
  }

  private show(range: EventRange): void {
    if (equal(range, this.visible)) return;
    this.visible = range;
    this.chart.changed();
  }
}

/** The events that are visible when the chart has moved; at the ends of the trace it stops. */
function pannedInTime(plot: Plot, dx: number, count: number): EventRange {
  const { left, width } = plot.area;
  const from = eventAt(plot, left - dx);
  const to = eventAt(plot, left + width - dx);
  return from < 0 || to > count ? plot.range : { from, to };
}
