import { bytesText } from '../../base/bytes';
import { sideName, type LabMoment, type LabNumbers, type LabSide } from '../../model/lab/lab';
import { element, fill } from '../display/element';
import { term } from '../display/terms';

interface Row {
  readonly id: string;
  readonly label: () => Node;
  readonly value: (numbers: LabNumbers) => number;
  readonly text: (value: number) => string;
  /** Whether the difference of two sides is worth a column. */
  readonly isCompared: boolean;
}

const count = (value: number) => value.toLocaleString('en-US');
const share = (value: number) => `${(100 * value).toFixed(1)} %`;

const ROWS: readonly Row[] = [
  row(
    'allocatedBytes',
    () => term('allocated', 'Allocated'),
    (n) => n.allocatedBytes,
    bytesText,
  ),
  row(
    'activeBytes',
    () => term('active', 'Active'),
    (n) => n.activeBytes,
    bytesText,
  ),
  row(
    'reservedBytes',
    () => term('reserved', 'Reserved'),
    (n) => n.reservedBytes,
    bytesText,
    true,
  ),
  row(
    'freeBytes',
    () => text('Free in the cache'),
    (n) => n.freeBytes,
    bytesText,
    true,
  ),
  row(
    'largestFreeBytes',
    () => text('Largest free block'),
    (n) => n.largestFreeBytes,
    bytesText,
  ),
  row(
    'fragmentation',
    () => term('fragmentation', 'Fragmentation'),
    (n) => n.fragmentation,
    share,
  ),
  row(
    'peakAllocatedBytes',
    () => text('Peak allocated'),
    (n) => n.peakAllocatedBytes,
    bytesText,
  ),
  row(
    'peakReservedBytes',
    () => text('Peak reserved'),
    (n) => n.peakReservedBytes,
    bytesText,
    true,
  ),
  row(
    'deviceFreeBytes',
    () => text('Free on the device'),
    (n) => n.deviceFreeBytes,
    bytesText,
  ),
  row(
    'driverCalls',
    () => text('Calls of the driver'),
    (n) => n.driverCalls,
    count,
    true,
  ),
  row(
    'retries',
    () => term('retry', 'Retries'),
    (n) => n.retries,
    count,
  ),
  row(
    'outOfMemoryCount',
    () => text('Failed requests'),
    (n) => n.outOfMemoryCount,
    count,
  ),
];

function row(
  id: string,
  label: () => Node,
  value: (numbers: LabNumbers) => number,
  toText: (value: number) => string,
  isCompared = false,
): Row {
  return { id, label, value, text: toText, isCompared };
}

function text(content: string): Node {
  return document.createTextNode(content);
}

/** The numbers of all sides as a table; with two sides, what the second saves. */
export class LabNumbersTable {
  readonly root = element('table', { class: 'lab-numbers' });
  private readonly cells: HTMLElement[][] = [];
  private readonly savings: (HTMLElement | null)[] = [];

  /** What the second of two sides saves is shown if both have the same allocator. */
  static of(sides: readonly LabSide[]): LabNumbersTable {
    return new LabNumbersTable(sides.map(sideName), sides[0]?.allocator === sides[1]?.allocator);
  }

  /** `isCompared`: whether what the second side saves is shown. */
  constructor(names: readonly string[], isCompared: boolean) {
    const isTwo = names.length === 2 && isCompared;
    const head = element('tr', {}, element('th', { scope: 'col' }, 'After this step'));
    for (const name of names) head.append(element('th', { scope: 'col', class: 'n' }, name));
    if (isTwo) head.append(element('th', { scope: 'col', class: 'n' }, 'Saved'));
    const body = element('tbody');
    for (const each of ROWS) {
      const line = element('tr', { 'data-row': each.id }, element('th', { scope: 'row' }, each.label()));
      const cells = names.map(() => element('td', { class: 'n' }));
      line.append(...cells);
      this.cells.push(cells);
      const saved = isTwo ? element('td', { class: 'n' }) : null;
      if (saved !== null) line.append(saved);
      this.savings.push(each.isCompared ? saved : null);
      body.append(line);
    }
    fill(this.root, element('thead', {}, head), body);
  }

  show(moments: readonly LabMoment[]): void {
    ROWS.forEach((each, index) => {
      const values = moments.map((moment) => each.value(moment.step.totals));
      values.forEach((value, side) => {
        const cell = this.cells[index]?.[side];
        if (cell === undefined) return;
        cell.textContent = each.text(value);
        cell.dataset['value'] = String(value);
      });
      const saved = this.savings[index];
      const [first, second] = values;
      if (saved === null || saved === undefined || first === undefined || second === undefined) return;
      saved.textContent = first === second ? '' : `${first > second ? '' : '−'}${each.text(Math.abs(first - second))}`;
    });
  }
}
