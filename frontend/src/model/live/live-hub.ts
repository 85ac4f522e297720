import { parseVisible } from '../../base/visible-text';
import { EventStreamReader, type StreamMessage } from '../event-stream';

/** What a subscriber receives. */
export type HubMessage =
  | { readonly kind: 'connecting' }
  /** `position` lets a later subscription continue after this frame. */
  | { readonly kind: 'frame'; readonly position: string; readonly data: string }
  /** The connection failed; `status` is 0 without a response. A retry follows after `retryMillis`. */
  | { readonly kind: 'lost'; readonly status: number; readonly body: string; readonly retryMillis: number }
  /** The server rejects this subscription; `body` is its problem in JSON. Nothing follows. */
  | { readonly kind: 'problem'; readonly status: number; readonly body: string }
  /** The feed has ended. Nothing follows. */
  | { readonly kind: 'end'; readonly reason: string };

export type Deliver = (message: HubMessage) => void;

/** Subscribes to an allocator after a position, or from its complete state if it is empty; returns how to unsubscribe. */
export type Subscribe = (allocator: string, position: string, deliver: Deliver) => () => void;

interface Subscription {
  readonly allocator: string;
  readonly deliver: Deliver;
  position: string;
  /** Nothing was received since the connection failed. */
  isLost: boolean;
}

/** Pages that are opened together share one reconnection. */
const JOIN_MILLIS = 30;
const LEAVE_MILLIS = 1000;
const MIN_RETRY_MILLIS = 500;
const MAX_RETRY_MILLIS = 8000;
/** The server sends something twice a second; after this time without data the connection counts as lost. */
const TIMEOUT_MILLIS = 12_000;

/**
 * Reads the events of any number of allocators through one connection: a browser opens six connections to a server over
 * HTTP/1.1, for all its windows together. Each change of the subscriptions reconnects, and every one continues at its
 * position.
 */
export class LiveHub {
  private readonly subscriptions = new Set<Subscription>();
  private abort: AbortController | null = null;
  private connectTimer: ReturnType<typeof setTimeout> | undefined;
  private connectMillis = Infinity;
  private retryMillis = MIN_RETRY_MILLIS;

  constructor(private readonly open: (url: string, signal: AbortSignal) => Promise<Response>) {}

  readonly subscribe: Subscribe = (allocator, position, deliver) => {
    const subscription = { allocator, position, deliver, isLost: false };
    this.subscriptions.add(subscription);
    deliver({ kind: 'connecting' });
    this.scheduleConnect(JOIN_MILLIS);
    return () => {
      if (this.subscriptions.delete(subscription)) this.scheduleConnect(LEAVE_MILLIS);
    };
  };

  /** Connects after `millis`, unless an earlier connect is already scheduled. */
  private scheduleConnect(millis: number): void {
    const at = Date.now() + millis;
    if (at >= this.connectMillis) return;
    clearTimeout(this.connectTimer);
    this.connectMillis = at;
    this.connectTimer = setTimeout(() => void this.connect(), millis);
  }

  private async connect(): Promise<void> {
    this.connectMillis = Infinity;
    this.abort?.abort();
    this.abort = null;
    const views = [...this.subscriptions];
    if (views.length === 0) return;
    const abort = new AbortController();
    this.abort = abort;
    for (const view of views) if (view.isLost) view.deliver({ kind: 'connecting' });
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const resetTimeout = () => {
      clearTimeout(timeout);
      timeout = setTimeout(() => {
        if (this.abort === abort) this.fail(0, '');
      }, TIMEOUT_MILLIS);
    };
    try {
      resetTimeout();
      await this.read(views, abort, resetTimeout);
      if (this.abort === abort && this.subscriptions.size > 0) this.fail(0, '');
    } catch {
      if (this.abort === abort) this.fail(0, '');
    } finally {
      clearTimeout(timeout);
    }
  }

  private async read(views: readonly Subscription[], abort: AbortController, onData: () => void): Promise<void> {
    const query = views.map(({ allocator, position }) => `view=${allocator}:${position}`).join('&');
    const response = await this.open(`/api/v1/allocators/events?${query}`, abort.signal);
    if (!response.ok || response.body === null) {
      const body = await response.text();
      if (this.abort === abort) this.fail(response.status, body);
      return;
    }
    const messages = new EventStreamReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.abort !== abort) return;
      onData();
      for (const message of messages.push(value)) this.dispatch(message, views);
    }
  }

  private dispatch({ event, data }: StreamMessage, views: readonly Subscription[]): void {
    const [kind, number, position = ''] = event.split(' ');
    const view = views[Number(number)];
    if (view === undefined || !this.subscriptions.has(view)) return;
    if (kind === 'frame') {
      view.position = position;
      view.isLost = false;
      this.retryMillis = MIN_RETRY_MILLIS;
      view.deliver({ kind: 'frame', position, data });
    } else if (kind === 'end') {
      this.subscriptions.delete(view);
      view.deliver({ kind: 'end', reason: String(parseVisible(data)) });
    } else if (kind === 'problem') this.reject(view, data);
  }

  private reject(view: Subscription, body: string): void {
    const { status } = JSON.parse(body) as { status: number };
    if (status >= 500) {
      this.lose(view, status, body);
      this.scheduleRetry();
    } else {
      this.subscriptions.delete(view);
      view.deliver({ kind: 'problem', status, body });
    }
  }

  private fail(status: number, body: string): void {
    this.abort?.abort();
    this.abort = null;
    for (const view of this.subscriptions) this.lose(view, status, body);
    this.scheduleRetry();
  }

  private lose(view: Subscription, status: number, body: string): void {
    view.isLost = true;
    view.deliver({ kind: 'lost', status, body, retryMillis: this.retryMillis });
  }

  private scheduleRetry(): void {
    this.scheduleConnect(this.retryMillis);
    this.retryMillis = Math.min(MAX_RETRY_MILLIS, this.retryMillis * 2);
  }
}
