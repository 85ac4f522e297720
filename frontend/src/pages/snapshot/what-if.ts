import { Polling } from '../../base/polling';
import { documentOf, fetchHtml } from '../display/html';
import { updateUnlessPressed } from '../display/press';
import { updateContent } from '../display/update-content';

/** Time between two requests for the rows of running replays. */
const PERIOD_MILLIS = 500;

/** Time before the next request if the server did not respond. */
const RETRY_MILLIS = 3000;

/** `data-what-if="/path"`: fetches the server-rendered rows while replays run, and shows them. Empty if none runs. */
export function mountWhatIf(container: HTMLElement): void {
  const path = container.dataset['whatIf'] ?? '';
  if (path === '') return;
  const polling = new Polling(async () => {
    try {
      const response = await fetchHtml(path);
      if (!response.ok) return null; // The snapshot was deleted, or the server has another problem: the last rows stay.
      const fresh = (await documentOf(response)).querySelector('.whatif')?.parentElement;
      if (fresh) updateUnlessPressed(container, () => updateContent(container, fresh));
    } catch {
      return RETRY_MILLIS;
    }
    return container.querySelector('[data-running]') === null ? null : PERIOD_MILLIS;
  });
  polling.start(PERIOD_MILLIS);
}
