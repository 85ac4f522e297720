import { isInputOrShortcut } from '../display/keys';

/** Runs the action of a key that is pressed anywhere on the page of the lab, except in a field. */
export function onLabKeys(actions: Readonly<Record<string, () => void>>): void {
  document.addEventListener('keydown', (event) => {
    if (isInputOrShortcut(event) || event.defaultPrevented) return;
    const run = actions[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}
