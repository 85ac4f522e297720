/** Whether a key press is text for someone else: a field, or a control that has its own keys. */
export function isForField(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as HTMLElement | null;
  return target !== null && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/**
 * Sends key presses to a view: all of them while its canvas has the focus, and letters from anywhere on the page when
 * it is the only view there. `handle` says whether it knew the key.
 */
export function onViewKeys(canvas: HTMLElement, handle: (key: string) => boolean): void {
  const alone =
    document.querySelectorAll('[data-active-timeline], [data-memory-map], [data-live-allocator]').length === 1;
  document.addEventListener('keydown', (event) => {
    if (isForField(event) || event.defaultPrevented) return;
    const mine = event.target === canvas || (alone && event.key.length === 1 && event.key !== ' ');
    if (mine && handle(event.key)) event.preventDefault();
  });
}
