/**
 * Keeps one request on the way and only the newest wish waiting: a hand that moves faster than the server answers
 * skips what it no longer looks at, and never queues.
 */
export class Latest<Wish, Answer> {
  private running: { wish: Wish; abort: AbortController } | null = null;
  private waiting: { wish: Wish } | null = null;

  constructor(
    private readonly ask: (wish: Wish, signal: AbortSignal) => Promise<Answer>,
    private readonly answered: (wish: Wish, answer: Answer) => void,
    private readonly failed: (wish: Wish, error: unknown) => void,
    /** Whether an answer to `running` would still be of use to someone who now wants `wish`. */
    private readonly useful: (running: Wish, wish: Wish) => boolean = () => true,
  ) {}

  want(wish: Wish): void {
    if (this.running === null) {
      void this.run(wish);
      return;
    }
    this.waiting = { wish };
    if (!this.useful(this.running.wish, wish)) this.running.abort.abort();
  }

  private async run(wish: Wish): Promise<void> {
    const abort = new AbortController();
    this.running = { wish, abort };
    try {
      const answer = await this.ask(wish, abort.signal);
      if (!abort.signal.aborted) this.answered(wish, answer);
    } catch (error) {
      if (!abort.signal.aborted) this.failed(wish, error);
    }
    this.running = null;
    const next = this.waiting;
    this.waiting = null;
    if (next !== null) void this.run(next.wish);
  }
}
