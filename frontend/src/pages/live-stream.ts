import { EventStreamReader } from '../model/event-stream';
import type { RawFrame } from '../model/live-frame';
import { Problem } from './problem';

/** State of the connection. */
export type StreamStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** A retry follows after `retryMillis`. */
  | { readonly kind: 'disconnected'; readonly problem: Problem; readonly retryMillis: number }
  /** The page is in a hidden tab; the stream is closed until it is visible again. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'ended'; readonly reason: string };

const MIN_RETRY_MILLIS = 500;
const MAX_RETRY_MILLIS = 8000;
/** The server sends something twice a second; without any data for this long the connection counts as lost. */
const TIMEOUT_MILLIS = 12_000;

/**
 * Reads the frames of a live allocator and reconnects after errors. Uses `fetch`, because EventSource does not give access
 * to an error response.
 */
export class LiveStream {
  private abort: AbortController | null = null;
  private retryTimer = 0;
  private timeout = 0;
  private retryMillis = MIN_RETRY_MILLIS;
  private ended = false;

  constructor(
    private readonly url: string,
    private readonly onFrame: (frame: RawFrame) => void,
    private readonly onStatus: (status: StreamStatus) => void,
  ) {
    document.addEventListener('visibilitychange', () => this.updateVisibility());
    this.updateVisibility();
  }

  /** Reconnects and starts from the full state, for example after a frame that could not be applied. */
  restart(): void {
    this.disconnect();
    if (!this.ended) void this.connect();
  }

  private updateVisibility(): void {
    if (this.ended) return;
    if (document.hidden) {
      this.disconnect();
      this.onStatus({ kind: 'hidden' });
    } else if (this.abort === null) void this.connect();
  }

  private disconnect(): void {
    window.clearTimeout(this.retryTimer);
    this.abort?.abort();
    this.abort = null;
  }

  private async connect(): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    this.onStatus({ kind: 'connecting' });
    try {
      await this.read(abort.signal, () => this.resetTimeout(abort));
      if (!abort.signal.aborted && !this.ended) this.retry(Problem.ofNetwork());
    } catch (error) {
      if (this.abort !== abort) return; // disconnected or restarted
      const problem = error instanceof Problem ? error : Problem.ofNetwork();
      if (problem.isTransient) this.retry(problem);
      else this.end([problem.title, problem.detail].filter(Boolean).join(': '));
    } finally {
      window.clearTimeout(this.timeout);
    }
  }

  /** Aborts the connection unless this is called again within TIMEOUT_MILLIS. */
  private resetTimeout(abort: AbortController): void {
    window.clearTimeout(this.timeout);
    this.timeout = window.setTimeout(() => abort.abort(Problem.ofNetwork()), TIMEOUT_MILLIS);
  }

  private async read(signal: AbortSignal, onData: () => void): Promise<void> {
    let response: Response;
    try {
      response = await fetch(this.url, { headers: { Accept: 'text/event-stream, application/problem+json' }, signal });
    } catch {
      throw Problem.ofNetwork();
    }
    if (!response.ok || response.body === null) throw Problem.read(response.status, await response.text());
    this.onStatus({ kind: 'live' });
    this.retryMillis = MIN_RETRY_MILLIS;
    const messages = new EventStreamReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onData();
      for (const message of messages.push(value)) {
        if (message.event === 'end') {
          this.end(String(JSON.parse(message.data)));
          return;
        }
        this.onFrame(JSON.parse(message.data) as RawFrame);
      }
    }
  }

  private retry(problem: Problem): void {
    this.abort = null;
    this.onStatus({ kind: 'disconnected', problem, retryMillis: this.retryMillis });
    this.retryTimer = window.setTimeout(() => {
      if (!document.hidden) void this.connect();
    }, this.retryMillis);
    this.retryMillis = Math.min(MAX_RETRY_MILLIS, this.retryMillis * 2);
  }

  private end(reason: string): void {
    this.ended = true;
    this.disconnect();
    this.onStatus({ kind: 'ended', reason });
  }
}
