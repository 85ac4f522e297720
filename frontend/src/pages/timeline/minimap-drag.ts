import { eventAt, type Plot, xOf } from '../../model/plot';
import { clamped, type EventRange, sizeOf } from '../../model/event-range';

const HANDLE_PIXELS = 8;

/**
 * Handles drags on the minimap: an edge resizes the range, its middle moves it, a drag elsewhere selects a new one. `jump`
 * makes the first change of a drag.
 */
export function listenToMinimapDrag(
  canvas: HTMLElement,
  plot: () => Plot | null,
  range: () => EventRange,
  jump: (change: () => void) => void,
  choose: (range: EventRange) => void,
): void {
  let drag: ((event: number) => EventRange) | null = null;
  let hasMoved = false;
  const eventOf = (pointer: PointerEvent, plot: Plot) =>
    eventAt(plot, pointer.clientX - canvas.getBoundingClientRect().left);

  canvas.addEventListener('pointerdown', (pointer) => {
    const current = plot();
    if (current === null || pointer.button !== 0) return;
    canvas.setPointerCapture(pointer.pointerId);
    const x = pointer.clientX - canvas.getBoundingClientRect().left;
    hasMoved = false;
    drag = dragFrom(x, eventOf(pointer, current), range(), current);
  });
  canvas.addEventListener('pointermove', (pointer) => {
    const current = plot();
    if (current === null) return;
    if (drag !== null) {
      const chosen = clamped(drag(eventOf(pointer, current)), sizeOf(current.range));
      if (hasMoved) choose(chosen);
      else jump(() => choose(chosen));
      hasMoved = true;
      return;
    }
    const x = pointer.clientX - canvas.getBoundingClientRect().left;
    const isOnEdge = isNear(x, xOf(current, range().from)) || isNear(x, xOf(current, range().to));
    canvas.style.cursor = isOnEdge ? 'ew-resize' : 'grab';
  });
  const end = () => (drag = null);
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}

function dragFrom(x: number, start: number, range: EventRange, plot: Plot): (event: number) => EventRange {
  const whole = sizeOf(plot.range);
  if (isNear(x, xOf(plot, range.from))) return (event) => ordered(event, range.to);
  if (isNear(x, xOf(plot, range.to))) return (event) => ordered(range.from, event);
  const inside = start > range.from && start < range.to && sizeOf(range) < whole * 0.98;
  if (inside) return (event) => ({ from: range.from + event - start, to: range.to + event - start });
  return (event) => ordered(start, event);
}

function isNear(x: number, edge: number): boolean {
  return Math.abs(x - edge) <= HANDLE_PIXELS;
}

function ordered(one: number, other: number): EventRange {
  return { from: Math.min(one, other), to: Math.max(one, other) };
}
