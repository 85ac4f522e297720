import { centred, panned, type Span, sizeOf, zoomed } from '../model/span';
import type { OomMark } from '../model/timeline';
import { Glide } from './motion';

const STEP = 0.7;

/** Moves a span on command: at once under a hand, in a short glide for buttons and keys. */
export class SpanMover {
  private readonly glide = new Glide();
  private target: Span | null = null;

  constructor(
    private readonly span: () => Span,
    private readonly count: () => number,
    private readonly set: (span: Span) => void,
  ) {}

  /** Under a hand: now. */
  jump(span: Span): void {
    this.glide.stop();
    this.target = null;
    this.set(span);
  }

  to(target: Span): void {
    const start = this.span();
    this.target = target;
    this.glide.run((share) => {
      if (share === 1) this.target = null;
      this.set({
        from: start.from + (target.from - start.from) * share,
        to: start.to + (target.to - start.to) * share,
      });
    });
  }

  zoomIn(): void {
    this.to(zoomed(this.goal, STEP, 0.5, this.count()));
  }

  zoomOut(): void {
    this.to(zoomed(this.goal, 1 / STEP, 0.5, this.count()));
  }

  pan(share: number): void {
    this.to(panned(this.goal, share, this.count()));
  }

  fit(): void {
    this.to({ from: 0, to: this.count() });
  }

  /** Centres on `event`, at most a twentieth of the trace wide. */
  toEvent(event: number): void {
    if (Number.isNaN(event)) return;
    this.to(centred(this.goal, event, Math.max(200, this.count() / 20), this.count()));
  }

  /** The first failed request right of the middle, else the first of all. */
  toNextOom(ooms: readonly OomMark[]): void {
    const { from, to } = this.goal;
    const close = sizeOf(this.goal) <= Math.max(200, this.count() / 20);
    const next = close ? ooms.find((oom) => oom.event > (from + to) / 2 + 1 && oom.event >= to) : undefined;
    const target = next ?? ooms[0];
    if (target !== undefined) this.toEvent(target.event);
  }

  /** Where it is going: a second key press during a glide starts from there. */
  private get goal(): Span {
    return this.target ?? this.span();
  }
}
