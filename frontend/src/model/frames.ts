import type { FrameView } from './rest-types';

/** Whose code a frame is, by the server's frame rules. */
export const FRAME_KINDS = ['user', 'package', 'runtime'] as const;
export type FrameKind = (typeof FRAME_KINDS)[number];

/** One frame of a call stack. Stacks are listed innermost first. */
export type Frame = FrameView;

/** Consecutive frames that are shown together: user frames in full, all others collapsed to a count. */
export interface FrameRun {
  readonly user: boolean;
  readonly frames: readonly Frame[];
}

/** Splits a stack into runs of user and other frames; concatenating the runs gives the stack. */
export function runsOf(frames: readonly Frame[]): FrameRun[] {
  const runs: { user: boolean; frames: Frame[] }[] = [];
  for (const frame of frames) {
    const user = frame.kind === 'user';
    const last = runs.at(-1);
    if (last?.user === user) last.frames.push(frame);
    else runs.push({ user, frames: [frame] });
  }
  return runs;
}

/** `train.py:41`: the file name without folders and, where known, the line. Empty where the file is unknown. */
export function locationText(frame: { readonly file: string; readonly line: number }): string {
  if (frame.file === '??') return '';
  const name = frame.file.slice(frame.file.lastIndexOf('/') + 1) || frame.file;
  return frame.line > 0 ? `${name}:${frame.line}` : name;
}
