// Opens every view of every snapshot of a folder in a real browser, and lists what does not work.
//
//   node script/visit-snapshots.mjs BASE FOLDER [SCREENSHOTS]
//
// BASE is the URL of a running server to which the files are uploaded, SCREENSHOTS a folder for a picture of each page.
// SIZE=400x800 and THEME=dark choose the window. Reported are: errors in the console, among them all unsuccessful answers,
// charts that do not complete within 20 s, pages wider than the window, and pages without a text. The exit code is 1 if there
// are any.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, sleep } from './browser.mjs';

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

/** Runs in the page. */
function look(charts) {
  const all = [...document.querySelectorAll(charts)];
  return {
    isComplete: document.readyState === 'complete' && all.every((each) => (each.dataset.state ?? 'loading') !== 'loading'),
    hasFailed: all.some((each) => each.dataset.state === 'error'),
    overflow: (document.documentElement?.scrollWidth ?? 0) - window.innerWidth,
    text: document.querySelector('main')?.innerText.trim().length ?? 0,
  };
}

/** Visits one page and records its problems. */
async function visit(path, label) {
  errors.length = 0;
  await browser.goto(base + path);
  const seen = () => browser.evaluate(`(${look})(${JSON.stringify(CHARTS)})`);
  const end = performance.now() + COMPLETE_MILLIS;
  let shown = await seen();
  while (!shown.isComplete && performance.now() < end) {
    await sleep(50);
    shown = await seen();
  }
  const found = [...errors];
  if (!shown.isComplete) found.push('a chart does not complete');
  if (shown.hasFailed) found.push('a chart has failed');
  if (shown.overflow > 0) found.push(`${shown.overflow} px wider than the window`);
  if (shown.text < 40) found.push('no text');
  if (screenshots) {
    const { data } = await browser.send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(join(screenshots, `${label}.png`), Buffer.from(data, 'base64'));
  }
  visited++;
  problems.push(...found.map((problem) => `${path}: ${problem}`));
}

if (screenshots) mkdirSync(screenshots, { recursive: true });
const browser = await openBrowser({ width, height, theme: process.env.THEME ?? 'light' });
const errors = [];
browser.on('Log.entryAdded', ({ entry }) => entry.level === 'error' && errors.push(`${entry.text} ${entry.url ?? ''}`));
browser.on('Runtime.consoleAPICalled', (call) => call.type === 'error' && errors.push(`console: ${call.args[0]?.value}`));
browser.on('Runtime.exceptionThrown', ({ exceptionDetails }) => errors.push(exceptionDetails.exception?.description ?? ''));
await browser.send('Log.enable');
await browser.send('Runtime.enable');
for (const [number, file] of readdirSync(folder).sort().entries()) {
  const stored = await upload(file);
  if (stored === null) continue;
  for (const tab of TABS) {
    const label = `${String(number + 1).padStart(2, '0')}-${tab.replace(/\W+/g, '-') || 'overview'}`;
    await visit(`/snapshots/${stored.id}/${tab}`.replace(/\/$/, ''), label);
  }
  console.log(`${file}: ${stored.eventCount ?? '?'} events`);
}
await browser.close();
console.log(`${visited} pages, ${problems.length} problems`);
problems.forEach((problem) => console.log(problem));
process.exit(problems.length > 0 ? 1 : 0);
