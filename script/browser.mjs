// A headless Chromium that is controlled through its DevTools pipe: messages of JSON, each with a zero byte at the end.
// Benchmarks need one without the network domain of DevTools, as libraries for tests enable it: the renderer would keep the
// body of every response.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];

export const sleep = (millis) => new Promise((done) => setTimeout(done, millis));

/** A new browser with one empty page. */
export async function openBrowser({ width = 1600, height = 1000, theme = 'light' } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'vramscope-browser-'));
  const binary = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const flags = [...FLAGS, `--user-data-dir=${profile}`, `--window-size=${width},${height}`, 'about:blank'];
  const child = spawn(binary, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const ended = new Promise((done) => child.once('exit', done));
  const waiting = new Map();
  const listeners = new Map();
  let lastId = 0;
  let received = Buffer.alloc(0);

  const deliver = (message) => {
    if (message.id === undefined) {
      for (const listener of listeners.get(message.method) ?? []) listener(message.params);
      return;
    }
    const { done, failed } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) failed(new Error(message.error.message));
    else done(message.result);
  };
  child.stdio[4].on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (let end = received.indexOf(0); end >= 0; end = received.indexOf(0)) {
      deliver(JSON.parse(received.subarray(0, end).toString('utf8')));
      received = received.subarray(end + 1);
    }
  });

  const sendTo = (sessionId, method, params = {}) =>
    new Promise((done, failed) => {
      const id = ++lastId;
      waiting.set(id, { done, failed });
      child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });

  const { targetInfos } = await sendTo(undefined, 'Target.getTargets');
  const { targetId } = targetInfos.find((target) => target.type === 'page');
  const { sessionId } = await sendTo(undefined, 'Target.attachToTarget', { targetId, flatten: true });
  const send = (method, params) => sendTo(sessionId, method, params);
  await send('Page.enable');
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] });

  return {
    send,
    on: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    goto: (url) => send('Page.navigate', { url }),

    /** The value of an expression in the page; a promise is awaited. */
    async evaluate(expression) {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },

    mouse: (type, x, y, more = {}) => send('Input.dispatchMouseEvent', { type, x, y, ...more }),

    /** Resident and unshared kibibytes of the largest renderer process. */
    async rendererMemory() {
      const { processInfo } = await sendTo(undefined, 'SystemInfo.getProcessInfo');
      const sizes = processInfo
        .filter((info) => info.type === 'renderer')
        .map(({ id }) => {
          const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
          const field = (name) => Number(rollup.match(new RegExp(`^${name}: +(\\d+)`, 'm'))?.[1] ?? 0);
          return { resident: field('Rss'), unshared: field('Private_Clean') + field('Private_Dirty') };
        });
      return sizes.sort((a, b) => b.resident - a.resident)[0];
    },

    async close() {
      await sendTo(undefined, 'Browser.close').catch(() => child.kill());
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
