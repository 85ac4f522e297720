/** Repeats an update: one at a time, the next one some time after the end of the last. */
export class Polling {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private state: 'waiting' | 'running' | 'outdated' | 'ended' = 'waiting';

  /** `update` does not reject. It returns the milliseconds until the next one, or null to end. */
  constructor(private readonly update: () => Promise<number | null>) {}

  get isEnded(): boolean {
    return this.state === 'ended';
  }

  /** The first update comes after `millis`. */
  start(millis: number): void {
    this.timer = setTimeout(() => void this.run(), millis);
  }

  /** Updates at once. An update that is under way may show what was before: another one follows it. */
  now(): void {
    if (this.state === 'running') this.state = 'outdated';
    else if (this.state === 'waiting') {
      clearTimeout(this.timer);
      void this.run();
    }
  }

  end(): void {
    this.state = 'ended';
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.state = 'running';
    const millis = await this.update();
    // The update, or what happened meanwhile, may have changed the state.
    const state = this.state as Polling['state'];
    if (state === 'ended') return;
    if (state === 'outdated') void this.run();
    else if (millis === null) this.end();
    else {
      this.state = 'waiting';
      this.start(millis);
    }
  }
}
