import { bytesText } from '../../base/bytes';
import { countText, poolText, streamText } from '../../base/numbers';
import { relativeTimeText } from '../../base/time';
import { locationText } from '../../model/frames';
import { element, fill } from '../display/element';
import type { EventRow } from '../snapshot/event-list-client';

export const ROW_HEIGHT = 26;

const HEADINGS: readonly (readonly [name: string, label: string])[] = [
  ['event', 'Event'],
  ['time', 'Time'],
  ['what', 'What'],
  ['address', 'Address'],
  ['place', 'Stream, pool'],
  ['site', 'Site'],
  ['active', 'Active after it'],
];

/** The visible rows of the event list: a table that moves with the scrolled view and is filled with other rows. */
export class EventTable {
  readonly root = element('div', {
    class: 'event-table',
    role: 'grid',
    tabindex: '0',
    'aria-label': 'Events, oldest first',
  });
  readonly head = element(
    'div',
    { class: 'event-row event-head', role: 'row' },
    ...HEADINGS.map(([name, label]) => element('span', { class: `event-${name}`, role: 'columnheader' }, label)),
  );
  private readonly spacer = element('div', { class: 'event-spacer', role: 'presentation' });
  private readonly body = element('div', { class: 'event-body', role: 'rowgroup' });
  private readonly rows: HTMLElement[] = [];

  constructor() {
    this.root.append(this.head, this.spacer, this.body);
  }

  /** Sets the height of the whole list, which the scroll bar covers. */
  setHeight(pixels: number): void {
    this.spacer.style.height = `${pixels}px`;
  }

  /**
   * Shows the rows from `firstRow` on; `row` returns those that are loaded. `top` is the scroll position. Returns the
   * shown rows: [from, to). `marked` are events of the selected allocation.
   */
  show(
    firstRow: number,
    top: number,
    count: number,
    row: (index: number) => EventRow | null,
    selected: number | null,
    marked: ReadonlySet<number>,
  ): { from: number; to: number } {
    const from = Math.floor(firstRow);
    const to = Math.min(count, from + Math.ceil(this.viewHeight / ROW_HEIGHT) + 1);
    this.root.setAttribute('aria-rowcount', String(count + 1));
    while (this.rows.length < to - from) {
      const added = element('div', { class: 'event-row', role: 'row' });
      this.rows.push(added);
      this.body.append(added);
    }
    while (this.rows.length > to - from) this.rows.pop()?.remove();
    for (const [place, line] of this.rows.entries()) {
      const index = from + place;
      const event = row(index);
      const isSelected = event !== null && event.event === selected;
      line.id = `event-row-${index}`;
      line.dataset['index'] = String(index);
      line.setAttribute('aria-rowindex', String(index + 2));
      line.setAttribute('aria-selected', String(isSelected));
      line.classList.toggle('is-marked', event !== null && marked.has(event.event));
      if (isSelected) this.root.setAttribute('aria-activedescendant', line.id);
      const key = event === null ? '' : String(event.event);
      if (line.dataset['event'] === key) continue;
      line.dataset['event'] = key;
      line.dataset['action'] = event?.action ?? '';
      fill(line, ...(event === null ? [element('span', { class: 'muted' }, '…')] : cells(event)));
    }
    this.body.style.transform = `translateY(${Math.round(top + ROW_HEIGHT - (firstRow - from) * ROW_HEIGHT)}px)`;
    return { from, to };
  }

  /** The height in which rows are visible, in pixels. */
  get viewHeight(): number {
    return Math.max(ROW_HEIGHT, this.root.clientHeight - ROW_HEIGHT);
  }
}

function cells(row: EventRow): HTMLElement[] {
  const { site } = row;
  const place = [streamText(row.stream), ...(row.pool === undefined ? [] : [poolText(row.pool)])].join(', ');
  const name = site === undefined ? 'no stack recorded' : site.name;
  const location = site === undefined ? '' : locationText(site);
  return [
    cell('event', countText(row.event)),
    cell('time', row.timeMicros === undefined ? '' : relativeTimeText(row.timeMicros)),
    cell('what', row.text),
    cell('address', row.address ?? ''),
    cell('place', place),
    element(
      'span',
      { class: `event-site${site === undefined ? ' muted' : ''}`, role: 'gridcell', title: site?.file ?? null },
      name,
      location === '' ? null : element('span', { class: 'muted' }, ` ${location}`),
    ),
    cell('active', bytesText(row.activeBytes)),
  ];
}

function cell(name: string, text: string): HTMLElement {
  return element('span', { class: `event-${name}`, role: 'gridcell', title: name === 'what' ? text : null }, text);
}
