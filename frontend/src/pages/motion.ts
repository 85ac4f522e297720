/** Runs `paint` at most once a screen refresh, however often it is asked for. */
export class Repaint {
  private asked = 0;

  constructor(private readonly paint: () => void) {}

  ask(): void {
    if (this.asked !== 0) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.paint();
    });
  }
}

/** Moves from one state to the next in a short glide; at once for people who asked for less motion. */
export class Glide {
  private frame = 0;

  /** Calls `step` with 0 < share ≤ 1, the last time with exactly 1. */
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
