import { documentOf, fetchHtml } from './html';

/** The parts of the page that replays complete. */
const COMPLETED = ['explanation', 'remedies', 'smaller-devices'];

/**
 * `data-replays`: a paragraph with a link to the same page, with the replays of a long recording. Loads them in place,
 * while the rest of the page can be read.
 */
export async function mountReplays(paragraph: HTMLElement): Promise<void> {
  const url = paragraph.querySelector('a')?.href;
  if (url === undefined) return;
  const before = [...paragraph.childNodes];
  paragraph.setAttribute('role', 'status');
  paragraph.textContent = 'Replaying the recording…';
  try {
    const response = await fetchHtml(url);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const page = await documentOf(response);
    for (const id of COMPLETED) {
      const fresh = page.getElementById(id);
      if (fresh !== null) document.getElementById(id)?.replaceWith(fresh);
    }
  } catch {
    paragraph.replaceChildren(...before); // The link still works.
  }
}
