import { eventAt, type Plot, xOf } from '../model/plot';
import { clamped, type Span, sizeOf } from '../model/span';

const HANDLE_PIXELS = 8;

/** Drags on the strip: an edge resizes the span, its middle moves it, elsewhere a new one is drawn. */
export function listenToMinimap(
  canvas: HTMLElement,
  plot: () => Plot | null,
  span: () => Span,
  choose: (span: Span) => void,
): void {
  let drag: ((event: number) => Span) | null = null;
  const eventOf = (pointer: PointerEvent, on: Plot) =>
    eventAt(on, pointer.clientX - canvas.getBoundingClientRect().left);

  canvas.addEventListener('pointerdown', (pointer) => {
    const on = plot();
    if (on === null || pointer.button !== 0) return;
    canvas.setPointerCapture(pointer.pointerId);
    const x = pointer.clientX - canvas.getBoundingClientRect().left;
    drag = dragFrom(x, eventOf(pointer, on), span(), on);
  });
  canvas.addEventListener('pointermove', (pointer) => {
    const on = plot();
    if (on === null) return;
    if (drag !== null) {
      choose(clamped(drag(eventOf(pointer, on)), sizeOf(on.span)));
      return;
    }
    const x = pointer.clientX - canvas.getBoundingClientRect().left;
    const edge = isNear(x, xOf(on, span().from)) || isNear(x, xOf(on, span().to));
    canvas.style.cursor = edge ? 'ew-resize' : 'grab';
  });
  const end = () => (drag = null);
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}

function dragFrom(x: number, start: number, span: Span, plot: Plot): (event: number) => Span {
  const whole = sizeOf(plot.span);
  if (isNear(x, xOf(plot, span.from))) return (event) => ordered(event, span.to);
  if (isNear(x, xOf(plot, span.to))) return (event) => ordered(span.from, event);
  const inside = start > span.from && start < span.to && sizeOf(span) < whole * 0.98;
  if (inside) return (event) => ({ from: span.from + event - start, to: span.to + event - start });
  return (event) => ordered(start, event);
}

function isNear(x: number, edge: number): boolean {
  return Math.abs(x - edge) <= HANDLE_PIXELS;
}

function ordered(one: number, other: number): Span {
  return { from: Math.min(one, other), to: Math.max(one, other) };
}
