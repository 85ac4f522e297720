/**
 * Calls `flush` before a link is followed or a form is submitted, so that what the user has just done is not lost with the
 * page. Listeners of the page itself come later.
 */
export function beforeLeaving(flush: () => void): void {
  for (const type of ['click', 'auxclick', 'submit']) window.addEventListener(type, flush, { capture: true });
}
