import { type Deliver, LiveHub, type Subscribe } from '../model/live-hub';
import { ALIVE_MILLIS, type PageMessage, type WorkerMessage } from '../model/live-port';
import { openEvents } from './live-fetch';

/** A worker that does not reply within this time cannot be used. */
const REPLY_MILLIS = 4000;

/**
 * The page's access to live events: through the worker that all windows share, or through a connection of its own where the
 * browser has no shared workers. A page has one subscription at a time.
 */
export function liveLink(): Subscribe {
  const own = new LiveHub(openEvents);
  if (typeof SharedWorker === 'undefined') return own.subscribe;
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
    type: 'module',
    name: 'vramscope-live',
  });
  let hasFailed = false;
  let hasReplied = false;
  let number = 0;
  let current: { allocator: string; position: string; deliver: Deliver } | null = null;
  let leave = () => {};
  const post = (message: PageMessage) => worker.port.postMessage(message);
  const fail = () => {
    if (hasFailed || hasReplied) return;
    hasFailed = true;
    if (current !== null) leave = own.subscribe(current.allocator, current.position, current.deliver);
  };
  worker.onerror = fail;
  worker.port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    hasReplied = true;
    if (data.number === number && !hasFailed) current?.deliver(data.message);
  };
  setInterval(() => {
    if (current !== null && !hasFailed) post({ kind: 'alive' });
  }, ALIVE_MILLIS);
  return (allocator, position, deliver) => {
    if (hasFailed) return own.subscribe(allocator, position, deliver);
    number++;
    current = { allocator, position, deliver };
    post({ kind: 'subscribe', number, allocator, position });
    setTimeout(fail, REPLY_MILLIS);
    leave = () => post({ kind: 'unsubscribe' });
    return () => {
      current = null;
      leave();
      leave = () => {};
    };
  };
}
