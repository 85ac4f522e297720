/** Makes a small table sortable by clicks on its column headers. A cell's `data-value` takes precedence over its text. */
export function mountSortableTable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const headers = [...(table.tHead?.rows[0]?.cells ?? [])];
  if (body === undefined) return;
  for (const [column, header] of headers.entries()) {
    if (header.textContent.trim() === '' || header.hasAttribute('data-unsortable')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    for (const link of header.querySelectorAll('a.term')) {
      // A link must not be inside a button: replace it by a span that keeps the definition.
      const term = document.createElement('span');
      term.className = 'term';
      term.title = (link as HTMLElement).title;
      term.append(...link.childNodes);
      link.replaceWith(term);
    }
    // One child: a button is a flex container, which puts a gap between children.
    const label = document.createElement('span');
    label.append(...header.childNodes);
    button.append(label);
    header.replaceChildren(button);
    button.addEventListener('click', () => {
      const isNumeric = [...body.rows].some((row) => typeof cellValue(row, column) === 'number');
      const previous = header.getAttribute('aria-sort');
      // The first click sorts numbers in descending order and text in ascending order.
      const isDescending = previous === null ? isNumeric : previous === 'ascending';
      for (const other of headers) other.removeAttribute('aria-sort');
      header.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
      const rows = [...body.rows].map((row) => ({ row, value: cellValue(row, column) }));
      rows.sort((one, other) => compare(one.value, other.value) * (isDescending ? -1 : 1));
      body.append(...rows.map(({ row }) => row));
    });
  }
}

type Value = number | string | null;

function cellValue(row: HTMLTableRowElement, column: number): Value {
  const cell = row.cells[column];
  const text = cell?.dataset['value'] ?? cell?.querySelector('data')?.value ?? cell?.textContent.trim() ?? '';
  if (text === '') return null;
  const number = Number(text.replace(/,/g, ''));
  return Number.isNaN(number) ? text : number;
}

/** Ascending order: empty cells, then text, then numbers. */
function compare(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string')
    return one.localeCompare(other, undefined, { numeric: true });
  const rank = (value: Value) => (value === null ? -1 : typeof value === 'string' ? 0 : 1);
  return rank(one) - rank(other);
}
