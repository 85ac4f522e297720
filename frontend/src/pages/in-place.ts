/** Where the part of the page is that the server renders anew, again and again. */
const PERIOD_MILLIS = 1500;

/**
 * `data-refresh="/path"`: what is inside is fetched from there and put in its place while somebody looks. What the
 * server renders is markup already escaped; scripts in it would not run.
 */
export function mountRefresh(place: HTMLElement): void {
  const refresh = async () => {
    if (document.hidden || place.contains(document.activeElement)) return;
    try {
      const response = await fetch(place.dataset['refresh'] ?? '', { headers: { Accept: 'text/html' } });
      if (!response.ok) return; // The live view says what is wrong.
      const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').body;
      if (fresh.innerHTML !== place.innerHTML) place.replaceChildren(...fresh.childNodes);
    } catch {
      // The server is gone; the live view says so and tries again.
    }
  };
  place.addEventListener('refresh', () => void refresh());
  window.setInterval(() => void refresh(), PERIOD_MILLIS);
}

/**
 * `form[data-in-place]`: sent without leaving the page, so that the picture goes on. One listener for all, also for
 * those that come later.
 */
export function mountInPlaceForms(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.hasAttribute('data-in-place') || event.defaultPrevented) return;
    event.preventDefault();
    void send(form, event.submitter as HTMLButtonElement | null);
  });
}

async function send(form: HTMLFormElement, submitter: HTMLButtonElement | null): Promise<void> {
  if (submitter !== null) submitter.disabled = true;
  try {
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      body,
      headers: { Accept: 'text/html' },
    });
    say(await problemOf(response));
  } catch {
    say('The server did not answer. Check that it is running, then try again.');
  } finally {
    if (submitter !== null) submitter.disabled = false;
    (document.activeElement as HTMLElement | null)?.blur();
    document.querySelector('[data-refresh]')?.dispatchEvent(new Event('refresh'));
  }
}

/** The words of a refusal, from the page that would have been shown, or null. */
async function problemOf(response: Response): Promise<string | null> {
  if (response.ok) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const told = page.querySelector('[data-form-problem]:not([hidden])') ?? page.querySelector('.problem');
  return told?.textContent.trim().replace(/\s+/g, ' ') ?? `The server answered with status ${response.status}.`;
}

function say(problem: string | null): void {
  const place = document.querySelector<HTMLElement>('[data-form-problem]');
  if (place === null) return;
  place.hidden = problem === null;
  place.textContent = problem ?? '';
}
