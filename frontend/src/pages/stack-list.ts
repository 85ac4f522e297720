import { countedText } from '../base/numbers';
import { type Frame, type FrameRun, placeText, runsOf } from '../model/frames';
import { element } from './element';

/** A call stack, innermost first: the user's own frames in full, everything else folded to a line that opens. */
export function stackList(frames: readonly Frame[]): HTMLElement {
  if (frames.length === 0) return element('p', { class: 'muted' }, 'No stack was recorded.');
  const runs = runsOf(frames);
  const nothingOfTheUser = !runs.some((run) => run.user);
  return element('ol', { class: 'call-stack' }, ...runs.map((run) => runItem(run, nothingOfTheUser)));
}

function runItem(run: FrameRun, open: boolean): HTMLElement {
  if (run.user) {
    return element('li', { class: 'stack-user' }, element('ol', {}, ...run.frames.map(frameItem)));
  }
  const kinds = new Set(run.frames.map((frame) => frame.kind));
  const noun = kinds.size > 1 ? 'package and runtime frame' : `${run.frames[0].kind} frame`;
  const fold = element(
    'details',
    {},
    element('summary', {}, countedText(run.frames.length, noun)),
    element('ol', {}, ...run.frames.map(frameItem)),
  );
  fold.open = open;
  return element('li', { class: 'stack-fold' }, fold);
}

function frameItem(frame: Frame): HTMLElement {
  return element(
    'li',
    {},
    element('span', { class: 'frame-name' }, frame.name || '(no name)'),
    ' ',
    element('span', { class: 'frame-place', title: `${frame.file}:${frame.line}` }, placeText(frame)),
  );
}
