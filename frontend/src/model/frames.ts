/** One line of a call stack, innermost first, classed by the server's rules. */
export interface Frame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly kind: 'user' | 'package' | 'runtime';
}

/** A run of frames that a reader wants to see together: the user's own, or others folded to a count. */
export interface FrameRun {
  readonly user: boolean;
  readonly frames: readonly Frame[];
}

/** Groups neighbours of the same interest; concatenated, the runs are the stack again. */
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

/** `train.py:41`: the file without its folders, and the line where one is known; nothing where the file is not. */
export function placeText(frame: { readonly file: string; readonly line: number }): string {
  if (frame.file === '??') return '';
  const name = frame.file.slice(frame.file.lastIndexOf('/') + 1) || frame.file;
  return frame.line > 0 ? `${name}:${frame.line}` : name;
}
