/** Where the part of the page is that the server renders anew, again and again. */
const PERIOD_MILLIS = 1500;

/** On the document: the page's allocator is no more, or is not told about any more. `detail` says why. */
const ENDED = 'live-ended';

/** Says that nothing more will come, and why. */
export function announceEnd(reason: string): void {
  document.dispatchEvent(new CustomEvent(ENDED, { detail: reason }));
}

/** Whether an answer says that there is no such allocator, never was or not any more. */
function isGone(response: Response): boolean {
  return response.status === 404 || response.status === 410;
}

/**
 * `data-refresh="/path"`: what is inside is fetched from there and put in its place while somebody looks. What the
 * server renders is markup already escaped; scripts in it would not run.
 */
export function mountRefresh(place: HTMLElement): void {
  const refresh = async () => {
    if (document.hidden || place.contains(document.activeElement)) return;
    try {
      const response = await fetch(place.dataset['refresh'] ?? '', { headers: { Accept: 'text/html' } });
      if (isGone(response)) announceEnd((await problemOf(response)) ?? '');
      if (!response.ok) return; // The live view says what is wrong.
      const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').body;
      keepOpen(place, fresh);
      if (fresh.innerHTML !== place.innerHTML) place.replaceChildren(...fresh.childNodes);
    } catch {
      // The server is gone; the live view says so and tries again.
    }
  };
  const begun = () => void refresh();
  place.addEventListener('refresh', begun);
  const timer = window.setInterval(begun, PERIOD_MILLIS);
  document.addEventListener(ENDED, () => {
    window.clearInterval(timer);
    place.removeEventListener('refresh', begun);
    // What was last seen stays, but does not claim to be so still.
    for (const state of place.querySelectorAll('.run-state.running')) {
      state.classList.remove('running');
      state.textContent = 'was running';
    }
  });
}

/** What somebody unfolded stays so. */
function keepOpen(place: HTMLElement, fresh: HTMLElement): void {
  for (const { id } of place.querySelectorAll<HTMLDetailsElement>('details[open][id]')) {
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '');
  }
}

/**
 * `form[data-in-place]`: sent without leaving the page, so that the picture goes on. One listener for all, also for
 * those that come later.
 */
export function mountInPlaceForms(): void {
  let over = false;
  document.addEventListener(ENDED, (event) => {
    if (over) return;
    over = true;
    disableForms();
    say((event as CustomEvent<string>).detail);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.hasAttribute('data-in-place') || event.defaultPrevented) return;
    event.preventDefault();
    void send(form, event.submitter as HTMLButtonElement | null);
  });
}

/** All that acts on one allocator, wherever it is on the page. */
function disableForms(): void {
  for (const each of document.querySelectorAll<HTMLButtonElement>('form[action^="/live/"] button')) {
    each.disabled = true;
  }
}

async function send(form: HTMLFormElement, submitter: HTMLButtonElement | null): Promise<void> {
  if (submitter !== null) submitter.disabled = true;
  let gone: string | null = null;
  try {
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      body,
      headers: { Accept: 'text/html' },
    });
    const problem = await problemOf(response);
    say(problem);
    gone = isGone(response) && problem !== null ? problem : null;
  } catch {
    say('The server did not answer. Check that it is running, then try again.');
  } finally {
    if (submitter !== null) submitter.disabled = false;
    (document.activeElement as HTMLElement | null)?.blur();
    if (gone === null) document.querySelector('[data-refresh]')?.dispatchEvent(new Event('refresh'));
    else announceEnd(gone);
  }
}

/**
 * The words of a refusal, from the page that would have been shown, or null. What that says to do next is for who calls
 * the API; here it is to see what else is hosted.
 */
async function problemOf(response: Response): Promise<string | null> {
  if (response.ok) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const words = (selector: string) => page.querySelector(selector)?.textContent.trim().replace(/\s+/g, ' ') ?? '';
  const told = words('[data-form-problem]:not([hidden])');
  if (told !== '') return told;
  const [title, detail] = [words('.problem h1'), words('.problem h1 + p')];
  if (title === '') return `The server answered with status ${response.status}.`;
  const what = `${title}: ${detail}`.replace(/\.$/, '');
  return isGone(response) ? `${what}. Live, above, lists those that are hosted.` : `${what}.`;
}

function say(problem: string | null): void {
  const place = document.querySelector<HTMLElement>('[data-form-problem]');
  if (place === null) return;
  place.hidden = problem === null;
  place.textContent = problem ?? '';
}
