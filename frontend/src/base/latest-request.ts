/**
 * Limits requests to one in flight and one pending. A newer pending query replaces an older one, so a user who pans
 * faster than the server responds skips intermediate queries instead of queueing them.
 */
export class LatestRequest<Query, Result> {
  private running: { query: Query; abort: AbortController } | null = null;
  private pending: { query: Query } | null = null;

  constructor(
    private readonly send: (query: Query, signal: AbortSignal) => Promise<Result>,
    private readonly succeeded: (query: Query, result: Result) => void,
    private readonly failed: (query: Query, error: unknown) => void,
    /** Whether the result of `running` is still worth showing when `next` is pending; otherwise `running` is aborted. */
    private readonly isUseful: (running: Query, next: Query) => boolean = () => true,
    /** Time from the start of a request to that of the next; limits what a view that changes with every frame receives. */
    private readonly intervalMillis = 0,
  ) {}

  request(query: Query): void {
    if (this.running === null) {
      void this.run(query);
      return;
    }
    this.pending = { query };
    if (!this.isUseful(this.running.query, query)) this.running.abort.abort();
  }

  private async run(query: Query): Promise<void> {
    const abort = new AbortController();
    this.running = { query, abort };
    const start = performance.now();
    try {
      const result = await this.send(query, abort.signal);
      if (!abort.signal.aborted) this.succeeded(query, result);
    } catch (error) {
      if (!abort.signal.aborted) this.failed(query, error);
    } finally {
      const remaining = this.intervalMillis - (performance.now() - start);
      if (remaining > 0) setTimeout(() => this.runNext(), remaining);
      else this.runNext();
    }
  }

  private runNext(): void {
    this.running = null;
    const next = this.pending;
    this.pending = null;
    if (next !== null) void this.run(next.query);
  }
}
