import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HubMessage, LiveHub } from '../src/model/live/live-hub';
import type { RawFrame } from '../src/model/live/live-frame';
import { LiveStream, type StreamStatus } from '../src/pages/live/live-stream';
import { frameOf } from './live-frames';

/** A server that records its connections; each is open until it is aborted or closed. */
class FakeServer {
  readonly urls: string[] = [];
  readonly open = new Set<AbortSignal>();
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  refuse: Response | null = null;

  readonly connect = (url: string, signal: AbortSignal): Promise<Response> => {
    this.urls.push(decodeURIComponent(url));
    if (this.refuse !== null) return Promise.resolve(this.refuse.clone());
    this.open.add(signal);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.controller = controller;
        signal.addEventListener('abort', () => {
          this.open.delete(signal);
          controller.error(new Error('aborted'));
        });
      },
    });
    return Promise.resolve(new Response(body));
  };

  async send(text: string): Promise<void> {
    this.controller?.enqueue(new TextEncoder().encode(text));
    await vi.advanceTimersByTimeAsync(1);
  }

  async close(): Promise<void> {
    this.open.clear();
    this.controller?.close();
    await vi.advanceTimersByTimeAsync(1);
  }
}

const frame = (view: number, position: string, v = 1) =>
  `event: frame ${view} ${position}\ndata: ${JSON.stringify(frameOf({ v, from: 0 }))}\n\n`;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the hub', () => {
  it('serves 12 subscriptions through one connection', async () => {
    const server = new FakeServer();
    const hub = new LiveHub(server.connect);
    const received = Array.from({ length: 12 }, () => [] as HubMessage[]);
    for (const [i, messages] of received.entries()) hub.subscribe(`${100 + (i % 3)}`, '', (m) => messages.push(m));
    await vi.advanceTimersByTimeAsync(100);
    expect(server.urls).toHaveLength(1);
    expect(server.open.size).toBe(1);
    for (let i = 0; i < 12; i++) await server.send(frame(i, `7.${i}`));
    for (const [i, messages] of received.entries()) {
      expect(messages.map(({ kind }) => kind)).toEqual(['connecting', 'frame']);
      expect(messages[1]).toMatchObject({ position: `7.${i}` });
    }
  });

  it('continues every subscription at its position when another joins', async () => {
    const server = new FakeServer();
    const hub = new LiveHub(server.connect);
    const first: HubMessage[] = [];
    hub.subscribe('1', '', (m) => first.push(m));
    await vi.advanceTimersByTimeAsync(100);
    await server.send(frame(0, '7.41'));
    const leave = hub.subscribe('2', '', () => undefined);
    await vi.advanceTimersByTimeAsync(100);
    expect(server.urls.at(-1)).toContain('view=1:7.41&view=2:');
    expect(server.open.size).toBe(1);
    await server.send(frame(0, '7.42'));
    // A page that is connected already is not notified of the reconnection.
    expect(first.map(({ kind }) => kind)).toEqual(['connecting', 'frame', 'frame']);
    leave();
    await vi.advanceTimersByTimeAsync(2000);
    expect(server.urls.at(-1)).toMatch(/events\?view=1:7\.42$/);
  });

  it('retries after a lost connection, more and more slowly', async () => {
    const server = new FakeServer();
    const hub = new LiveHub(server.connect);
    const messages: HubMessage[] = [];
    hub.subscribe('1', '', (m) => messages.push(m));
    await vi.advanceTimersByTimeAsync(100);
    await server.close();
    expect(messages.at(-1)).toMatchObject({ kind: 'lost', status: 0, retryMillis: 500 });
    server.refuse = new Response('{"title":"Too many viewers"}', { status: 503 });
    await vi.advanceTimersByTimeAsync(600);
    expect(messages.at(-1)).toMatchObject({ kind: 'lost', status: 503, retryMillis: 1000 });
    server.refuse = null;
    await vi.advanceTimersByTimeAsync(1100);
    await server.send(frame(0, '7.1'));
    expect(messages.at(-1)).toMatchObject({ kind: 'frame' });
  });

  it('loses a connection that never sends anything', async () => {
    const server = new FakeServer();
    const messages: HubMessage[] = [];
    new LiveHub(server.connect).subscribe('1', '', (m) => messages.push(m));
    await vi.advanceTimersByTimeAsync(12_500);
    expect(messages.at(-1)).toMatchObject({ kind: 'lost', status: 0 });
  });

  it('ends one subscription without disturbing the others', async () => {
    const server = new FakeServer();
    const hub = new LiveHub(server.connect);
    const [closed, unknown, other]: [HubMessage[], HubMessage[], HubMessage[]] = [[], [], []];
    hub.subscribe('1', '', (m) => closed.push(m));
    hub.subscribe('2', '', (m) => unknown.push(m));
    hub.subscribe('3', '', (m) => other.push(m));
    await vi.advanceTimersByTimeAsync(100);
    await server.send('event: end 0\ndata: "The allocator was closed."\n\n');
    await server.send('event: problem 1\ndata: {"status":404,"title":"Not found"}\n\n');
    await server.send(frame(2, '7.1'));
    expect(closed.at(-1)).toEqual({ kind: 'end', reason: 'The allocator was closed.' });
    expect(unknown.at(-1)).toMatchObject({ kind: 'problem', status: 404 });
    expect(other.at(-1)).toMatchObject({ kind: 'frame' });
    expect(server.urls).toHaveLength(1);
  });
});

