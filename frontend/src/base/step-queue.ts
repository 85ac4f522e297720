/** Moves to the place that a step has found; null if it has found none. */
export type Move = (() => void) | null;

/**
 * Steps from one place to another that need a request each. Steps that are asked for meanwhile begin where the one before
 * has led. When something else changes the place, the steps that were asked for before are dropped.
 */
export class StepQueue<Place> {
  private waiting: ((from: Place) => Promise<Move>)[] = [];
  /** The step that is under way; it is dropped once this is another one, or null. */
  private current: { readonly from: Place } | null = null;
  private isRunning = false;

  constructor(
    private readonly place: () => Place,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Whether a step is under way. */
  get isBusy(): boolean {
    return this.isRunning;
  }

  add(step: (from: Place) => Promise<Move>): void {
    if (this.isOutdated) this.drop();
    this.waiting.push(step);
    if (!this.isRunning) void this.run();
  }

  private get isOutdated(): boolean {
    return this.current !== null && this.current.from !== this.place();
  }

  private drop(): void {
    this.waiting = [];
    this.current = null;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let step = this.waiting.shift(); step !== undefined; step = this.waiting.shift()) {
      const current = { from: this.place() };
      this.current = current;
      let move: Move = null;
      try {
        move = await step(current.from);
      } catch (error) {
        if (this.current === current && !this.isOutdated) {
          this.drop();
          this.failed(error);
        }
      }
      if (this.isOutdated) this.drop();
      else if (this.current === current) move?.();
      this.current = null;
    }
    this.isRunning = false;
  }
}
