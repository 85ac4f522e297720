// Opens every view of every snapshot of a folder in a real browser, and lists what does not work.
//
//   mkdir -p /tmp/bench && cd /tmp/bench && npm i playwright-core@1.62
//   node CHECKOUT/script/visit-snapshots.mjs BASE FOLDER [SCREENSHOTS]
//
// BASE is the URL of a running server to which the files are uploaded, SCREENSHOTS a folder for a picture of each page.
// SIZE=400x800 and THEME=dark choose the window. Reported are: answers other than 200, errors in the console, charts
// that do not complete within 20 s, pages wider than the window, and pages without a text. The exit code is 1 if there are any.
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const [, , base, folder, screenshots] = process.argv;
if (!folder) {
  console.error('Usage: node script/visit-snapshots.mjs BASE FOLDER [SCREENSHOTS]');
  process.exit(2);
}
const [width, height] = (process.env.SIZE ?? '1280x900').split('x').map(Number);
const TABS = [
  '',
  'timeline',
  'timeline?x=time',
  'events',
  'segments',
  'segment-timeline',
  'steps',
  'sites',
  'flame',
  'budget',
  'summary',
  'oom',
  'whatif',
];
const CHARTS = '[data-active-timeline], [data-segment-timeline], [data-memory-map], [data-event-list], [data-flame-graph]';
const COMPLETE_MILLIS = 20_000;

const problems = [];
let visited = 0;

async function upload(file) {
  const name = encodeURIComponent(file.slice(0, 60));
  const answer = await fetch(`${base}/api/v1/snapshots?name=${name}`, { method: 'POST', body: readFileSync(join(folder, file)) });
  const text = await answer.text();
  if (!answer.ok) {
    problems.push(`${file}: upload ${answer.status} ${text.slice(0, 200)}`);
    return null;
  }
  return JSON.parse(text);
}

/** Visits one page and records its problems. */
async function visit(page, path, label) {
  const found = [];
  const onConsole = (message) => message.type() === 'error' && found.push(`console: ${message.text()}`);
  const onError = (error) => found.push(`error: ${error.message}`);
  const onResponse = (answer) => answer.status() >= 400 && found.push(`${answer.status()} ${answer.url()}`);
  page.on('console', onConsole).on('pageerror', onError).on('response', onResponse);
  await page.goto(base + path, { waitUntil: 'load' });
  await page
    .waitForFunction(
      (charts) => [...document.querySelectorAll(charts)].every((each) => (each.dataset.state ?? 'loading') !== 'loading'),
      CHARTS,
      { timeout: COMPLETE_MILLIS },
    )
    .catch(() => found.push('a chart does not complete'));
  const shown = await page.evaluate(() => ({
    failed: document.querySelectorAll('[data-state="error"]').length,
    overflow: document.documentElement.scrollWidth - window.innerWidth,
    text: document.querySelector('main')?.innerText.trim().length ?? 0,
  }));
  if (shown.failed > 0) found.push('a chart has failed');
  if (shown.overflow > 0) found.push(`${shown.overflow} px wider than the window`);
  if (shown.text < 40) found.push('no text');
  if (screenshots) await page.screenshot({ path: join(screenshots, `${label}.png`) });
  page.off('console', onConsole).off('pageerror', onError).off('response', onResponse);
  visited++;
  problems.push(...found.map((problem) => `${path}: ${problem}`));
}

if (screenshots) mkdirSync(screenshots, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'],
});
const context = await browser.newContext({ viewport: { width, height }, colorScheme: process.env.THEME ?? 'light' });
const page = await context.newPage();
for (const [number, file] of readdirSync(folder).sort().entries()) {
  const stored = await upload(file);
  if (stored === null) continue;
  for (const tab of TABS) {
    const label = `${String(number + 1).padStart(2, '0')}-${tab.replace(/\W+/g, '-') || 'overview'}`;
    await visit(page, `/snapshots/${stored.id}/${tab}`.replace(/\/$/, ''), label);
  }
  console.log(`${file}: ${stored.eventCount ?? '?'} events`);
}
await browser.close();
console.log(`${visited} pages, ${problems.length} problems`);
problems.forEach((problem) => console.log(problem));
process.exit(problems.length > 0 ? 1 : 0);
