import { button, element } from './element';

export interface TimelineActions {
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  toPeak(): void;
  toOom(): void;
  toggleHeights(): void;
}

/** The elements of a timeline, made once. */
export interface TimelineElements {
  readonly root: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly minimap: HTMLCanvasElement;
  /** One line under the toolbar: what is at the pointer, or in sight. */
  readonly status: HTMLElement;
  /** The same picture in words. */
  readonly summary: HTMLElement;
  /** Where problems appear, over the canvas. */
  readonly message: HTMLElement;
  readonly oomButton: HTMLButtonElement;
  readonly heightsButton: HTMLButtonElement;
}

export function buildTimelineElements(
  root: HTMLElement,
  side: HTMLElement,
  actions: TimelineActions,
): TimelineElements {
  const summary = element('p', { class: 'visually-hidden', id: 'timeline-summary', 'aria-live': 'polite' });
  const canvas = element('canvas', {
    class: 'view-canvas timeline-canvas',
    tabindex: '0',
    role: 'application',
    'aria-roledescription': 'timeline',
    'aria-label': 'Active memory by event, stacked by allocation',
    'aria-describedby': 'timeline-summary',
  });
  const minimap = element('canvas', {
    class: 'timeline-minimap',
    role: 'img',
    'aria-label': 'The whole trace; drag to choose the part shown above',
  });
  const message = element('div', { class: 'view-message', hidden: '' });
  const status = element('p', { class: 'view-status' });
  const oomButton = button('OOM', 'Go to the next failed request (o)', actions.toOom);
  const heightsButton = button(
    'Fit height',
    'Show only the heights that occur here, instead of all from zero (y)',
    actions.toggleHeights,
  );
  const bar = element(
    'div',
    { class: 'view-bar', role: 'toolbar', 'aria-label': 'Timeline' },
    button('+', 'Zoom in (w)', actions.zoomIn),
    button('−', 'Zoom out (s)', actions.zoomOut),
    button('Fit', 'Show the whole trace (f)', actions.fit),
    button('Peak', 'Go to the highest point (p)', actions.toPeak),
    oomButton,
    heightsButton,
    status,
  );
  root.classList.add('view', 'timeline');
  root.replaceChildren(
    bar,
    element('div', { class: 'view-body' }, element('div', { class: 'view-plot' }, canvas, message, minimap), side),
    summary,
  );
  return { root, canvas, minimap, status, summary, message, oomButton, heightsButton };
}
