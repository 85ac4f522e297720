import { itemAt } from '../../base/at';
import { bytesText, exactBytesText } from '../../base/bytes';
import { shareTexts } from '../../base/numbers';
import type { LiveView } from '../../model/live/live-view';
import { element } from '../display/element';

/** The ledger on the page, which the server renders with a row for each item. */
export class LiveLedger {
  private readonly rows: readonly HTMLElement[];
  private readonly bars: readonly SVGElement[];
  private readonly parts: readonly HTMLElement[];
  private readonly reserved: Element | null;

  constructor(root: ParentNode) {
    this.rows = [...root.querySelectorAll<HTMLElement>('[data-live-ledger] [data-row]')];
    this.bars = [...root.querySelectorAll<SVGElement>('[data-live-ledger] [data-bar]')];
    this.parts = [...root.querySelectorAll<HTMLElement>('[data-live-ledger] [data-outside]')];
    this.reserved = root.querySelector('[data-live-ledger] [data-reserved]');
  }

  update({ ledger, outside, levels, deviceTotal }: LiveView): void {
    const shared = this.rows.filter((row) => row.querySelector('[data-share]') !== null);
    const shares = shareTexts(
      shared.map((row) => ledger.get(row.dataset['row'] ?? '') ?? 0),
      levels.reserved,
    );
    for (const row of this.rows) {
      const bytes = ledger.get(row.dataset['row'] ?? '') ?? 0;
      // A row that was shown stays: hiding it would move everything below, also what is about to be clicked.
      if (bytes !== 0) row.hidden = false;
      setBytes(row.querySelector('[data-bytes]'), bytes);
      const share = row.querySelector('[data-share]');
      if (share !== null) share.textContent = itemAt(shares, shared.indexOf(row));
    }
    setBytes(this.reserved, levels.reserved);
    for (const part of this.parts) {
      const bytes = outside.get(part.dataset['outside'] ?? '');
      if (bytes !== undefined && !Number.isNaN(bytes)) setBytes(part, bytes);
    }
    this.updateBar(ledger, deviceTotal);
  }

  private updateBar(ledger: ReadonlyMap<string, number>, total: number): void {
    const percent = (bytes: number) => `${((100 * bytes) / Math.max(1, total)).toFixed(3)}%`;
    const starts = new Map<string, number>();
    let start = 0;
    for (const bar of this.bars) {
      const item = bar.dataset['bar'] ?? '';
      const bytes = ledger.get(item) ?? 0;
      const known = Number.isNaN(bytes) ? 0 : bytes;
      // The pattern over a bar has the same item.
      if (!starts.has(item)) {
        starts.set(item, start);
        start += known;
      }
      bar.setAttribute('x', percent(starts.get(item) ?? 0));
      bar.setAttribute('width', percent(known));
    }
  }
}

function setBytes(container: Element | null, bytes: number): void {
  if (container === null || container.getAttribute('data-value') === String(bytes)) return;
  container.setAttribute('data-value', String(bytes));
  container.replaceChildren(
    Number.isNaN(bytes)
      ? element('span', { class: 'unknown' }, 'unknown')
      : element('data', { value: String(bytes), title: exactBytesText(bytes) }, bytesText(bytes)),
  );
}
