import { countedText } from '../../base/numbers';
import { type Frame, type FrameRun, locationText, runsOf } from '../../model/frames';
import { element } from '../display/element';

/** A call stack, innermost frame first: user frames in full, all others collapsed. */
export function stackList(frames: readonly Frame[]): HTMLElement {
  if (frames.length === 0) return element('p', { class: 'muted' }, 'No stack was recorded.');
  const runs = runsOf(frames);
  const hasNoUserFrame = !runs.some((run) => run.user);
  return element('ol', { class: 'call-stack' }, ...runs.map((run) => runItem(run, hasNoUserFrame)));
}

function runItem(run: FrameRun, open: boolean): HTMLElement {
  if (run.user) {
    return element('li', { class: 'stack-user' }, element('ol', {}, ...run.frames.map(frameItem)));
  }
  const [kind, ...others] = new Set(run.frames.map((frame) => frame.kind));
  const noun = others.length > 0 ? 'package and runtime frame' : `${kind} frame`;
  const collapsed = element(
    'details',
    {},
    element('summary', {}, countedText(run.frames.length, noun)),
    element('ol', {}, ...run.frames.map(frameItem)),
  );
  collapsed.open = open;
  return element('li', { class: 'stack-fold' }, collapsed);
}

function frameItem(frame: Frame): HTMLElement {
  return element(
    'li',
    {},
    element('span', { class: 'frame-name' }, frame.name || '(no name)'),
    ' ',
    element('span', { class: 'frame-place', title: `${frame.file}:${frame.line}` }, locationText(frame)),
  );
}
