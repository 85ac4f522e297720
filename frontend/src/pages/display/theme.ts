/** Calls `changed` when the theme changes, by the toggle or by the system's colour scheme. */
export function onThemeChange(changed: () => void): void {
  new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}

/** The toggle in the header. The choice is kept in a cookie, so that the server renders the next page in the right theme. */
export function mountThemeToggle(button: HTMLElement): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const isDark = () => (root.dataset['theme'] ? root.dataset['theme'] === 'dark' : system.matches);
  const update = () => {
    button.setAttribute('aria-pressed', String(isDark()));
    button.title = isDark() ? 'Use the light theme' : 'Use the dark theme';
  };
  button.addEventListener('click', () => {
    const chosen = isDark() ? 'light' : 'dark';
    const isSystemTheme = (chosen === 'dark') === system.matches;
    root.dataset['theme'] = chosen;
    // Choosing the system's theme deletes the cookie, so that the page follows the system again.
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in plain HTTP
    document.cookie = `theme=${chosen}; Path=/; Max-Age=${isSystemTheme ? 0 : 31_536_000}; SameSite=Strict`;
  });
  // Back returns to a page that the browser has kept; the theme may have been chosen on another one since.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    const chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
    if (chosen === undefined) delete root.dataset['theme'];
    else root.dataset['theme'] = chosen;
  });
  onThemeChange(update);
  update();
}
