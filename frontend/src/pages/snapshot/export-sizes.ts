import { documentOf, fetchHtml } from '../display/html';
import { updateUnlessPressed } from '../display/press';
import { updateContent } from '../display/update-content';

/** `data-export-sizes="/path"`: fetches the list of exports again, now with their sizes, and shows it. */
export async function mountExportSizes(list: HTMLElement): Promise<void> {
  try {
    const response = await fetchHtml(list.dataset['exportSizes'] ?? '');
    const fresh = response.ok ? (await documentOf(response)).querySelector('dl') : null;
    if (fresh !== null) updateUnlessPressed(list, () => updateContent(list, fresh));
  } catch {
    // The links work without sizes.
  }
}
