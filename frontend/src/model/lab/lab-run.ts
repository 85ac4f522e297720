import { momentAfter, type LabAnswer, type LabMoment, type LabSegment } from './lab';

const NOTHING: ReadonlyMap<string, LabSegment> = new Map();

/** The known states of an experiment: of each side, after each number of operations. */
export class LabRun {
  /** By the number of operations, then by side. */
  private readonly moments = new Map<number, LabMoment[]>();

  /** The sides after `done` operations, or null if they are not known yet. */
  at(done: number): readonly LabMoment[] | null {
    return this.moments.get(done) ?? null;
  }

  /** Whether the step that led to this state is known, too. */
  isDescribed(done: number): boolean {
    return done === 0 ? this.at(0) !== null : this.at(done) !== null && this.at(done - 1) !== null;
  }

  /** Adds the steps of a response. */
  add(answer: LabAnswer): void {
    const count = answer.operations.length;
    for (let step = 0; step <= count; step++) {
      const done = answer.from + step;
      // The first step of an answer is a state without reasons: a described one is worth more.
      if (step === 0 && this.moments.has(done)) continue;
      this.moments.set(
        done,
        answer.sides.map((side, index) => {
          const before = step === 0 ? NOTHING : (this.moments.get(done - 1)?.[index]?.segments ?? NOTHING);
          const described = side.steps[step];
          if (described === undefined) throw new Error(`side ${index} has no step ${step}`);
          return momentAfter(before, described);
        }),
      );
    }
  }

  /** Forgets the states after the first `done` operations, because the script has changed there. */
  keep(done: number): void {
    for (const known of [...this.moments.keys()]) if (known > done) this.moments.delete(known);
  }

  clear(): void {
    this.moments.clear();
  }
}
