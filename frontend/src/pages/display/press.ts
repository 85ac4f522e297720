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
export function updateUnlessPressed(part: Element, change: () => void): void {
  if (isPressed) waiting.set(part, change);
  else change();
}

function release(): void {
  const released = presses;
  window.setTimeout(() => {
    if (released === presses) update(); // Otherwise it is pressed again.
  }, CLICK_MILLIS);
}

function update(): void {
  isPressed = false;
  const updates = [...waiting.values()];
  waiting.clear();
  for (const each of updates) each();
}

/** Listens for presses. To be called once. */
export function mountPresses(): void {
  const press = () => {
    presses += 1;
    isPressed = true;
  };
  document.addEventListener('pointerdown', press, { capture: true });
  for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, release, { capture: true });
  // After its handlers: what they show is shown at once.
  window.addEventListener('click', (event) => {
    if (event.isTrusted) update();
  });
  // A pointer that is released outside of the window.
  window.addEventListener('blur', release);
}
