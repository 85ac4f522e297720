import { type Deliver, LiveHub, type Subscribe } from '../../model/live/live-hub';
import { ALIVE_MILLIS, type PageMessage, type WorkerMessage } from '../../model/live/live-port';
import { openEvents } from './live-fetch';

/** A worker replies to a subscription at once; without a reply within this time it has stopped or cannot be used. */
const REPLY_MILLIS = 4000;

interface Subscription {
  readonly allocator: string;
  readonly position: string;
  readonly deliver: Deliver;
  leave: () => void;
}

/**
 * The page's access to live events: through the worker that all windows share, or through a connection of its own where the
 * browser has no shared workers. A page has one subscription at a time.
 */
export function liveLink(): Subscribe {
  const own = new LiveHub(openEvents);
  if (typeof SharedWorker === 'undefined') return own.subscribe;
  let number = 0;
  let current: Subscription | null = null;
  /** Workers in succession that did not reply. */
  let failures = 0;
  let replyTimer: ReturnType<typeof setTimeout> | undefined;
  let worker: SharedWorker | null = openWorker();

  function openWorker(): SharedWorker {
    const opened = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
      type: 'module',
      name: 'vramscope-live',
    });
    opened.onerror = () => {
      if (opened === worker) useOwn();
    };
    opened.port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.number !== number || opened !== worker) return;
      failures = 0;
      clearTimeout(replyTimer);
      current?.deliver(data.message);
    };
    return opened;
  }

  const post = (message: PageMessage) => worker?.port.postMessage(message);

  /** Subscribes through the worker, or through the page's own connection if there is none. */
  function join(subscription: Subscription): void {
    const { allocator, position, deliver } = subscription;
    clearTimeout(replyTimer);
    if (worker === null) {
      subscription.leave = own.subscribe(allocator, position, deliver);
      return;
    }
    number++;
    post({ kind: 'subscribe', number, allocator, position });
    replyTimer = setTimeout(replaceWorker, REPLY_MILLIS);
    subscription.leave = () => {
      clearTimeout(replyTimer);
      post({ kind: 'unsubscribe' });
    };
  }

  /** Opens a worker again: the browser may have ended the one that replied before. */
  function replaceWorker(): void {
    failures++;
    if (failures > 1) {
      useOwn();
      return;
    }
    post({ kind: 'unsubscribe' });
    worker?.port.close();
    worker = openWorker();
    if (current !== null) join(current);
  }

  function useOwn(): void {
    post({ kind: 'unsubscribe' });
    worker?.port.close();
    worker = null;
    if (current !== null) join(current);
  }

  setInterval(() => {
    if (current !== null) post({ kind: 'alive' });
  }, ALIVE_MILLIS);
  return (allocator, position, deliver) => {
    const subscription: Subscription = { allocator, position, deliver, leave: () => {} };
    current = subscription;
    join(subscription);
    return () => {
      if (current !== subscription) return;
      current = null;
      subscription.leave();
    };
  };
}
