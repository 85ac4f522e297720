import type { RangeAnimator } from './range-animator';
import type { TimelineActions } from './timeline-elements';

/** Keys with the same action as another one. */
const ALIASES: Readonly<Record<string, string>> = {
  ArrowUp: 'w',
  ArrowDown: 's',
  ArrowLeft: 'a',
  ArrowRight: 'd',
  '+': 'w',
  '-': 's',
};

/** The key handler of the timeline; returns whether it handled the key. */
export function timelineKeys(
  animator: RangeAnimator,
  actions: TimelineActions,
  unpin: () => void,
): (key: string) => boolean {
  const shortcuts: Readonly<Record<string, () => void>> = {
    w: actions.zoomIn,
    s: actions.zoomOut,
    a: () => animator.pan(-0.2),
    d: () => animator.pan(0.2),
    f: actions.fit,
    p: actions.toPeak,
    o: actions.toOom,
    y: actions.toggleScale,
    Home: () => animator.pan(-Infinity),
    End: () => animator.pan(Infinity),
    Escape: unpin,
  };
  return (key) => {
    const action = shortcuts[ALIASES[key] ?? key];
    action?.();
    return action !== undefined;
  };
}
