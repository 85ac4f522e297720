/** Runs `paint` at most once per animation frame, no matter how often it is requested. */
export class PaintScheduler {
  private frame = 0;

  constructor(private readonly paint: () => void) {}

  request(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }
}

/** A short eased transition between two states; immediate if the user prefers reduced motion. */
export class Transition {
  private frame = 0;

  /** Calls `step` with increasing shares in (0, 1]; the last one is exactly 1. */
  run(step: (share: number) => void, millis = 160): void {
    this.stop();
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      step(1);
      return;
    }
    const start = performance.now();
    const next = (now: number) => {
      const time = Math.min(1, Math.max(0, now - start) / millis);
      this.frame = time < 1 ? requestAnimationFrame(next) : 0;
      step(1 - (1 - time) ** 3);
    };
    this.frame = requestAnimationFrame(next);
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }
}
