let isRepeated = false;

const listen = <Type extends keyof WindowEventMap>(type: Type, repeats: (event: WindowEventMap[Type]) => boolean) =>
  window.addEventListener(type, (event) => (isRepeated = repeats(event)), { capture: true });

listen('pointerdown', () => false);
listen('mousedown', (event) => event.detail > 1);
listen('keydown', (event) => event.repeat);

/** Whether the user repeats what was just done: the second click of a double-click, or a key that is held down. */
export function isRepeatedInput(): boolean {
  return isRepeated;
}
