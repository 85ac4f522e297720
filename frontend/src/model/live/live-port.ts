import type { HubMessage } from './live-hub';

/** From a page to the worker that all pages share. `number` counts the page's subscriptions. */
export type PageMessage =
  | { readonly kind: 'subscribe'; readonly number: number; readonly allocator: string; readonly position: string }
  | { readonly kind: 'unsubscribe' }
  | { readonly kind: 'alive' };

/** From the worker to a page. */
export interface WorkerMessage {
  readonly number: number;
  readonly message: HubMessage;
}

/** Period of `alive` messages: a worker is not notified when a page is closed or crashes. */
export const ALIVE_MILLIS = 3000;

/** A page that was silent for this long leaves its allocator until its next message. */
export const CLOSED_MILLIS = 20_000;
