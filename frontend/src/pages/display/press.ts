/** The click of a touch follows its release in a later task. */
const CLICK_MILLIS = 50;

/** What waits for the release of the pointer, by the part of the page that it changes. */
const waiting = new Map<Element, () => void>();

let presses = 0;
let isPressed = false;

/**
 * Updates a part of the page now or, while a pointer is pressed anywhere on the page, once it is released and its click is
 * handled: nothing moves between the two. Of several updates of one part only the last is made.
 */
export function updateUnlessPressed(part: Element, update: () => void): void {
  if (isPressed) waiting.set(part, update);
  else update();
}

function release(): void {
  const released = presses;
  window.setTimeout(() => {
    if (released !== presses) return; // Pressed again.
    isPressed = false;
    const updates = [...waiting.values()];
    waiting.clear();
    for (const update of updates) update();
  }, CLICK_MILLIS);
}

/** Listens for presses. To be called once. */
export function mountPresses(): void {
  const press = () => {
    presses += 1;
    isPressed = true;
  };
  document.addEventListener('pointerdown', press, { capture: true });
  for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, release, { capture: true });
  // A pointer that is released outside of the window.
  window.addEventListener('blur', release);
}
