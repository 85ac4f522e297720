import { element } from './element';
import { isForField } from './keys';

type Keys = readonly (readonly [keys: string, does: string])[];

const EVERYWHERE: Keys = [
  ['?', 'this help'],
  ['/', 'go to the filter'],
  ['Esc', 'close, or unpin what is pinned'],
];
const TIMELINE: Keys = [
  ['w s', 'zoom in, zoom out'],
  ['a d', 'move left, move right'],
  ['← ↑ ↓ →', 'the same, while the picture has the focus'],
  ['f', 'fit: the whole trace (or double click)'],
  ['p', 'go to the peak'],
  ['o', 'go to the next failed request'],
  ['y', 'bytes axis from zero, or only what occurs here'],
  ['scroll', 'zoom about the pointer'],
  ['drag', 'move'],
  ['Shift drag', 'zoom into a range'],
  ['click', 'pin an allocation'],
];
const MAP: Keys = [
  ['w s', 'zoom in, zoom out'],
  ['a d', 'scroll up, scroll down'],
  ['← ↑ ↓ →', 'previous block, up, down, next block, while the picture has the focus'],
  ['f', 'fit: everything in sight (or double click)'],
  ['scroll', 'zoom about the pointer'],
  ['Shift scroll', 'scroll (or drag)'],
  ['click', 'pin a block'],
];

/** `?` or the help button opens the keys of this page; `/` goes to its filter. */
export function mountHelp(): void {
  const dialog = buildDialog();
  document.body.append(dialog);
  const open = () => {
    if (!dialog.open) dialog.showModal();
  };
  for (const button of document.querySelectorAll('[data-help]')) button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (isForField(event)) return;
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
    { class: 'help', 'aria-label': 'Keys' },
    element('div', { class: 'help-head' }, element('h2', {}, 'Keys'), close),
    keyList('Everywhere', EVERYWHERE),
    has('[data-active-timeline]') ? keyList('Timeline', TIMELINE) : null,
    has('[data-memory-map]') ? keyList('Memory map', MAP) : null,
    has('[data-live-allocator]') ? keyList('Live picture', [...MAP, ['Space', 'freeze, go on']]) : null,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close(); // the backdrop
  });
  return dialog;
}

function keyList(title: string, keys: Keys): HTMLElement {
  const rows = keys.flatMap(([pressed, does]) => {
    const caps = /^[a-z]( [a-z])*$|^[?/]$|^Esc$|^[←↑↓→ ]+$/.test(pressed);
    const parts = caps ? pressed.split(' ').map((key) => element('kbd', {}, key)) : [pressed];
    return [element('dt', {}, ...parts), element('dd', {}, does)];
  });
  return element('section', {}, element('h3', {}, title), element('dl', { class: 'key-list' }, ...rows));
}
