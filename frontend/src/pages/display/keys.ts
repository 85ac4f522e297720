/** Whether a key press belongs to an input field or is a browser shortcut. */
export function isInputOrShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as HTMLElement | null;
  return target !== null && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Whether something is open on top of the page that Escape closes. */
function isOverlayOpen(): boolean {
  return document.querySelector('dialog[open], :popover-open') !== null;
}

/**
 * Sends key presses to a view: all of them while its canvas has focus, and letters and Escape from anywhere on the page
 * if it is the only view there. A letter, or `Shift+` and the name of another key. `handle` returns whether it handled it.
 */
export function onViewKeys(canvas: HTMLElement, handle: (key: string) => boolean): void {
  const isOnlyView =
    document.querySelectorAll(
      '[data-active-timeline], [data-segment-timeline], [data-memory-map], [data-live-allocator]',
    ).length === 1;
  document.addEventListener('keydown', (event) => {
    if (isInputOrShortcut(event) || event.defaultPrevented) return;
    const isGlobal = (event.key.length === 1 && event.key !== ' ') || (event.key === 'Escape' && !isOverlayOpen());
    const isForView = event.target === canvas || (isOnlyView && isGlobal);
    const key = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key;
    // A key without a meaning of its own with Shift has its usual one.
    if (isForView && (handle(key) || (key !== event.key && handle(event.key)))) event.preventDefault();
  });
}
