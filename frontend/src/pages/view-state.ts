/** Marks the state of a view, for styles, screen readers and tests. */
export function setState(root: HTMLElement, state: 'loading' | 'ready' | 'empty' | 'error'): void {
  root.dataset['state'] = state;
  root.setAttribute('aria-busy', String(state === 'loading'));
}

/** Shows `content` above the view, or removes the current message. */
export function setMessage(container: HTMLElement, content: HTMLElement | null): void {
  container.hidden = content === null;
  container.replaceChildren(...(content === null ? [] : [content]));
}
