/** Lets a click on a column's head sort a small table. A cell's `data-value` wins over its text. */
export function mountSortableTable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  if (body === undefined) return;
  for (const [column, head] of heads.entries()) {
    if (head.textContent.trim() === '' || head.hasAttribute('data-unsortable')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    for (const link of head.querySelectorAll('a.term')) {
      // A link must not be inside a button: the definition stays, the link goes.
      const term = document.createElement('span');
      term.className = 'term';
      term.title = (link as HTMLElement).title;
      term.append(...link.childNodes);
      link.replaceWith(term);
    }
    button.append(...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const numeric = [...body.rows].some((row) => typeof valueOf(row, column) === 'number');
      const was = head.getAttribute('aria-sort');
      // Numbers are most interesting from the top, words from A.
      const down = was === null ? numeric : was === 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...body.rows].map((row) => ({ row, value: valueOf(row, column) }));
      rows.sort((one, other) => compare(one.value, other.value) * (down ? -1 : 1));
      body.append(...rows.map(({ row }) => row));
    });
  }
}

type Value = number | string | null;

function valueOf(row: HTMLTableRowElement, column: number): Value {
  const cell = row.cells[column];
  const text = cell?.dataset['value'] ?? cell?.querySelector('data')?.value ?? cell?.textContent.trim() ?? '';
  if (text === '') return null;
  const number = Number(text.replace(/,/g, ''));
  return Number.isNaN(number) ? text : number;
}

/** Numbers before words, the unknown last of all. */
function compare(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return one.localeCompare(other);
  const rank = (value: Value) => (value === null ? -1 : typeof value === 'string' ? 0 : 1);
  return rank(one) - rank(other);
}
