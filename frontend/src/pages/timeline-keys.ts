import type { SpanMover } from './span-mover';
import type { TimelineActions } from './timeline-elements';

const SAME: Readonly<Record<string, string>> = {
  ArrowUp: 'w',
  ArrowDown: 's',
  ArrowLeft: 'a',
  ArrowRight: 'd',
  '+': 'w',
  '-': 's',
};

/** What each key does; gives whether it is one of the timeline's. */
export function timelineKeys(mover: SpanMover, actions: TimelineActions, unpin: () => void): (key: string) => boolean {
  const known: Readonly<Record<string, () => void>> = {
    w: actions.zoomIn,
    s: actions.zoomOut,
    a: () => mover.pan(-0.2),
    d: () => mover.pan(0.2),
    f: actions.fit,
    p: actions.toPeak,
    o: actions.toOom,
    y: actions.toggleHeights,
    Home: () => mover.pan(-Infinity),
    End: () => mover.pan(Infinity),
    Escape: unpin,
  };
  return (key) => {
    const action = known[SAME[key] ?? key];
    action?.();
    return action !== undefined;
  };
}
