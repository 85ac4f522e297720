import { ROW_HEIGHT } from '../../render/map-painter';
import { listenToGestures } from '../display/gestures';

export interface MapGestures {
  /** By a power of two, at a point. */
  zoom(factor: number, point: { x: number; y: number }): void;
  pan(rows: number): void;
  /** The pointer is at a point of the canvas, or has left it. */
  point(at: { x: number; y: number } | null): void;
  click(at: { x: number; y: number }): void;
  fit(): void;
}

/** Mouse and touch on a memory map, whose zoom has steps. */
export function listenToMapGestures(canvas: HTMLCanvasElement, actions: MapGestures): void {
  /** Movement accumulated for the next zoom step, as a power of two. */
  let steps = 0;
  listenToGestures(canvas, {
    zoom: (factor, x, y) => {
      steps += Math.log2(factor);
      if (Math.abs(steps) < 0.24) return;
      actions.zoom(steps < 0 ? 0.5 : 2, { x, y });
      steps = 0;
    },
    pan: (_dx, dy) => actions.pan(-dy / ROW_HEIGHT),
    selectRange: () => undefined,
    selectRangeEnd: () => undefined,
    hover: (x, y) => actions.point({ x, y }),
    leave: () => actions.point(null),
    click: (x, y) => actions.click({ x, y }),
    doubleClick: () => actions.fit(),
  });
}
