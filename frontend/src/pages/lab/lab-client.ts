import { parseVisible } from '../../base/visible-text';
import type { LabAnswer, LabMoment, LabSide } from '../../model/lab/lab';
import type { LabSnapshot, LabTrace } from '../../model/rest-types';
import { LabRun } from '../../model/lab/lab-run';
import type { LabScript } from '../../model/lab/lab-script';
import { Problem } from '../display/problem';
import { saveText } from '../display/save-text';

/** Operations that are described by one request. */
const WINDOW = 200;

/** While a script is played, this many steps ahead are requested. */
const AHEAD = 60;

/** An experiment: its sides, its script, and the position in it. The server runs it, and keeps nothing of it. */
export class LabClient {
  done = 0;
  private readonly run = new LabRun();
  private loading: Promise<void> | null = null;
  /** Aborted when what is loaded is that of another experiment. */
  private experiment = new AbortController();

  constructor(
    public sides: readonly LabSide[],
    public script: LabScript,
  ) {}

  /** The sides at the present position, or null if they are not known yet. */
  moments(): readonly LabMoment[] | null {
    return this.run.at(this.done);
  }

  /** The sides before the latest step, or null if they are not known. */
  before(): readonly LabMoment[] | null {
    return this.done === 0 ? null : this.run.at(this.done - 1);
  }

  /** The latest steps up to the present position, newest first, as far as they are known without a gap. */
  latest(count: number): { done: number; sides: readonly LabMoment[] }[] {
    const steps: { done: number; sides: readonly LabMoment[] }[] = [];
    for (let done = this.done; done > 0 && steps.length < count && this.isKnown(done); done--) {
      const sides = this.run.at(done);
      if (sides !== null) steps.push({ done, sides });
    }
    return steps;
  }

  /** Replaces the script; the states before the first difference stay known. */
  change(script: LabScript): void {
    this.run.keep(this.script.commonWith(script));
    this.startOver();
    this.script = script;
    this.done = Math.min(this.done, script.length);
  }

  /** Replaces the allocators: nothing is known of them. */
  setSides(sides: readonly LabSide[]): void {
    this.run.clear();
    this.startOver();
    this.sides = sides;
  }

  /** A request of the experiment before is not awaited: its failure is none of the present one. */
  private startOver(): void {
    this.experiment.abort();
    this.experiment = new AbortController();
    this.loading = null;
  }

  isKnown(done: number): boolean {
    return this.run.isDescribed(done);
  }

  /**
   * Requests a state, the step that led to it, and what follows; an answer describes at least one step. Throws Problem.
   * Returns false if the experiment changed meanwhile: nothing of this request is to be shown.
   */
  async load(done: number): Promise<boolean> {
    const { signal } = this.experiment;
    try {
      while (!signal.aborted && !this.isKnown(done)) await (this.loading ?? this.request(Math.max(0, done - 1)));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return !signal.aborted;
  }

  /** Requests what a player will show next, if it is not known. */
  ahead(): void {
    const next = Math.min(this.script.length, this.done + AHEAD);
    if (!this.isKnown(next) && this.loading === null) {
      let from = this.done;
      while (from < next && this.isKnown(from + 1)) from++;
      void this.request(from, () => undefined); // A problem is shown when the step is needed.
    }
  }

  private request(from: number, failed: (error: unknown) => void = rethrow): Promise<void> {
    const { signal } = this.experiment;
    const request = post<LabAnswer>('/api/v1/lab/run', { ...this.body(), from, count: WINDOW }, signal)
      .then((answer) => {
        if (!signal.aborted) this.run.add(answer);
      })
      .catch(failed)
      .finally(() => {
        if (this.loading === request) this.loading = null;
      });
    this.loading = request;
    return request;
  }

  /** Goes back to an earlier script: the server did not accept the present one. */
  restore(script: LabScript, done: number): void {
    this.change(script);
    this.done = done;
  }

  private body(script = this.script.text()): object {
    return { sides: this.sides, script };
  }

  /** Saves a trace for the command `replay`, and its configuration; returns what that calls the allocator. */
  async saveTrace(side: number): Promise<string> {
    const saved: LabTrace = await post(`/api/v1/lab/trace?side=${side}`, this.body());
    saveText('lab-trace.txt', saved.trace);
    saveText('lab-config.txt', saved.configuration);
    return saved.allocator;
  }

  /** Stores the state at the present position; returns the page of its post-mortem. */
  async store(side: number): Promise<string> {
    const script = this.script.lines.slice(0, this.done).join('\n');
    return (await post<LabSnapshot>(`/api/v1/lab/snapshot?side=${side}`, this.body(script))).href;
  }
}

function rethrow(error: unknown): never {
  throw error;
}

async function post<T>(url: string, body: object, signal: AbortSignal | null = null): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, application/problem+json' },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw Problem.ofNetwork();
  }
  if (!response.ok) throw Problem.read(response.status, await response.text());
  return parseVisible(await response.text()) as T;
}
