import { parseVisible } from '../../base/visible-text';
import type { RawFrame } from '../../model/live/live-frame';
import type { HubMessage, Subscribe } from '../../model/live/live-hub';
import { Problem } from '../display/problem';

/** State of the connection. */
export type StreamStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** No data for some time, though the server sends something twice a second. */
  | { readonly kind: 'silent'; readonly seconds: number }
  /** A retry follows after `retryMillis`. */
  | { readonly kind: 'disconnected'; readonly problem: Problem; readonly retryMillis: number }
  /** The page is in a hidden tab; the stream is closed until it is visible again. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'ended'; readonly reason: string };

/** Whether the page is visible. */
export interface Visibility {
  isHidden(): boolean;
  onChange(listener: () => void): void;
}

const SILENT_MILLIS = 2500;
/** After this time without data, the page subscribes again. */
const TIMEOUT_MILLIS = 20_000;
const TICK_MILLIS = 500;

/** The frames of a live allocator while the page is visible. It is live only while frames arrive. */
export class LiveStream {
  private unsubscribe: (() => void) | null = null;
  private position = '';
  private dataMillis = 0;
  private subscribedMillis = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private status: StreamStatus = { kind: 'connecting' };

  constructor(
    private readonly allocator: string,
    private readonly subscribe: Subscribe,
    private readonly visibility: Visibility,
    private readonly onFrame: (frame: RawFrame) => void,
    private readonly onStatus: (status: StreamStatus) => void,
  ) {}

  start(): void {
    this.visibility.onChange(() => this.updateVisibility());
    this.updateVisibility();
  }

  /** Starts again from the full state, for example after a frame that could not be applied. */
  restart(): void {
    this.position = '';
    this.close();
    this.open();
  }

  private updateVisibility(): void {
    if (this.status.kind === 'ended') return;
    if (this.visibility.isHidden()) {
      this.close();
      this.setStatus({ kind: 'hidden' });
    } else if (this.unsubscribe === null) this.open();
  }

  private open(): void {
    if (this.status.kind === 'ended') return;
    this.dataMillis = Date.now();
    this.setStatus({ kind: 'connecting' });
    this.timer = setInterval(() => this.tick(), TICK_MILLIS);
    this.connect();
  }

  private connect(): void {
    this.subscribedMillis = Date.now();
    this.unsubscribe = this.subscribe(this.allocator, this.position, (message) => this.receive(message));
  }

  private close(): void {
    clearInterval(this.timer);
    this.unsubscribe?.();
    this.unsubscribe = null;
  }

  private tick(): void {
    const now = Date.now();
    if (now - Math.max(this.dataMillis, this.subscribedMillis) >= TIMEOUT_MILLIS) {
      this.unsubscribe?.();
      this.connect();
    }
    const silentMillis = now - this.dataMillis;
    if (silentMillis < SILENT_MILLIS || this.status.kind === 'disconnected') return;
    this.setStatus({ kind: 'silent', seconds: Math.floor(silentMillis / 1000) });
  }

  private receive(message: HubMessage): void {
    switch (message.kind) {
      case 'connecting':
        if (this.status.kind === 'disconnected') this.setStatus({ kind: 'connecting' });
        break;
      case 'frame':
        this.position = message.position;
        this.dataMillis = Date.now();
        if (this.status.kind !== 'live') this.setStatus({ kind: 'live' });
        this.onFrame(parseVisible(message.data) as RawFrame);
        break;
      case 'lost': {
        const problem = message.status === 0 ? Problem.ofNetwork() : Problem.read(message.status, message.body);
        this.setStatus({ kind: 'disconnected', problem, retryMillis: message.retryMillis });
        break;
      }
      case 'problem': {
        const problem = Problem.read(message.status, message.body);
        this.end([problem.title, problem.detail].filter(Boolean).join(': '));
        break;
      }
      case 'end':
        this.end(message.reason);
        break;
    }
  }

  private end(reason: string): void {
    this.close();
    this.setStatus({ kind: 'ended', reason });
  }

  private setStatus(status: StreamStatus): void {
    this.status = status;
    this.onStatus(status);
  }
}
