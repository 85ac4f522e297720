// Budgets T1, T2, T3, T4, T7: the cost of the charts of a stored snapshot in a real browser.
//
//   node script/bench-timeline.mjs BASE SNAPSHOT [VIEW ...]
//
// BASE is the URL of a running server, SNAPSHOT the id of a stored snapshot, VIEW is timeline, segment-timeline or segments
// (by default all); RUNS=5 repeats. Each view opens in a new cold browser of 1600x1000 without a GPU. Prints
//  - painted: from the navigation to the first frame in which the chart is complete
//  - transferred: bytes of all responses as sent
//  - frames: from an animation frame in which the picture changed to the next frame, while a scripted pointer zooms, pans
//    and points; 17 ms is the least
//  - memory: resident set of the renderer process after that (in a browser of its own that records no frames), and its part
//    that no other process shares; a renderer with an empty page has 110 MiB
//  - step: from a key for the previous event until the new state is painted (segments only)
import { openBrowser, sleep } from './browser.mjs';

const [, , base, snapshot, ...chosen] = process.argv;
if (!snapshot) {
  console.error('Usage: node script/bench-timeline.mjs BASE SNAPSHOT [VIEW ...]');
  process.exit(2);
}
const views = chosen.length > 0 ? chosen : ['timeline', 'segment-timeline', 'segments'];
const RUNS = Number(process.env.RUNS ?? 3);
const STEPS = 10;
const SELECTORS = {
  timeline: '[data-active-timeline]',
  'segment-timeline': '[data-segment-timeline]',
  segments: '[data-memory-map]',
};

const at = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const millis = (value) => `${value?.toFixed(0) ?? '-'} ms`;
const mebibytes = (kibibytes) => `${(kibibytes / 1024).toFixed(0)} MiB`;

/** Runs in the page: the time of the first frame after the chart is complete, and how long each changed frame took. */
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
    let [last, lastSum, isChanged] = [0, checksum(), false];
    const next = (now) => {
      if (isChanged) window.gaps.push(now - last);
      const current = checksum();
      [isChanged, last, lastSum] = [current !== lastSum, now, current];
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  };
}

/** Zooms, pans and points with the mouse. */
async function script(browser, box) {
  const [x, y] = [box.x + box.width * 0.6, box.y + box.height * 0.5];
  await browser.mouse('mouseMoved', x, y);
  for (const delta of [-400, -400, 300, -500, 600, 200]) {
    for (let i = 0; i < 8; i++) {
      await browser.mouse('mouseWheel', x, y, { deltaX: 0, deltaY: delta / 8 });
      await sleep(16);
    }
  }
  const left = { button: 'left', clickCount: 1 };
  await browser.mouse('mousePressed', x, y, left);
  for (let i = 0; i < 60; i++) {
    await browser.mouse('mouseMoved', x - 6 * i, y, { button: 'left', buttons: 1 });
    await sleep(16);
  }
  await browser.mouse('mouseReleased', x - 354, y, left);
  for (let i = 0; i < 60; i++) {
    await browser.mouse('mouseMoved', box.x + (box.width * i) / 60, box.y + (box.height * (i % 20)) / 20);
    await sleep(16);
  }
}

/** Runs in the page: milliseconds from a key until the state of the previous event is painted. */
async function step() {
  const root = document.querySelector('[data-memory-map]');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const before = root.dataset.event;
  const start = performance.now();
  document.querySelector('.view-canvas').dispatchEvent(new KeyboardEvent('keydown', { key: ',', bubbles: true }));
  while (root.dataset.event === before || root.dataset.state !== 'ready') await frame();
  await frame();
  return performance.now() - start;
}

async function run(view, recordsFrames) {
  const browser = await openBrowser();
  try {
    let bytes = 0;
    if (recordsFrames) {
      browser.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
      await browser.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    }
    const source = `(${watch})(${JSON.stringify(SELECTORS[view])})`;
    await browser.send('Page.addScriptToEvaluateOnNewDocument', { source });
    await browser.goto(`${base}/snapshots/${snapshot}/${view}`);
    const painted = await browser.evaluate('window.painted');
    const transferred = bytes;
    if (recordsFrames) await browser.evaluate('window.record()');
    const steps = [];
    if (view === 'segments' && recordsFrames) {
      for (let i = 0; i < STEPS; i++) steps.push(await browser.evaluate(`(${step})()`));
    }
    await script(
      browser,
      await browser.evaluate(`(({ x, y, width, height }) => ({ x, y, width, height }))(
        document.querySelector('.view-canvas').getBoundingClientRect())`),
    );
    await sleep(1000);
    const gaps = await browser.evaluate('window.gaps');
    return { painted, transferred, gaps, steps, ...(await browser.rendererMemory()) };
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
