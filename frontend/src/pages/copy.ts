const SAID_MILLIS = 1500;

/** `data-copy="#selector"` copies that element's text, `data-copy-text="…"` that text. One listener for all, also later ones. */
export function mountCopyButtons(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy], [data-copy-text]');
    if (button !== null) void copy(button);
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: selector, copyText } = button.dataset;
  const source = selector ? document.querySelector<HTMLElement>(selector) : null;
  const text = copyText ?? source?.innerText ?? '';
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // No clipboard without HTTPS or permission: select the text, so that Ctrl-C works.
    if (source !== null) getSelection()?.selectAllChildren(source);
    button.textContent = source === null ? 'Not allowed' : 'Press Ctrl-C';
  }
  window.setTimeout(() => (button.textContent = before), SAID_MILLIS);
}
