// Budgets T1, T2, T3, T4, T7: the cost of the charts of a stored snapshot in a real browser.
//
//   mkdir -p /tmp/bench && cd /tmp/bench && npm i playwright-core@1.62
//   node CHECKOUT/script/bench-timeline.mjs BASE SNAPSHOT [VIEW ...]
//
// BASE is the URL of a running server, SNAPSHOT the id of a stored snapshot, VIEW is timeline, segment-timeline or segments
// (by default all). Each view opens in a new cold browser of 1600x1000 without a GPU. Prints
//  - painted: from the navigation to the first frame in which the chart is complete
//  - transferred: bytes of all responses as sent
//  - frames: time between animation frames in which the picture changed, while a scripted pointer zooms, pans and points
//  - memory: resident set of the renderer process after that (in a browser of its own that records no frames), and its part
//    that no other process shares; a renderer with an empty page has 110 MiB
//  - step: from a click on the next event until the new state is painted (segments only)
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const [, , base, snapshot, ...chosen] = process.argv;
const views = chosen.length > 0 ? chosen : ['timeline', 'segment-timeline', 'segments'];
const RUNS = Number(process.env.RUNS ?? 3);
const SELECTORS = {
  timeline: '[data-active-timeline]',
  'segment-timeline': '[data-segment-timeline]',
  segments: '[data-memory-map]',
};

const sleep = (millis) => new Promise((done) => setTimeout(done, millis));
const at = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const millis = (value) => `${value?.toFixed(0) ?? '-'} ms`;
const mebibytes = (kibibytes) => `${(kibibytes / 1024).toFixed(0)} MiB`;

/** Runs in the page: the time of the first frame after the chart is complete, and the gaps between frames that differ. */
function watch(selector) {
  window.gaps = [];
  window.painted = new Promise((done) => {
    const wait = () => {
      const state = document.querySelector(selector)?.dataset.state;
      if (state === 'ready' || state === 'empty') requestAnimationFrame((now) => done(now));
      else requestAnimationFrame(wait);
    };
    requestAnimationFrame(wait);
  });
  const checksum = () => {
    const canvas = document.querySelector('.view-canvas');
    if (canvas === null || canvas.width === 0) return 0;
    const context = canvas.getContext('2d');
    let sum = 0;
    for (const height of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const row = context.getImageData(0, Math.floor(canvas.height * height), canvas.width, 1).data;
      for (let i = 0; i < row.length; i += 4) sum = (sum * 31 + row[i] + row[i + 1] * 7 + row[i + 2] * 13) | 0;
    }
    return sum;
  };
  window.record = () => {
    let [last, lastSum] = [0, checksum()];
    const next = (now) => {
      const current = checksum();
      if (current !== lastSum) {
        if (last > 0) window.gaps.push(now - last);
        [last, lastSum] = [now, current];
      }
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  };
}

/** Resident and unshared kibibytes of the largest renderer process of a browser. */
async function rendererMemory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter((info) => info.type === 'renderer')
    .map(({ id }) => {
      const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      const field = (name) => Number(rollup.match(new RegExp(`^${name}: +(\\d+)`, 'm'))?.[1] ?? 0);
      return { resident: field('Rss'), unshared: field('Private_Clean') + field('Private_Dirty') };
    });
  return sizes.sort((a, b) => b.resident - a.resident)[0];
}

async function scripted(page, box) {
  const [x, y] = [box.x + box.width * 0.6, box.y + box.height * 0.5];
  await page.mouse.move(x, y);
  for (const delta of [-400, -400, 300, -500, 600, 200]) {
    for (let i = 0; i < 8; i++) {
      await page.mouse.wheel(0, delta / 8);
      await sleep(16);
    }
  }
  await page.mouse.down();
  for (let i = 0; i < 60; i++) {
    await page.mouse.move(x - 6 * i, y);
    await sleep(16);
  }
  await page.mouse.up();
  for (let i = 0; i < 60; i++) {
    await page.mouse.move(box.x + (box.width * i) / 60, box.y + (box.height * (i % 20)) / 20);
    await sleep(16);
  }
}

async function run(view, recordsFrames) {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    let bytes = 0;
    network.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
    await page.addInitScript(watch, SELECTORS[view]);
    await page.goto(`${base}/snapshots/${snapshot}/${view}`);
    const painted = await page.evaluate(() => window.painted);
    const transferred = bytes;
    if (recordsFrames) await page.evaluate(() => window.record());
    const canvas = page.locator('.view-canvas');
    const steps = [];
    if (view === 'segments' && recordsFrames) {
      for (let i = 0; i < 10; i++) {
        const start = performance.now();
        const answered = page.waitForResponse((response) => response.url().includes('/segments?'));
        await canvas.press(',');
        await answered;
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        steps.push(performance.now() - start);
      }
    }
    await scripted(page, await canvas.boundingBox());
    await sleep(1000);
    const gaps = await page.evaluate(() => window.gaps);
    return { painted, transferred, gaps, steps, ...(await rendererMemory(browser)) };
  } finally {
    await browser.close();
  }
}

for (const view of views) {
  const runs = [];
  const memory = [];
  for (let i = 0; i < RUNS; i++) {
    runs.push(await run(view, true));
    memory.push(await run(view, false));
  }
  const median = (values) => at(values, 0.5);
  const gaps = runs.flatMap((each) => each.gaps);
  const steps = runs.flatMap((each) => each.steps);
  console.log(
    `${view}: painted ${millis(median(runs.map((r) => r.painted)))}, transferred ${(median(runs.map((r) => r.transferred)) / 1000).toFixed(0)} kB, ` +
      `frames p50 ${millis(at(gaps, 0.5))} p95 ${millis(at(gaps, 0.95))} (${gaps.length}), ` +
      `memory ${mebibytes(median(memory.map((r) => r.resident)))} resident, ${mebibytes(median(memory.map((r) => r.unshared)))} unshared` +
      (steps.length > 0 ? `, step p50 ${millis(at(steps, 0.5))} p95 ${millis(at(steps, 0.95))}` : ''),
  );
}
