/** The operations of an experiment, one per line. */
export class LabScript {
  constructor(readonly lines: readonly string[]) {}

  static of(text: string): LabScript {
    return new LabScript(
      text
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    );
  }

  get length(): number {
    return this.lines.length;
  }

  text(): string {
    return this.lines.join('\n');
  }

  /** The first `done` operations, followed by others: what a click adds to the present state. */
  followedBy(done: number, ...added: string[]): LabScript {
    return new LabScript([...this.lines.slice(0, done), ...added]);
  }

  /** The number of operations at the start that are the same in both. */
  commonWith(other: LabScript): number {
    let same = 0;
    while (same < this.length && same < other.length && this.lines[same] === other.lines[same]) same++;
    return same;
  }

  /** A number that no block of the script has. */
  nextId(): number {
    let most = 0;
    for (const line of this.lines) {
      const id = /^malloc (\d+)/.exec(line)?.[1];
      if (id !== undefined) most = Math.max(most, Number(id));
    }
    return most + 1;
  }

  /** The latest label before a position: what the program is doing there. */
  labelAt(done: number): string {
    for (let i = Math.min(done, this.length) - 1; i >= 0; i--) {
      const line = this.lines[i] ?? '';
      if (line.startsWith('#')) return line.slice(1).trim();
    }
    return '';
  }

  /** The next position at which an allocator has something to do: labels are passed at once. */
  nextStep(done: number): number {
    let next = Math.min(done + 1, this.length);
    while (next < this.length && (this.lines[next - 1] ?? '').startsWith('#')) next++;
    return next;
  }

  /** The position before the latest operation that is no label. */
  previousStep(done: number): number {
    let before = Math.max(done - 1, 0);
    while (before > 0 && (this.lines[before - 1] ?? '').startsWith('#')) before--;
    return before;
  }
}
