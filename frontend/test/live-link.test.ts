import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HubMessage, Subscribe } from '../src/model/live/live-hub';
import { frameOf } from './live-frames';

/** One side of a channel; messages that are in transit when a side closes are delivered, later ones are not. */
class FakePort {
  peer: FakePort | null = null;
  isClosed = false;
  onmessage: ((event: { data: unknown }) => void) | null = null;

  postMessage(data: unknown): void {
    const peer = this.peer;
    if (this.isClosed || peer === null || peer.isClosed) return;
    queueMicrotask(() => peer.onmessage?.({ data: structuredClone(data) }));
  }

  close(): void {
    this.isClosed = true;
  }
}

/** The worker of the browser: connects every port to the module, unless it has stopped. */
const browser = { connect: (_: FakePort) => {}, isStopped: false, ports: 0 };

class FakeSharedWorker {
  readonly port = new FakePort();
  onerror: (() => void) | null = null;

  constructor() {
    const peer = new FakePort();
    peer.peer = this.port;
    this.port.peer = peer;
    browser.ports++;
    if (!browser.isStopped) browser.connect(peer);
  }
}

const urls: string[] = [];
let signals: AbortSignal[] = [];

/** A server that sends a frame each half second to every view; its version is the tenth of a second. */
function connect(url: string, { signal }: { signal: AbortSignal }): Promise<Response> {
  urls.push(decodeURIComponent(url));
  signals.push(signal);
  const views = new URL(url, 'http://localhost').searchParams.getAll('view').length;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const timer = setInterval(() => {
        const v = Math.floor(Date.now() / 100);
        for (let i = 0; i < views; i++) {
          const text = `event: frame ${i} 7.${v}\ndata: ${JSON.stringify(frameOf({ v, from: 0 }))}\n\n`;
          controller.enqueue(new TextEncoder().encode(text));
        }
      }, 500);
      signal.addEventListener('abort', () => {
        clearInterval(timer);
        controller.error(new Error('aborted'));
      });
    },
  });
  return Promise.resolve(new Response(body));
}

const openConnections = () => signals.filter(({ aborted }) => !aborted).length;
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

/** A page whose latest frames are recorded. */
async function page(): Promise<{ subscribe: Subscribe; framesIn: (period: number) => Promise<number> }> {
  const { liveLink } = await import('../src/pages/live/live-link');
  let frames = 0;
  const link = liveLink();
  const subscribe: Subscribe = (allocator, position, deliver) =>
    link(allocator, position, (message: HubMessage) => {
      if (message.kind === 'frame') frames++;
      deliver(message);
    });
  const framesIn = async (period: number) => {
    frames = 0;
    await seconds(period);
    return frames;
  };
  return { subscribe, framesIn };
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  urls.length = 0;
  signals = [];
  browser.isStopped = false;
  browser.ports = 0;
  vi.stubGlobal('SharedWorker', FakeSharedWorker);
  vi.stubGlobal('fetch', connect);
  vi.stubGlobal('addEventListener', (_: string, listener: (event: { ports: FakePort[] }) => void) => {
    browser.connect = (port) => listener({ ports: [port] });
  });
  await import('../src/pages/live/live-worker');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the link to the shared worker', () => {
  it('continues after a tab was hidden for 25 seconds', async () => {
    const { subscribe, framesIn } = await page();
    let position = '';
    const hide = subscribe('1', '', (m) => (position = m.kind === 'frame' ? m.position : position));
    expect(await framesIn(3)).toBeGreaterThan(3);
    hide();
    await seconds(25);
    expect(openConnections()).toBe(0);
    subscribe('1', position, () => {});
    expect(await framesIn(3)).toBeGreaterThan(3);
    expect(urls.at(-1)).toContain(`view=1:${position}`);
    expect(browser.ports).toBe(1);
  });

  it('continues after the computer was suspended', async () => {
    const { subscribe, framesIn } = await page();
    subscribe('1', '', () => {});
    expect(await framesIn(3)).toBeGreaterThan(3);
    vi.setSystemTime(Date.now() + 3_600_000);
    await seconds(4);
    expect(await framesIn(3)).toBeGreaterThan(3);
    expect(openConnections()).toBe(1);
  });

  it('continues after the page alone was suspended', async () => {
    const { subscribe, framesIn } = await page();
    let position = '';
    subscribe('1', '', (m) => (position = m.kind === 'frame' ? m.position : position));
    expect(await framesIn(3)).toBeGreaterThan(3);
    const post = FakePort.prototype.postMessage;
    const suspended = vi.spyOn(FakePort.prototype, 'postMessage').mockImplementation(function (this: FakePort, data) {
      if ((data as { kind?: string }).kind !== 'alive') post.call(this, data);
    });
    await seconds(30);
    expect(openConnections()).toBe(0);
    suspended.mockRestore();
    const last = position;
    await seconds(4);
    expect(await framesIn(3)).toBeGreaterThan(3);
    expect(urls.at(-1)).toContain(`view=1:${last}`);
    expect(browser.ports).toBe(1);
  });

  it('drops a page that was closed', async () => {
    const worker = new FakeSharedWorker();
    worker.port.postMessage({ kind: 'subscribe', number: 1, allocator: '1', position: '' });
    await seconds(1);
    expect(openConnections()).toBe(1);
    await seconds(25);
    expect(openConnections()).toBe(0);
  });

  it('connects again when the worker stopped after it had replied', async () => {
    const { subscribe, framesIn } = await page();
    const leave = subscribe('1', '', () => {});
    expect(await framesIn(3)).toBeGreaterThan(3);
    leave();
    vi.spyOn(FakePort.prototype, 'postMessage').mockImplementationOnce(() => {}); // Nobody receives it.
    subscribe('1', '7.30', () => {});
    await seconds(4.1);
    expect(await framesIn(3)).toBeGreaterThan(3);
    expect(browser.ports).toBe(2);
  });

  it('has a connection of its own if no worker replies, and closes it', async () => {
    browser.isStopped = true;
    const { subscribe, framesIn } = await page();
    const leave = subscribe('1', '', () => {});
    await seconds(8.2);
    expect(browser.ports).toBe(2);
    expect(await framesIn(3)).toBeGreaterThan(3);
    leave();
    await seconds(2);
    expect(openConnections()).toBe(0);
  });
});
