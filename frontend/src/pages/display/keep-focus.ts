/** Rebuilds the content of a container; the control that had the focus has it again, by its name. */
export function keepFocus(container: HTMLElement, rebuild: () => void): void {
  const focused = document.activeElement;
  const name = container.contains(focused) ? (focused?.getAttribute('aria-label') ?? null) : null;
  rebuild();
  if (name === null) return;
  const controls = [...container.querySelectorAll<HTMLButtonElement>('button, select, input')];
  const same = controls.find((control) => control.getAttribute('aria-label') === name && !control.disabled);
  const next = same ?? controls.find((control) => !control.disabled);
  if (next !== undefined) next.focus();
  else {
    container.tabIndex = -1;
    container.focus();
  }
}
