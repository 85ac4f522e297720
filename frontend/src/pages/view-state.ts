/** Marks a view for styles, for screen readers and for whoever waits for it. */
export function setState(root: HTMLElement, state: 'loading' | 'ready' | 'empty' | 'error'): void {
  root.dataset['state'] = state;
  root.setAttribute('aria-busy', String(state === 'loading'));
}

/** Puts `content` over the picture, or takes away what was there. */
export function setMessage(place: HTMLElement, content: HTMLElement | null): void {
  place.hidden = content === null;
  place.replaceChildren(...(content === null ? [] : [content]));
}
