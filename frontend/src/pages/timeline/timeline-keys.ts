import type { TimelineActions } from './timeline-elements';
import type { TimelineRange } from './timeline-range';

/** Keys with the same action as another one. */
const ALIASES: Readonly<Record<string, string>> = { '+': 'w', '-': 's' };

/** Actions on allocations and events. */
export interface SelectionActions {
  /** Moves the focus to an allocation: -1 the previous, 1 the next in order of allocation. */
  step(by: -1 | 1): void;
  /** Moves the focus in the stack: -1 to the allocation below, 1 to the one above. */
  moveInStack(by: -1 | 1): void;
  /** Selects the allocation in focus. Returns false if there is none. */
  select(): boolean;
  /** Clears the focus, or else the selection, or else the cursor. */
  clear(): void;
  stepEvent(by: -1 | 1): void;
}

/** The key handler of the timeline; returns whether it handled the key. */
export function timelineKeys(
  range: TimelineRange,
  actions: TimelineActions,
  selection: SelectionActions,
): (key: string) => boolean {
  const shortcuts: Readonly<Record<string, () => unknown>> = {
    ArrowLeft: () => selection.step(-1),
    ArrowRight: () => selection.step(1),
    ArrowUp: () => selection.moveInStack(1),
    ArrowDown: () => selection.moveInStack(-1),
    Enter: () => selection.select(),
    ',': () => selection.stepEvent(-1),
    '.': () => selection.stepEvent(1),
    w: actions.zoomIn,
    s: actions.zoomOut,
    a: () => range.animator.pan(-0.2),
    d: () => range.animator.pan(0.2),
    f: actions.fit,
    p: actions.toPeak,
    o: actions.toOom,
    y: actions.toggleScale,
    m: actions.listSites,
    z: () => range.zoomToMark(),
    'Shift+ArrowLeft': () => range.extendMark(-1),
    'Shift+ArrowRight': () => range.extendMark(1),
    Home: () => range.animator.pan(-Infinity),
    End: () => range.animator.pan(Infinity),
    Escape: () => {
      if (!range.clearMark()) selection.clear();
    },
  };
  return (key) => {
    const action = shortcuts[ALIASES[key] ?? key];
    return action !== undefined && action() !== false;
  };
}
