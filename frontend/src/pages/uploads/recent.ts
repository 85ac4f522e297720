import { LatestRequest } from '../../base/latest-request';
import { documentOf, fetchHtml } from '../display/html';
import { mountSortableTable } from '../display/sortable';

const requests = new LatestRequest<null, Document | null>(
  async (_query, signal) => {
    const response = await fetchHtml('/', { signal });
    return response.ok ? documentOf(response) : null;
  },
  (_query, page) => show(page?.querySelector('[data-recent]')),
  () => undefined, // The server is unreachable; the upload reports that.
  () => false,
);

/** Replaces the list of recent snapshots on the dashboard by the current one. */
export function refreshRecent(): void {
  if (document.querySelector('[data-recent]') !== null) requests.request(null);
}

/** Without a new list, the one before stays; its links still work. */
function show(fresh: Element | null | undefined): void {
  const container = document.querySelector('[data-recent]');
  if (container === null || !fresh) return;
  container.replaceChildren(...fresh.childNodes);
  for (const table of container.querySelectorAll<HTMLTableElement>('table[data-sortable]')) mountSortableTable(table);
}
