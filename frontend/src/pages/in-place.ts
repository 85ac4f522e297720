import { documentOf, fetchHtml } from './html';

/** Period of refreshes of the server-rendered part of the page. */
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
 * `data-refresh="/path"`: periodically replaces the element's content with HTML from that path while the page is
 * visible. The server escapes the markup; scripts in it would not run.
 */
export function mountRefresh(container: HTMLElement): void {
  let isBusy = false;
  const refresh = async () => {
    // A slow server has one request of this page at a time.
    if (isBusy || document.hidden || container.contains(document.activeElement)) return;
    isBusy = true;
    try {
      const response = await fetchHtml(container.dataset['refresh'] ?? '');
      if (isGone(response)) announceEnd((await problemOf(response)) ?? '');
      if (!response.ok) return; // The live view shows the problem.
      const fresh = (await documentOf(response)).body;
      keepOpen(container, fresh);
      if (fresh.innerHTML !== container.innerHTML) container.replaceChildren(...fresh.childNodes);
    } catch {
      // The server is unreachable; the live view shows that and retries.
    } finally {
      isBusy = false;
    }
  };
  const startRefresh = () => void refresh();
  container.addEventListener('refresh', startRefresh);
  const timer = window.setInterval(startRefresh, PERIOD_MILLIS);
  document.addEventListener(ENDED, () => {
    window.clearInterval(timer);
    container.removeEventListener('refresh', startRefresh);
    // The last content stays visible, but nothing in it is running any more.
    for (const state of container.querySelectorAll('.run-state.running')) {
      state.classList.remove('running');
      state.textContent = 'was running';
    }
  });
}

/** Keeps `details` elements open that the user opened. */
function keepOpen(container: HTMLElement, fresh: HTMLElement): void {
  for (const { id } of container.querySelectorAll<HTMLDetailsElement>('details[open][id]')) {
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '');
  }
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

/** Disables all forms on the page that act on an allocator. */
function disableForms(): void {
  for (const each of document.querySelectorAll<HTMLButtonElement>('form[action^="/live/"] button')) {
    each.disabled = true;
  }
}

async function send(form: HTMLFormElement, submitter: HTMLButtonElement | null): Promise<void> {
  if (submitter !== null) submitter.disabled = true;
  let closedReason: string | null = null;
  try {
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const response = await fetchHtml(form.getAttribute('action') ?? '', { method: 'POST', body });
    const problem = await problemOf(response);
    showProblem(problem);
    closedReason = isGone(response) && problem !== null ? problem : null;
  } catch {
    showProblem('The server did not respond. Check that it is running, then try again.');
  } finally {
    if (submitter !== null) submitter.disabled = false;
    (document.activeElement as HTMLElement | null)?.blur();
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

function showProblem(problem: string | null): void {
  const container = document.querySelector<HTMLElement>('[data-form-problem]');
  if (container === null) return;
  container.hidden = problem === null;
  container.textContent = problem ?? '';
}
