// Budget G3: the cost of a live page at 10,000 events a second.
//
//   mkdir -p /tmp/bench && cd /tmp/bench && npm i playwright-core@1.62
//   node CHECKOUT/script/bench-live.mjs BASE PID [PACE]
//
// BASE is the URL of a running server, PID its process. Creates an allocator on a simulated device and runs a training
// loop on it with PACE allocations and frees a second. A free is two events, so 7,000 operations are a little over 10,000 events.
// Prints the CPU time of the server without the workload's own thread, and the time between animation frames in which
// the view changed.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const [, , base, pid, pace = '7000'] = process.argv;
const TICKS_PER_SECOND = 100;

const cpuSeconds = (stat) => {
  const fields = readFileSync(stat, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};
const isWorkload = (thread) => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').startsWith('workload-');
const processCpu = () => cpuSeconds(`/proc/${pid}/stat`);
const workloadCpu = () =>
  readdirSync(`/proc/${pid}/task`)
    .filter(isWorkload)
    .reduce((sum, thread) => sum + cpuSeconds(`/proc/${pid}/task/${thread}/stat`), 0);
const sleep = (millis) => new Promise((done) => setTimeout(done, millis));
const post = (path, body) =>
  fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function printCpu(label, millis) {
  const [process0, workload0, start] = [processCpu(), workloadCpu(), Date.now()];
  await sleep(millis);
  const [all, work] = [processCpu() - process0, workloadCpu() - workload0];
  const percent = (seconds) => `${((seconds * 1e5) / (Date.now() - start)).toFixed(1)} %`;
  console.log(`${label}: process ${percent(all)} of a core, workload ${percent(work)}, rest ${percent(all - work)}`);
}

/** Runs in the page: records the time between frames that differ in any of a few rows of pixels. */
function recordGaps() {
  const canvases = [document.querySelector('.live-map'), document.querySelector('.live-curves')];
  const checksum = () => {
    let sum = 0;
    for (const canvas of canvases) {
      const context = canvas.getContext('2d');
      for (const height of [0.2, 0.4, 0.6, 0.8]) {
        const row = context.getImageData(0, Math.floor(canvas.height * height), canvas.width, 1).data;
        for (let i = 0; i < row.length; i += 4) sum = (sum * 31 + row[i] + row[i + 1] * 7 + row[i + 2] * 13) | 0;
      }
    }
    return sum;
  };
  window.gaps = [];
  let [last, lastSum] = [0, 0];
  const next = (now) => {
    const current = checksum();
    if (current !== lastSum) {
      if (last > 0) window.gaps.push(now - last);
      [last, lastSum] = [now, current];
    }
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const { id } = await (await post('/api/v1/allocators', { device: 'sim:16GiB', name: 'G3' })).json();
await post(`/api/v1/allocators/${id}/workloads`, {
  workload: 'training-varying',
  operationsPerSecond: Number(pace),
  verify: false,
});
await sleep(5000);
await printCpu('without a browser', 10_000);
await page.goto(`${base}/live/${id}`);
await page.waitForSelector('[data-live-allocator][data-state=ready]');
await sleep(5000);
for (let i = 0; i < 3; i++) await printCpu('with a browser', 10_000);

const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
const mainThread = async () =>
  (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
await page.evaluate(() => {
  window.frameCount = 0;
  const count = () => {
    window.frameCount++;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
});
const task0 = await mainThread();
await sleep(10_000);
const perFrame = ((await mainThread()) - task0) / (await page.evaluate('window.frameCount'));
console.log(`main thread of the page: ${(perFrame * 1000).toFixed(1)} ms of CPU time per animation frame`);

await page.evaluate(recordGaps);
await sleep(10_000);
const gaps = (await page.evaluate('window.gaps')).sort((a, b) => a - b);
const percentile = (share) => `${gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))].toFixed(1)} ms`;
const [p50, p95, p99, longest] = [0.5, 0.95, 0.99, 1].map(percentile);
console.log(`${gaps.length} changed frames: p50 ${p50}, p95 ${p95}, p99 ${p99}, longest ${longest}`);
console.log(await page.textContent('.view-bar .view-status'));
await browser.close();
await fetch(`${base}/api/v1/allocators/${id}`, { method: 'DELETE' });
