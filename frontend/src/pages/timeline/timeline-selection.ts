import { stackedAllocation, steppedAllocation } from '../../model/allocation-steps';
import { clamped, type EventRange } from '../../model/event-range';
import type { SnapshotLinks } from '../../model/snapshot-links';
import type { AllocationRectangles } from '../../model/timeline';
import { AllocationPanel } from './allocation-panel';
import { EventBar } from '../snapshot/event-bar';
import type { AllocationDetails, SnapshotClient } from '../snapshot/snapshot-client';
import type { SelectionActions } from './timeline-keys';
import { announcementText } from './timeline-text';

/** The chart whose parts are selected. */
export interface Chart {
  timeline(): AllocationRectangles | null;
  range(): EventRange;
  /** Number of events. */
  count(): number;
  /** The event at the pointer, or null. */
  pointerEvent(): number | null;
  showRange(range: EventRange): void;
  showEvent(event: number): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Makes a change that Back undoes. */
  jump(change: () => void): void;
  /** Called after each change of what is pinned, and of the cursor. */
  changed(): void;
  repaint(): void;
}

/**
 * What is selected on the timeline: the pinned allocation and the event under the cursor, both in the page's URL; and the
 * highlighted allocation, which the pointer or the arrow keys have reached.
 */
export class TimelineSelection implements SelectionActions {
  pinned: number | null = null;
  cursor: number | null = null;
  highlighted: number | null = null;
  readonly panel: AllocationPanel;
  readonly eventBar: EventBar;
  /** Whether the arrow keys have moved the highlight. */
  private byKey = false;

  constructor(
    client: SnapshotClient,
    links: SnapshotLinks,
    private readonly chart: Chart,
  ) {
    this.panel = new AllocationPanel(client, links, {
      unpin: () => this.pin(null),
      showLifetime: (details) => this.showLifetime(details),
      showEvent: (event) => this.chart.jump(() => this.moveCursor(event)),
      shown: (details) => this.announce(details),
    });
    this.eventBar = new EventBar(client, links, {
      step: (by) => this.stepEvent(by),
      selectAllocation: (row) => this.pin(row),
      clear: () => this.moveCursor(null),
    });
  }

  /** Takes over what the page's URL selects. */
  restore(pinned: number | null, cursor: number | null, firstTimeMicros: number): void {
    this.pinned = pinned;
    this.cursor = cursor;
    this.panel.firstTimeMicros = this.eventBar.firstTimeMicros = firstTimeMicros;
    this.byKey = false;
    this.highlighted = null;
    if (pinned !== null) this.panel.show(pinned, true);
    else this.panel.clear();
  }

  pin(allocation: number | null): void {
    this.chart.jump(() => this.setPinned(allocation));
  }

  private setPinned(allocation: number | null): void {
    this.pinned = allocation;
    this.byKey = false;
    if (allocation === null) {
      this.highlighted = null;
      this.panel.clear();
      this.chart.announce('No allocation is pinned.');
    } else this.panel.show(allocation, true);
    this.chart.changed();
  }

  /** Highlights the allocation at the pointer. */
  highlight(allocation: number | null): void {
    this.byKey = false;
    this.highlighted = allocation;
  }

  /** The pointer has left the chart. */
  leave(): void {
    if (!this.byKey) this.highlighted = null;
  }

  get isMovedByKey(): boolean {
    return this.byKey;
  }

  step(by: -1 | 1): void {
    this.move((timeline, current) => steppedAllocation(timeline, this.chart.range(), current, by));
  }

  moveInStack(by: -1 | 1): void {
    this.move((timeline, current) => stackedAllocation(timeline, this.chart.range(), current, by));
  }

  select(): boolean {
    if (!this.byKey || this.highlighted === null) return false;
    this.pin(this.highlighted);
    return true;
  }

  clear(): void {
    if (this.byKey) {
      this.highlight(null);
      if (this.pinned === null) this.panel.clear();
      else this.panel.show(this.pinned, true);
      this.chart.repaint();
    } else if (this.pinned !== null) this.pin(null);
    else this.moveCursor(null);
  }

  stepEvent(by: -1 | 1): void {
    if (this.chart.timeline() === null) return;
    const event = this.cursor === null ? this.start : this.cursor + by;
    this.moveCursor(Math.min(this.chart.count() - 1, Math.max(0, event)));
  }

  /** What the page's URL says. */
  get shown(): { readonly event: number | null; readonly selected: number | null } {
    return { event: this.cursor, selected: this.pinned };
  }

  /** The event at which the keyboard starts: at the cursor, or else at the pointer or in the middle of the view. */
  get start(): number {
    const { from, to } = this.chart.range();
    return this.cursor ?? Math.floor(this.chart.pointerEvent() ?? (from + to) / 2);
  }

  /** Moves the cursor, and the view if the event is not visible. */
  private moveCursor(event: number | null): void {
    this.cursor = event;
    const { from, to } = this.chart.range();
    if (event !== null && (event < from || event + 1 > to)) this.chart.showEvent(event);
    this.chart.changed();
  }

  private move(next: (timeline: AllocationRectangles, current: number | null) => number | null): void {
    const timeline = this.chart.timeline();
    if (timeline === null) return;
    const row = next(timeline, (this.byKey ? this.highlighted : null) ?? this.pinned);
    if (row === null) return;
    this.highlighted = row;
    this.byKey = true;
    this.panel.show(row, row === this.pinned);
    this.chart.repaint();
  }

  private showLifetime(details: AllocationDetails): void {
    const count = this.chart.count();
    const from = details.allocationEvent ?? 0;
    const to = details.freeCompletedEvent ?? details.freeRequestedEvent ?? count;
    const margin = (to - from) * 0.1 + 2;
    this.chart.jump(() => this.chart.showRange(clamped({ from: from - margin, to: to + margin }, count)));
  }

  private announce(details: AllocationDetails): void {
    const isPinned = details.row === this.pinned;
    if (isPinned || this.byKey) this.chart.announce(announcementText(details, isPinned));
  }
}
