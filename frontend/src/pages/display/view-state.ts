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

/** Sets `data-` attributes, for links and tests; null removes one. */
export function setData(root: HTMLElement, values: Readonly<Record<string, number | string | null>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === null) delete root.dataset[name];
    else root.dataset[name] = String(value);
  }
}
