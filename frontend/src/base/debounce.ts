/** Calls `action` when there was no change for some time. */
export class Debounce {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly millis: number,
    private readonly action: () => void,
  ) {}

  /** Whether a change waits for the action. */
  get isPending(): boolean {
    return this.timer !== undefined;
  }

  changed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), this.millis);
  }

  /** Calls the action now if a change waits for it. */
  flush(): void {
    if (!this.isPending) return;
    this.cancel();
    this.action();
  }

  /** Forgets the change. */
  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
