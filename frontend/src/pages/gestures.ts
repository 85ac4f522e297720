/** What hands do to a canvas; positions are CSS pixels from its corner. */
export interface Gestures {
  /** Zoom by `factor` (below 1: closer) about a point. */
  zoom(factor: number, x: number, y: number): void;
  pan(dx: number, dy: number): void;
  /** Shift-drag from x0 to x1, still moving. */
  range(x0: number, x1: number): void;
  rangeEnd(): void;
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  doubleClick(): void;
}

const CLICK_SLOP = 4;

interface Hand {
  x: number;
  y: number;
}

/** Listens to mouse, pen and fingers. One finger drags, two pinch; the page still scrolls vertically. */
export function listenToHands(canvas: HTMLElement, gestures: Gestures): void {
  const hands = new Map<number, Hand>();
  let start: { x: number; y: number; shift: boolean; moved: boolean } | null = null;
  const place = (event: MouseEvent): Hand => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const { x, y } = place(event);
      const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        gestures.pan(-across * unit, -across * unit);
      else gestures.zoom(Math.exp(event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0018)), x, y);
    },
    { passive: false },
  );

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const at = place(event);
    hands.set(event.pointerId, at);
    if (hands.size === 1) start = { ...at, shift: event.shiftKey, moved: false };
  });

  canvas.addEventListener('pointermove', (event) => {
    const at = place(event);
    const before = hands.get(event.pointerId);
    if (before === undefined) {
      gestures.hover(at.x, at.y);
      return;
    }
    if (hands.size === 2) pinch(hands, event.pointerId, at, gestures);
    else if (start !== null) {
      start.moved ||= Math.hypot(at.x - start.x, at.y - start.y) > CLICK_SLOP;
      if (start.moved && start.shift) gestures.range(start.x, at.x);
      else if (start.moved) gestures.pan(at.x - before.x, at.y - before.y);
    }
    if (start?.moved !== false) hands.set(event.pointerId, at);
  });

  const lift = (event: PointerEvent, dropped: boolean) => {
    if (!hands.delete(event.pointerId) || hands.size > 0) {
      start = null;
      return;
    }
    const at = place(event);
    if (start?.shift && start.moved) gestures.rangeEnd();
    else if (start !== null && !start.moved && !dropped) gestures.click(at.x, at.y);
    start = null;
  };
  canvas.addEventListener('pointerup', (event) => lift(event, false));
  canvas.addEventListener('pointercancel', (event) => lift(event, true));
  canvas.addEventListener('pointerleave', () => gestures.leave());
  canvas.addEventListener('dblclick', () => gestures.doubleClick());
}

/** Two fingers: what was between them stays between them. */
function pinch(hands: ReadonlyMap<number, Hand>, moving: number, at: Hand, gestures: Gestures): void {
  const before = hands.get(moving);
  const other = [...hands].find(([id]) => id !== moving)?.[1];
  if (before === undefined || other === undefined) return;
  const was = Math.max(12, Math.hypot(before.x - other.x, before.y - other.y));
  const is = Math.max(12, Math.hypot(at.x - other.x, at.y - other.y));
  gestures.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
  gestures.zoom(was / is, (at.x + other.x) / 2, (at.y + other.y) / 2);
}
