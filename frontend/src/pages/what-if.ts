import { documentOf, fetchHtml } from './html';

/** Time between two requests for the rows of running replays. */
const PERIOD_MILLIS = 500;

/** Time before the next request if the server did not respond. */
const RETRY_MILLIS = 3000;

/**
 * `data-what-if="/path"`: fetches the server-rendered rows while replays run, and shows them in place. Empty if none
 * runs. Focus stays on the button that has it: it is there again at the same place.
 */
export function mountWhatIf(container: HTMLElement): void {
  const path = container.dataset['whatIf'] ?? '';
  if (path === '') return;
  const update = async () => {
    let wait = PERIOD_MILLIS;
    try {
      const response = await fetchHtml(path);
      if (!response.ok) return; // The snapshot was deleted, or the server has another problem: the last rows stay.
      const fresh = (await documentOf(response)).querySelector('.whatif');
      if (fresh !== null) show(container, fresh);
    } catch {
      wait = RETRY_MILLIS;
    }
    if (container.querySelector('[data-running]') !== null) window.setTimeout(() => void update(), wait);
  };
  window.setTimeout(() => void update(), PERIOD_MILLIS);
}

/** Replaces the rows. */
function show(container: HTMLElement, fresh: Element): void {
  const isCancelFocused = container.querySelector('form button')?.matches(':focus') ?? false;
  container.replaceChildren(fresh);
  if (isCancelFocused) container.querySelector<HTMLElement>('form button')?.focus();
}
