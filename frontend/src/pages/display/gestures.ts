/** Callbacks for gestures on a canvas; positions are in CSS pixels from its top left corner. */
export interface Gestures {
  /** Zoom by `factor` (below 1: in) around a point. */
  zoom(factor: number, x: number, y: number): void;
  pan(dx: number, dy: number): void;
  /** Whether a drag without Shift selects a range too. */
  isMarking?(): boolean;
  /** Shift-drag from x0 to x1, still in progress. */
  selectRange(x0: number, x1: number): void;
  selectRangeEnd(): void;
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  doubleClick(): void;
}

const MAX_CLICK_MOVEMENT = 4;

interface Point {
  x: number;
  y: number;
}

/** Listens to mouse, pen and touch. One finger drags, two fingers pinch; the page still scrolls vertically. */
export function listenToGestures(canvas: HTMLElement, gestures: Gestures): void {
  const pointers = new Map<number, Point>();
  let start: { x: number; y: number; shift: boolean; moved: boolean } | null = null;
  const positionOf = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const { x, y } = positionOf(event);
      const scrollX = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        gestures.pan(-scrollX * unit, -scrollX * unit);
      else gestures.zoom(Math.exp(event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0018)), x, y);
    },
    { passive: false },
  );

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const at = positionOf(event);
    pointers.set(event.pointerId, at);
    if (pointers.size === 1) start = { ...at, shift: event.shiftKey || gestures.isMarking?.() === true, moved: false };
  });

  canvas.addEventListener('pointermove', (event) => {
    const at = positionOf(event);
    const before = pointers.get(event.pointerId);
    if (before === undefined) {
      gestures.hover(at.x, at.y);
      return;
    }
    if (pointers.size === 2) pinch(pointers, event.pointerId, at, gestures);
    else if (start !== null) {
      start.moved ||= Math.hypot(at.x - start.x, at.y - start.y) > MAX_CLICK_MOVEMENT;
      if (start.moved && start.shift) gestures.selectRange(start.x, at.x);
      else if (start.moved) gestures.pan(at.x - before.x, at.y - before.y);
    }
    if (start?.moved !== false) pointers.set(event.pointerId, at);
  });

  const release = (event: PointerEvent, cancelled: boolean) => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) {
      start = null;
      return;
    }
    const at = positionOf(event);
    if (start?.shift && start.moved) gestures.selectRangeEnd();
    else if (start !== null && !start.moved && !cancelled) gestures.click(at.x, at.y);
    start = null;
  };
  canvas.addEventListener('pointerup', (event) => release(event, false));
  canvas.addEventListener('pointercancel', (event) => release(event, true));
  canvas.addEventListener('pointerleave', () => gestures.leave());
  canvas.addEventListener('dblclick', () => gestures.doubleClick());
}

/** Pans and zooms so that the content between two fingers stays between them. */
function pinch(pointers: ReadonlyMap<number, Point>, moving: number, at: Point, gestures: Gestures): void {
  const before = pointers.get(moving);
  const other = [...pointers].find(([id]) => id !== moving)?.[1];
  if (before === undefined || other === undefined) return;
  const oldDistance = Math.max(12, Math.hypot(before.x - other.x, before.y - other.y));
  const newDistance = Math.max(12, Math.hypot(at.x - other.x, at.y - other.y));
  gestures.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
  gestures.zoom(oldDistance / newDistance, (at.x + other.x) / 2, (at.y + other.y) / 2);
}
