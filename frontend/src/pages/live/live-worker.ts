import { LiveHub } from '../../model/live/live-hub';
import { ALIVE_MILLIS, CLOSED_MILLIS, type PageMessage, type WorkerMessage } from '../../model/live/live-port';
import { openEvents } from './live-fetch';

// A shared worker: it has the only connection for live events of all windows of this browser.

const hub = new LiveHub(openEvents);

/**
 * Serves a page until it is silent for too long, because it was closed, or the browser or the computer was suspended: then
 * it continues with the page's next message. The port stays open, since a page that is shown again uses the same.
 */
function connect(port: MessagePort): void {
  let aliveMillis = 0;
  let subscribed: { number: number; allocator: string; position: string } | null = null;
  let unsubscribe: (() => void) | null = null;
  let watch: ReturnType<typeof setInterval> | undefined;

  const leave = () => {
    clearInterval(watch);
    unsubscribe?.();
    unsubscribe = null;
  };
  const join = () => {
    if (subscribed === null) return;
    const subscription = subscribed;
    const { number, allocator, position } = subscription;
    unsubscribe = hub.subscribe(allocator, position, (message) => {
      if (message.kind === 'frame') subscription.position = message.position;
      port.postMessage({ number, message } satisfies WorkerMessage);
    });
    watch = setInterval(() => {
      if (Date.now() - aliveMillis >= CLOSED_MILLIS) leave();
    }, ALIVE_MILLIS);
  };
  port.onmessage = ({ data }: MessageEvent<PageMessage>) => {
    aliveMillis = Date.now();
    if (data.kind === 'alive') {
      if (unsubscribe === null) join();
      return;
    }
    leave();
    subscribed = data.kind === 'subscribe' ? { ...data } : null;
    join();
  };
}

addEventListener('connect', (event) => {
  for (const port of (event as MessageEvent).ports) connect(port);
});
