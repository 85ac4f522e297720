import { Polling } from '../../base/polling';
import { documentOf, fetchHtml } from '../display/html';
import { updateUnlessPressed } from '../display/press';
import { updateContent } from '../display/update-content';

/** Time between two refreshes of the server-rendered part of the page. */
const PERIOD_MILLIS = 1500;

/** Event on the document: the page's allocator was closed or its feed ended. `detail` is the reason. */
const ENDED = 'live-ended';

/** Dispatches ENDED with a reason. */
export function announceEnd(reason: string): void {
  document.dispatchEvent(new CustomEvent(ENDED, { detail: reason }));
}

/** Whether the allocator does not exist (404) or was closed (410). */
function isGone(response: Response): boolean {
  return response.status === 404 || response.status === 410;
}

/**
 * `data-refresh="/path"`: periodically updates the element's content to HTML from that path while the page is visible, and
 * at once on the event `refresh`. The server escapes the markup; scripts in it would not run.
 */
export function mountRefresh(container: HTMLElement): void {
  const polling: Polling = new Polling(async () => {
    if (document.hidden) return PERIOD_MILLIS;
    try {
      const response = await fetchHtml(container.dataset['refresh'] ?? '');
      if (isGone(response)) announceEnd((await problemOf(response)) ?? '');
      // Of another response, the live view shows the problem.
      const fresh = response.ok ? (await documentOf(response)).body : null;
      if (fresh === null) return PERIOD_MILLIS;
      updateUnlessPressed(container, () => {
        if (!polling.isEnded) updateContent(container, fresh);
      });
    } catch {
      // The server is unreachable; the live view shows that and retries.
    }
    return PERIOD_MILLIS;
  });
  container.addEventListener('refresh', () => polling.now());
  document.addEventListener(ENDED, () => {
    polling.end();
    // The last content stays visible, but nothing in it is running any more.
    for (const state of container.querySelectorAll('.run-state.running')) {
      state.classList.remove('running');
      state.textContent = 'was running';
    }
  });
  polling.start(PERIOD_MILLIS);
}

/**
 * `form[data-in-place]`: submitted without leaving the page, so that the live view continues. The listener is on the
 * document, so that it covers forms added later.
 */
export function mountInPlaceForms(): void {
  let hasEnded = false;
  document.addEventListener(ENDED, (event) => {
    if (hasEnded) return;
    hasEnded = true;
    disableForms();
    showProblem((event as CustomEvent<string>).detail);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.hasAttribute('data-in-place') || event.defaultPrevented) return;
    event.preventDefault();
    void send(form, event.submitter as HTMLButtonElement | null);
  });
}

/** Forms that wait for a response. */
const sending = new WeakSet<HTMLFormElement>();

/** Disables all forms on the page that act on an allocator. */
function disableForms(): void {
  for (const each of document.querySelectorAll<HTMLButtonElement>('form[action^="/live/"] button')) {
    each.disabled = true;
  }
}

async function send(form: HTMLFormElement, submitter: HTMLButtonElement | null): Promise<void> {
  if (sending.has(form)) return;
  sending.add(form);
  // A disabled button would lose the focus.
  submitter?.setAttribute('aria-disabled', 'true');
  // A later response of another form does not remove the problem of this one.
  showProblem(null);
  let closedReason: string | null = null;
  try {
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const response = await fetchHtml(form.getAttribute('action') ?? '', { method: 'POST', body });
    const problem = await problemOf(response);
    if (problem !== null) showProblem(problem);
    closedReason = isGone(response) ? problem : null;
  } catch {
    showProblem('The server did not respond. Check that it is running, then try again.');
  } finally {
    sending.delete(form);
    submitter?.removeAttribute('aria-disabled');
    if (closedReason === null) document.querySelector('[data-refresh]')?.dispatchEvent(new Event('refresh'));
    else announceEnd(closedReason);
  }
}

/**
 * The problem text of a response, taken from the error page in its body, or null. Omits the error page's advice, which
 * addresses API clients; points to the list of hosted allocators instead.
 */
async function problemOf(response: Response): Promise<string | null> {
  if (response.ok) return null;
  const page = await documentOf(response);
  const textOf = (selector: string) => page.querySelector(selector)?.textContent.trim().replace(/\s+/g, ' ') ?? '';
  const formProblem = textOf('[data-form-problem]:not([hidden])');
  if (formProblem !== '') return formProblem;
  const [title, detail] = [textOf('.problem h1'), textOf('.problem h1 + p')];
  if (title === '') return `The server responded with status ${response.status}.`;
  const problem = `${title}: ${detail}`.replace(/\.$/, '');
  return isGone(response) ? `${problem}. See Live for the hosted allocators.` : `${problem}.`;
}

/** Shows a problem; null removes it. */
function showProblem(problem: string | null): void {
  const container = document.querySelector<HTMLElement>('[data-form-problem]');
  if (container === null) return;
  container.hidden = problem === null;
  container.textContent = problem ?? '';
}