describe('the stream of a page', () => {
  function page(hub: LiveHub) {
    let hidden = false;
    let changed = () => {};
    const statuses: StreamStatus[] = [];
    const frames: RawFrame[] = [];
    const visibility = {
      isHidden: () => hidden,
      onChange: (listener: () => void) => {
        changed = listener;
      },
    };
    const stream = new LiveStream(
      '1',
      hub.subscribe,
      visibility,
      (f) => frames.push(f),
      (s) => statuses.push(s),
    );
    stream.start();
    const hide = (value: boolean) => {
      hidden = value;
      changed();
    };
    return { frames, hide, last: () => statuses.at(-1), kinds: () => statuses.map(({ kind }) => kind) };
  }

  it('is live only from its first frame on', async () => {
    const server = new FakeServer();
    const { last, kinds } = page(new LiveHub(server.connect));
    await vi.advanceTimersByTimeAsync(1000);
    expect(last()).toEqual({ kind: 'connecting' });
    await vi.advanceTimersByTimeAsync(4100);
    expect(last()).toEqual({ kind: 'silent', seconds: 5 });
    expect(kinds()).not.toContain('live');
    await server.send(frame(0, '7.1'));
    expect(last()).toEqual({ kind: 'live' });
    await vi.advanceTimersByTimeAsync(3600);
    expect(last()).toEqual({ kind: 'silent', seconds: 3 });
  });

  it('disconnects while hidden and continues when it is shown', async () => {
    const server = new FakeServer();
    const { last, hide, frames } = page(new LiveHub(server.connect));
    await vi.advanceTimersByTimeAsync(100);
    await server.send(frame(0, '7.5', 5));
    hide(true);
    await vi.advanceTimersByTimeAsync(2000);
    expect(last()).toEqual({ kind: 'hidden' });
    expect(server.open.size).toBe(0);
    hide(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(server.urls.at(-1)).toContain('view=1:7.5');
    await server.send(frame(0, '7.9', 9));
    expect(last()).toEqual({ kind: 'live' });
    expect(frames.map(({ v }) => v)).toEqual([5, 9]);
  });

  it('ends when the allocator does not exist', async () => {
    const server = new FakeServer();
    const { last } = page(new LiveHub(server.connect));
    await vi.advanceTimersByTimeAsync(100);
    await server.send('event: problem 0\ndata: {"status":410,"title":"Closed","detail":"Allocator 1 was closed."}\n\n');
    expect(last()).toEqual({ kind: 'ended', reason: 'Closed: Allocator 1 was closed.' });
  });
});
