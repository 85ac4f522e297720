/** What the keys of the memory map do. */
export interface MapKeyActions {
  /** Halves (0.5) or doubles (2) the bytes per line. */
  zoom(factor: number): void;
  /** Scrolls by rows. */
  pan(rows: number): void;
  /** Scrolls by screens. */
  page(screens: number): void;
  fit(): void;
  /** Pins the previous (-1) or next (1) block. */
  step(by: number): void;
  unpin(): void;
  /** Goes to the previous (-1) or next (1) event. */
  stepEvent(by: -1 | 1): void;
  toFailure(): void;
}

/** The key handler of the memory map; returns whether it handled the key. */
export function memoryMapKeys(actions: MapKeyActions): (key: string) => boolean {
  const shortcuts: Readonly<Record<string, () => void>> = {
    w: () => actions.zoom(0.5),
    s: () => actions.zoom(2),
    '+': () => actions.zoom(0.5),
    '-': () => actions.zoom(2),
    a: () => actions.pan(-3),
    d: () => actions.pan(3),
    f: () => actions.fit(),
    ArrowUp: () => actions.pan(-1),
    ArrowDown: () => actions.pan(1),
    PageUp: () => actions.page(-1),
    PageDown: () => actions.page(1),
    ArrowLeft: () => actions.step(-1),
    ArrowRight: () => actions.step(1),
    Escape: () => actions.unpin(),
    ',': () => actions.stepEvent(-1),
    '.': () => actions.stepEvent(1),
    o: () => actions.toFailure(),
  };
  return (key) => {
    const action = shortcuts[key];
    action?.();
    return action !== undefined;
  };
}
