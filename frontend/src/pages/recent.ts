import { documentOf, fetchHtml } from './html';
import { mountSortableTable } from './sortable';

/** Replaces the list of recent snapshots on the dashboard by the current one. */
export async function refreshRecent(): Promise<void> {
  const container = document.querySelector('[data-recent]');
  if (container === null) return;
  try {
    const response = await fetchHtml('/');
    if (!response.ok) return; // The list stays as it was; its links still work.
    const page = await documentOf(response);
    container.replaceChildren(...(page.querySelector('[data-recent]')?.childNodes ?? []));
    for (const table of container.querySelectorAll<HTMLTableElement>('table[data-sortable]')) mountSortableTable(table);
  } catch {
    // The server is unreachable; the upload reports that.
  }
}
