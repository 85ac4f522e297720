const FEEDBACK_MILLIS = 1500;

/** The labels of the buttons that show feedback. */
const labels = new WeakMap<HTMLElement, string>();

/**
 * `data-copy="#selector"` copies the text of an element, `data-copy-text="…"` a given text. The listener is on the
 * document, so that it covers buttons added later.
 */
export function mountCopyButtons(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy], [data-copy-text]');
    if (button !== null) void copy(button);
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: selector, copyText } = button.dataset;
  const source = selector ? document.querySelector<HTMLElement>(selector) : null;
  // biome-ignore lint/performance/useDomNodeTextContent: innerText is what the reader sees, with line breaks
  const text = copyText ?? source?.innerText ?? '';
  // A second click shows the feedback again, not instead of the label.
  const label = labels.get(button) ?? button.textContent;
  labels.set(button, label);
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // Without HTTPS or permission there is no clipboard access: select the text for Ctrl-C.
    if (source !== null) getSelection()?.selectAllChildren(source);
    button.textContent = source === null ? 'Copying is not allowed' : 'Press Ctrl-C';
  }
  window.setTimeout(() => {
    button.textContent = label;
    labels.delete(button);
  }, FEEDBACK_MILLIS);
}
