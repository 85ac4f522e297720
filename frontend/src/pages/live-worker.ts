import { LiveHub } from '../model/live-hub';
import { ALIVE_MILLIS, CLOSED_MILLIS, type PageMessage, type WorkerMessage } from '../model/live-port';
import { openEvents } from './live-fetch';

// A shared worker: it has the only connection for live events of all windows of this browser.

const hub = new LiveHub(openEvents);

function connect(port: MessagePort): void {
  let aliveMillis = Date.now();
  let unsubscribe: (() => void) | null = null;
  const leave = () => {
    unsubscribe?.();
    unsubscribe = null;
  };
  const watch = setInterval(() => {
    if (Date.now() - aliveMillis < CLOSED_MILLIS) return;
    clearInterval(watch);
    leave();
    port.close();
  }, ALIVE_MILLIS);
  port.onmessage = ({ data }: MessageEvent<PageMessage>) => {
    aliveMillis = Date.now();
    if (data.kind === 'alive') return;
    leave();
    if (data.kind === 'unsubscribe') return;
    const { number } = data;
    unsubscribe = hub.subscribe(data.allocator, data.position, (message) =>
      port.postMessage({ number, message } satisfies WorkerMessage),
    );
  };
}

addEventListener('connect', (event) => connect((event as MessageEvent).ports[0]));
