import { documentOf, fetchHtml } from '../display/html';
import { updateUnlessPressed } from '../display/press';
import { updateContent } from '../display/update-content';

/** The parts of the page that replays complete. */
const COMPLETED = ['explanation', 'remedies', 'smaller-devices'];

/**
 * `data-replays`: paragraphs with a link to the same page, with the replays of a long recording. Loads it, and completes
 * this page while it can be read.
 */
export async function mountReplays(): Promise<void> {
  const paragraphs = [...document.querySelectorAll<HTMLElement>('[data-replays]')];
  const url = paragraphs[0]?.querySelector('a')?.href;
  if (url === undefined) return;
  const before = paragraphs.map((paragraph) => [...paragraph.childNodes]);
  for (const paragraph of paragraphs) {
    paragraph.setAttribute('role', 'status');
    paragraph.textContent = 'Replaying the recording…';
  }
  try {
    const response = await fetchHtml(url);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const page = await documentOf(response);
    for (const id of COMPLETED) {
      const [shown, fresh] = [document.getElementById(id), page.getElementById(id)];
      if (shown === null || fresh === null) continue;
      updateUnlessPressed(shown, () => {
        shown.className = fresh.className;
        updateContent(shown, fresh);
      });
    }
  } catch {
    // The links still work.
    for (const [index, paragraph] of paragraphs.entries()) paragraph.replaceChildren(...(before[index] ?? []));
  }
}
