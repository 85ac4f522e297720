import { button, element } from '../display/element';

export interface TimelineActions {
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  toPeak(): void;
  toOom(): void;
  toggleScale(): void;
  /** A drag marks events instead of moving; returns whether that is so now. */
  toggleMarking(): boolean;
  /** Lists the sites of the marked or the visible range, on a new page. */
  listSites(): void;
}

/** The elements of a timeline. */
export interface TimelineElements {
  readonly root: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly minimap: HTMLCanvasElement;
  /** Status line: the event at the pointer, or the visible range. */
  readonly status: HTMLElement;
  /** A text summary of the chart for screen readers. */
  readonly summary: HTMLElement;
  /** Announces the allocation in focus to screen readers. */
  readonly announcer: HTMLElement;
  /** Container for problems, above the canvas. */
  readonly message: HTMLElement;
  readonly oomButton: HTMLButtonElement;
  readonly scaleButton: HTMLButtonElement;
}

/** What is said about the chart. */
export interface ChartWords {
  /** Its kind, for screen readers. */
  readonly role: string;
  readonly label: string;
  /** What the OOM button shows. */
  readonly oom: string;
}

export const ACTIVE_MEMORY: ChartWords = {
  role: 'timeline',
  label: 'Active memory over events, stacked by allocation. Arrow keys move between allocations, Enter pins one.',
  oom: 'Go to the next failed request (o)',
};

export const SEGMENTS_OVER_TIME: ChartWords = {
  role: 'segments over time',
  label: 'Blocks of each segment over events, by address. Arrow keys move between blocks, Enter pins one.',
  oom: 'Show the events before the next failed request (o)',
};

export function buildTimelineElements(
  words: ChartWords,
  root: HTMLElement,
  side: HTMLElement,
  lines: readonly HTMLElement[],
  actions: TimelineActions,
  strip: HTMLElement,
  [colour = null, time = null, legend = null]: readonly (HTMLElement | null)[] = [],
): TimelineElements {
  const summary = element('p', { class: 'visually-hidden', id: 'timeline-summary', 'aria-live': 'polite' });
  const announcer = element('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  const canvas = element('canvas', {
    class: 'view-canvas timeline-canvas',
    tabindex: '0',
    role: 'application',
    'aria-roledescription': words.role,
    'aria-label': words.label,
    'aria-describedby': 'timeline-summary',
  });
  const minimap = element('canvas', {
    class: 'timeline-minimap',
    role: 'img',
    'aria-label': 'The whole trace; drag to select the range shown above',
  });
  const message = element('div', { class: 'view-message', hidden: '' });
  const status = element('p', { class: 'view-status' });
  const oomButton = button('OOM', words.oom, actions.toOom);
  const scaleButton = button(
    'Fit height',
    'Fit the byte axis to the visible range instead of starting at zero (y)',
    actions.toggleScale,
  );
  const selectButton = button('Select', 'Mark events by dragging (Shift-drag)', () =>
    selectButton.setAttribute('aria-pressed', String(actions.toggleMarking())),
  );
  selectButton.setAttribute('aria-pressed', 'false');
  const bar = element(
    'div',
    { class: 'view-bar', role: 'toolbar', 'aria-label': 'Timeline' },
    button('+', 'Zoom in (w)', actions.zoomIn),
    button('−', 'Zoom out (s)', actions.zoomOut),
    button('Fit', 'Show the whole trace (f)', actions.fit),
    button('Peak', 'Go to the peak (p)', actions.toPeak),
    oomButton,
    scaleButton,
    selectButton,
    button('Sites', 'List what the visible or marked events allocate and free, by site (m)', actions.listSites),
    colour,
    time,
    status,
  );
  root.classList.add('view', 'timeline');
  root.replaceChildren(
    bar,
    ...lines,
    element(
      'div',
      { class: 'view-body' },
      element('div', { class: 'view-plot' }, legend, canvas, message, minimap, strip),
      side,
    ),
    summary,
    announcer,
  );
  return { root, canvas, minimap, status, summary, announcer, message, oomButton, scaleButton };
}
