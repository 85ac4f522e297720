import { EventStreamReader } from '../model/event-stream';
import type { RawFrame } from '../model/live-frame';
import { Problem } from './problem';

/** How the connection is, in states a page can show. */
export type StreamStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** It comes again by itself. */
  | { readonly kind: 'broken'; readonly problem: Problem; readonly inMillis: number }
  /** The page is out of sight: nobody would see the frames. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'ended'; readonly reason: string };

const FIRST_PAUSE_MILLIS = 500;
const LONGEST_PAUSE_MILLIS = 8000;
/** The server sends something twice a second; a connection that is silent for so long is none. */
const SILENCE_MILLIS = 12_000;

/**
 * Reads the frames of a live allocator, and begins anew after a break. `fetch`, because EventSource does not say why a
 * server refused.
 */
export class LiveStream {
  private abort: AbortController | null = null;
  private timer = 0;
  private silence = 0;
  private pause = FIRST_PAUSE_MILLIS;
  private ended = false;

  constructor(
    private readonly url: string,
    private readonly frame: (frame: RawFrame) => void,
    private readonly tell: (status: StreamStatus) => void,
  ) {
    document.addEventListener('visibilitychange', () => this.look());
    this.look();
  }

  /** Begins anew with everything, as after a frame that made no sense. */
  restart(): void {
    this.disconnect();
    if (!this.ended) void this.connect();
  }

  private look(): void {
    if (this.ended) return;
    if (document.hidden) {
      this.disconnect();
      this.tell({ kind: 'hidden' });
    } else if (this.abort === null) void this.connect();
  }

  private disconnect(): void {
    window.clearTimeout(this.timer);
    this.abort?.abort();
    this.abort = null;
  }

  private async connect(): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    this.tell({ kind: 'connecting' });
    try {
      await this.read(abort.signal, () => this.watch(abort));
      if (!abort.signal.aborted && !this.ended) this.again(Problem.ofNetwork());
    } catch (error) {
      if (this.abort !== abort) return; // somebody else decided
      const problem = error instanceof Problem ? error : Problem.ofNetwork();
      if (problem.mayPass) this.again(problem);
      else this.end([problem.title, problem.detail].filter(Boolean).join(': '));
    } finally {
      window.clearTimeout(this.silence);
    }
  }

  /** Gives a connection up that says nothing. */
  private watch(abort: AbortController): void {
    window.clearTimeout(this.silence);
    this.silence = window.setTimeout(() => abort.abort(Problem.ofNetwork()), SILENCE_MILLIS);
  }

  private async read(signal: AbortSignal, alive: () => void): Promise<void> {
    let response: Response;
    try {
      response = await fetch(this.url, { headers: { Accept: 'text/event-stream, application/problem+json' }, signal });
    } catch {
      throw Problem.ofNetwork();
    }
    if (!response.ok || response.body === null) throw Problem.read(response.status, await response.text());
    this.tell({ kind: 'live' });
    this.pause = FIRST_PAUSE_MILLIS;
    const messages = new EventStreamReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      for (const message of messages.push(value)) {
        if (message.event === 'end') {
          this.end(String(JSON.parse(message.data)));
          return;
        }
        this.frame(JSON.parse(message.data) as RawFrame);
      }
    }
  }

  private again(problem: Problem): void {
    this.abort = null;
    this.tell({ kind: 'broken', problem, inMillis: this.pause });
    this.timer = window.setTimeout(() => {
      if (!document.hidden) void this.connect();
    }, this.pause);
    this.pause = Math.min(LONGEST_PAUSE_MILLIS, this.pause * 2);
  }

  private end(reason: string): void {
    this.ended = true;
    this.disconnect();
    this.tell({ kind: 'ended', reason });
  }
}
