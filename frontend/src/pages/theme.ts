/** Calls `changed` whenever the page's colours do: the toggle, or the system's day and night. */
export function onThemeChange(changed: () => void): void {
  new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}

/** The toggle in the header. The choice lives in a cookie, so that the server renders the next page without a flash. */
export function mountThemeToggle(button: HTMLElement): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const isDark = () => (root.dataset['theme'] ? root.dataset['theme'] === 'dark' : system.matches);
  const say = () => {
    button.setAttribute('aria-pressed', String(isDark()));
    button.title = isDark() ? 'Use the light theme' : 'Use the dark theme';
  };
  button.addEventListener('click', () => {
    const chosen = isDark() ? 'light' : 'dark';
    const asSystem = (chosen === 'dark') === system.matches;
    root.dataset['theme'] = chosen;
    // Choosing what the system says anyway means following it again.
    document.cookie = `theme=${chosen}; Path=/; Max-Age=${asSystem ? 0 : 31_536_000}; SameSite=Strict`;
  });
  onThemeChange(say);
  say();
}
