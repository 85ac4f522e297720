// P10: the time from the 201 of an upload until the first screen has its final sentence.
//
//   node script/bench-first-answer.mjs BASE FILE [FILE ...]
//
// BASE is the URL of a running server on which the files are not stored yet. The overview is opened as soon as the answer to
// the upload is there; the sentence is final when no replay is announced any more. Prints milliseconds, and the sentence.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { openBrowser, sleep } from './browser.mjs';

const [, , base, ...files] = process.argv;
if (files.length === 0) {
  console.error('Usage: node script/bench-first-answer.mjs BASE FILE [FILE ...]');
  process.exit(2);
}
const MOST_MILLIS = 120_000;
const STATE = `(() => {
  const answer = document.querySelector('#explanation');
  if (answer === null || document.readyState !== 'complete') return null;
  return { isPending: answer.querySelector('[data-replays]') !== null, text: answer.innerText };
})()`;

const browser = await openBrowser();
try {
  for (const file of files) {
    const response = await fetch(`${base}/api/v1/snapshots?name=${encodeURIComponent(basename(file))}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: readFileSync(file),
    });
    const stored = await response.json();
    if (response.status !== 201) throw new Error(`${file}: status ${response.status} ${JSON.stringify(stored)}`);
    const start = performance.now();
    await browser.goto(`${base}/snapshots/${stored.id}`);
    let shown = 0;
    let state = null;
    while (state === null || state.isPending) {
      if (performance.now() - start > MOST_MILLIS) throw new Error(`${file}: no final sentence after ${MOST_MILLIS} ms`);
      await sleep(10);
      state = await browser.evaluate(STATE).catch(() => null);
      if (state !== null && shown === 0) shown = performance.now() - start;
    }
    const final = performance.now() - start;
    console.log(`${basename(file)}: a sentence after ${Math.round(shown)} ms, the final one after ${Math.round(final)} ms`);
    console.log(state.text.split('What to do next')[1]?.trim().replaceAll('\n', '\n  '));
  }
} finally {
  await browser.close();
}
