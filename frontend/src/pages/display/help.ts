import { element } from './element';
import { isInputOrShortcut } from './keys';

type Keys = readonly (readonly [keys: string, action: string])[];

const ALL_PAGES: Keys = [
  ['?', 'show this help'],
  ['/', 'move focus to the filter or the search'],
  ['Esc', 'close a dialog, or clear the selection'],
];
const TIMELINE: Keys = [
  ['w s', 'zoom in, zoom out'],
  ['a d', 'move left, move right'],
  ['← →', 'previous allocation, next allocation, while the chart has focus'],
  ['↑ ↓', 'allocation above, allocation below, while the chart has focus'],
  ['Enter', 'pin the allocation in focus'],
  [', .', 'previous event, next event'],
  ['f', 'show the whole trace (also double-click)'],
  ['p', 'go to the peak'],
  ['o', 'go to the next failed request'],
  ['y', 'byte axis from zero, or fitted to the visible range'],
  ['m', 'list the sites of the marked or the visible events'],
  ['z', 'zoom to the marked events'],
  ['scroll', 'zoom at the pointer'],
  ['drag', 'move'],
  ['Shift-drag', 'mark events; also Shift-← and Shift-→ from the cursor, and Esc removes the mark'],
  ['click', 'pin an allocation'],
];

/** Those of the timeline, without the byte axis. */
const SEGMENT_TIMELINE: Keys = TIMELINE.filter(([shortcut]) => shortcut !== 'y' && shortcut !== 'o').concat([
  ['o', 'show the events before the next failed request'],
]);
const MAP: Keys = [
  ['w s', 'zoom in, zoom out'],
  ['a d', 'scroll up, scroll down'],
  ['← → ↑ ↓', 'previous block, next block, scroll up, scroll down, while the map has focus'],
  ['f', 'show the whole map (also double-click)'],
  ['scroll', 'zoom at the pointer'],
  ['Shift-scroll', 'scroll (also drag)'],
  ['click', 'pin a block'],
];
const MOMENTS: Keys = [
  [', .', 'state after the previous event, the next event'],
  ['o', 'state after the next failed request'],
];

const EVENTS: Keys = [
  ['↑ ↓', 'previous row, next row, while the list has focus'],
  ['PgUp PgDn', 'a page up, a page down'],
  ['Home End', 'first event, last event'],
  ['o', 'go to the next failed request'],
  ['p', 'go to the peak'],
  ['click', 'select an event'],
];

const LAB: Keys = [
  [', .', 'one step back, one step forward'],
  ['Home End', 'to the start, to the end'],
  ['p', 'play, pause'],
  ['1 2 3 4', 'allocate 1, 4, 16, 64 MiB'],
  ['r', 'free a block at random'],
  ['e', 'empty the cache'],
  ['← →', 'previous block, next block, while one has focus'],
  ['Enter', 'free or select the block in focus'],
];

const FLAME: Keys = [
  ['← → ↑ ↓', 'bar beside, above, below, while the graph has focus'],
  ['Enter', 'zoom to the bar in focus'],
  ['f', 'all stacks'],
  ['click', 'zoom to a bar; on the uppermost, back by one'],
];

/** `?` or the help button opens a dialog with the keyboard shortcuts of the page; `/` moves focus to its filter. */
export function mountHelp(): void {
  const dialog = buildDialog();
  document.body.append(dialog);
  const open = () => {
    if (!dialog.open) dialog.showModal();
  };
  for (const button of document.querySelectorAll('[data-help]')) button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (isInputOrShortcut(event)) return;
    if (event.key === '?') open();
    else if (event.key === '/') {
      const filter = document.querySelector<HTMLElement>('[data-filter]');
      if (filter === null) return;
      filter.focus();
      event.preventDefault();
    }
  });
}

function buildDialog(): HTMLDialogElement {
  const has = (selector: string) => document.querySelector(selector) !== null;
  const close = element('button', { type: 'button', class: 'plain', 'aria-label': 'Close' }, '✕');
  const dialog = element(
    'dialog',
    { class: 'help', 'aria-label': 'Keyboard and mouse' },
    element('div', { class: 'help-head' }, element('h2', {}, 'Keyboard and mouse'), close),
    keyList('All pages', ALL_PAGES),
    has('[data-active-timeline]') ? keyList('Timeline', TIMELINE) : null,
    has('[data-event-list]') ? keyList('Events', EVENTS) : null,
    has('[data-lab="exercise"]') ? keyList('Lab', LAB) : null,
    has('[data-flame-graph]') ? keyList('Flame graph', FLAME) : null,
    has('[data-memory-map]') ? keyList('Memory map', [...MAP, ...MOMENTS]) : null,
    has('[data-segment-timeline]') ? keyList('Segments over time', SEGMENT_TIMELINE) : null,
    has('[data-live-allocator]') ? keyList('Live allocator', [...MAP, ['Space', 'freeze or resume']]) : null,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close(); // the backdrop
  });
  return dialog;
}

function keyList(title: string, keys: Keys): HTMLElement {
  const rows = keys.flatMap(([shortcut, action]) => {
    const caps = /^[a-z]( [a-z])*$|^[?/]$|^(Esc|Enter|PgUp PgDn|Home End)$|^[,.] [,.]$|^[←↑↓→ ]+$/.test(shortcut);
    const parts = caps ? shortcut.split(' ').map((key) => element('kbd', {}, key)) : [shortcut];
    return [element('dt', {}, ...parts), element('dd', {}, action)];
  });
  return element('section', {}, element('h3', {}, title), element('dl', { class: 'key-list' }, ...rows));
}
