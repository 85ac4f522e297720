import { centred, clamped, cursorEvents, panned, type EventRange, zoomed } from '../../model/event-range';
import type { OomEvent } from '../../model/timeline';
import { Transition } from '../display/animation';

/** Zoom factor of one step. */
const STEP = 0.7;

/** What is shown of the events that led to a peak or a failed request, and of those that followed. */
const EVENTS_BEFORE = 360;
const EVENTS_AFTER = 40;

/** Changes the visible range: immediately for drags and the wheel, in a short transition for buttons and keys. */
export class RangeAnimator {
  private readonly transition = new Transition();
  private target: EventRange | null = null;

  constructor(
    private readonly range: () => EventRange,
    private readonly count: () => number,
    private readonly set: (range: EventRange) => void,
  ) {}

  jumpTo(range: EventRange): void {
    this.stop();
    this.set(range);
  }

  /** Ends a transition where it is. */
  stop(): void {
    this.transition.stop();
    this.target = null;
  }

  animateTo(target: EventRange): void {
    const start = this.range();
    this.target = target;
    this.transition.run((share) => {
      if (share === 1) this.target = null;
      this.set({
        from: start.from + (target.from - start.from) * share,
        to: start.to + (target.to - start.to) * share,
      });
    });
  }

  zoomIn(): void {
    this.animateTo(zoomed(this.goal, STEP, 0.5, this.count()));
  }

  zoomOut(): void {
    this.animateTo(zoomed(this.goal, 1 / STEP, 0.5, this.count()));
  }

  pan(share: number): void {
    this.animateTo(panned(this.goal, share, this.count()));
  }

  fit(): void {
    this.animateTo({ from: 0, to: this.count() });
  }

  /** Centres on `event`, showing at most a twentieth of the trace. */
  toEvent(event: number): void {
    if (Number.isNaN(event)) return;
    this.animateTo(centred(this.goal, event, cursorEvents(this.count()), this.count()));
  }

  /** Shows the last few hundred events up to `event`, which led to it, and some that followed. */
  toEventsBefore(event: number): void {
    if (Number.isNaN(event)) return;
    this.animateTo(clamped({ from: event - EVENTS_BEFORE, to: event + EVENTS_AFTER }, this.count()));
  }

  /** Goes to the first failed request after the visible range, or else to the first of the trace. */
  toNextOom(ooms: readonly OomEvent[]): void {
    const next = ooms.find((oom) => oom.event >= this.goal.to) ?? ooms[0];
    if (next !== undefined) this.toEventsBefore(next.event);
  }

  /** The target of a running transition, or else the range. A second key press during a transition continues from there. */
  get goal(): EventRange {
    return this.target ?? this.range();
  }
}
