import { allocatedBlocks, sideName, type LabBlock, type LabSide } from '../../model/lab/lab';
import { unpacked } from '../../model/lab/lab-link';
import { LabScript } from '../../model/lab/lab-script';
import { element, fill } from '../display/element';
import { onLabKeys } from './lab-keys';
import { LabAddress } from './lab-address';
import { LabActions } from './lab-actions';
import { LabClient } from './lab-client';
import { LOGGED_STEPS, showLog } from './lab-log';
import { LabNumbersTable } from './lab-numbers';
import { LabPlayer } from './lab-player';
import { LabScriptPanel } from './lab-script-panel';
import { LabSideView } from './lab-side';
import { Problem, problemBox } from '../display/problem';
import { setData, setState } from '../display/view-state';

/**
 * `data-lab="exercise"`: the lab. `data-sides`, `data-script` and `data-shown` are what the exercise begins with; the
 * fragment of the URL, if it has one, restores an experiment that was shared.
 */
export async function mountLab(root: HTMLElement): Promise<void> {
  const hash = location.hash.slice(1);
  const given = await unpacked(hash);
  // A link that is pasted on the page of its own exercise.
  window.addEventListener('hashchange', () => location.reload());
  const sides = given?.sides ?? (JSON.parse(root.dataset['sides'] ?? '[]') as LabSide[]);
  const script = LabScript.of(given?.script ?? root.dataset['script'] ?? '');
  const shown = given?.done ?? Number(root.dataset['shown'] ?? '-1');
  const lab = new Lab(root, sides, script, shown < 0 ? script.length : Math.min(shown, script.length));
  if (given === null && hash.length > 20)
    lab.warning = 'The link is damaged or cut off. This is the exercise from its start.';
}

class Lab {
  private readonly client: LabClient;
  private views: LabSideView[] = [];
  private numbers: LabNumbersTable;
  private readonly player: LabPlayer;
  private readonly script: LabScriptPanel;
  private readonly actions: LabActions;
  private readonly message = element('div', { hidden: '' });
  private readonly sidesBox = element('div', { class: 'lab-sides' });
  private readonly numbersBox = element('div', { class: 'scroll' });
  private readonly label = element('p', { class: 'lab-label', 'aria-live': 'polite' });
  private selected: number | null = null;
  /** Shown until the next step. */
  warning: string | null = null;
  private readonly address = new LabAddress(() => {
    const { sides, script, done } = this.client;
    return { sides, script: script.text(), done };
  });
  /** What was shown last: the server has accepted it. */
  private accepted: { readonly script: LabScript; readonly done: number };

  constructor(
    private readonly root: HTMLElement,
    sides: readonly LabSide[],
    script: LabScript,
    done: number,
  ) {
    this.client = new LabClient(sides, script);
    this.client.done = done;
    this.accepted = { script, done };
    this.numbers = LabNumbersTable.of(sides);
    this.player = new LabPlayer(
      {
        first: () => this.go(0),
        back: () => this.go(this.client.script.previousStep(this.client.done)),
        forward: () => this.go(this.client.script.nextStep(this.client.done)),
        end: () => this.go(this.client.script.length),
      },
      () => this.playStep(),
      (isFast) => {
        for (const view of this.views) view.setFast(isFast);
      },
    );
    this.script = new LabScriptPanel(
      root.dataset['syntax'] ?? '',
      (position) => this.go(position),
      (script) => this.replace(script),
    );
    this.actions = new LabActions(this.has('streams'), {
      allocate: (bytes, stream) => this.append(`malloc ${this.client.script.nextId()} ${bytes} ${stream}`),
      freeRandom: () => this.freeRandom(),
      run: (operation) => this.append(operation),
      selected: () => this.selected,
      copyLink: async () => navigator.clipboard.writeText(await this.address.write()),
      download: (side) => this.download(side),
      store: (side) => this.postMortem(side),
      sides: () => this.client.sides.map(sideName),
    });
    this.buildSides();
    fill(
      root,
      this.message,
      element('div', { class: 'lab-bar' }, this.player.root, this.label),
      this.actions.root,
      element(
        'div',
        { class: 'lab-body' },
        element('div', { class: 'lab-main' }, this.sidesBox, this.numbersBox),
        this.script.root,
      ),
      this.actions.hand,
    );
    onLabKeys({
      '.': () => this.go(this.client.script.nextStep(this.client.done)),
      ',': () => this.go(this.client.script.previousStep(this.client.done)),
      Home: () => this.go(0),
      End: () => this.go(this.client.script.length),
      p: () => this.player.toggle(),
      r: () => this.freeRandom(),
      e: () => this.append('empty_cache'),
      1: () => this.actions.allocate(0),
      2: () => this.actions.allocate(1),
      3: () => this.actions.allocate(2),
      4: () => this.actions.allocate(3),
    });
    setState(root, 'loading');
    void this.show();
  }

  private has(part: string): boolean {
    return (this.root.dataset['parts'] ?? '').split(' ').includes(part);
  }

  private buildSides(): void {
    const select = this.has('streams');
    this.views = this.client.sides.map(
      (side, index) =>
        new LabSideView(
          side,
          {
            hasStreams: this.has('streams'),
            hasLadder: this.has('ladder') && side.allocator === 'caching',
            hasSettings: true,
            isAllocatorChosen: this.client.sides.length === 1 && !this.has('ladder') && !this.has('streams'),
          },
          {
            verb: select ? 'select it' : 'free it',
            choose: (block: LabBlock) => (select ? this.select(block.id) : this.append(`free ${block.id}`)),
            run: (operation) => this.append(operation),
            settings: (changed) => this.setSide(index, changed),
            postMortem: () => void this.postMortem(index),
          },
        ),
    );
    fill(this.sidesBox, ...this.views.map((view) => view.root));
    this.numbers = LabNumbersTable.of(this.client.sides);
    fill(this.numbersBox, this.numbers.root);
  }

  private setSide(index: number, side: LabSide): void {
    const sides = this.client.sides.map((old, other) => (other === index ? side : old));
    const isOther = side.allocator !== this.client.sides[index]?.allocator;
    this.client.setSides(sides);
    this.views[index]?.rename(side);
    if (isOther) {
      this.buildSides();
      this.views[index]?.openSettings();
    } else {
      this.numbers = LabNumbersTable.of(sides);
      fill(this.numbersBox, this.numbers.root);
    }
    void this.show();
  }

  private select(id: number): void {
    this.selected = this.selected === id ? null : id;
    void this.show();
  }

  /** Adds an operation at the present position; what came after it is dropped. */
  private append(operation: string): void {
    void this.try(this.client.script.followedBy(this.client.done, operation), this.client.done + 1);
  }

  private replace(script: LabScript): void {
    void this.try(script, script.length);
  }

  /** Changes the script; if the server does not accept it, the experiment is again what was shown last. */
  private async try(script: LabScript, done: number): Promise<void> {
    this.player.stop();
    this.client.change(script);
    this.client.done = done;
    if ((await this.show()) !== 'refused' || this.client.script !== script) return;
    this.client.restore(this.accepted.script, this.accepted.done);
    this.address.changed();
  }

  private freeRandom(): void {
    const blocks = allocatedBlocks(this.client.moments()?.[0]?.segments ?? new Map());
    const block = blocks[Math.floor(Math.random() * blocks.length)];
    if (block !== undefined) this.append(`free ${block.id}`);
  }

  private go(position: number): void {
    this.player.stop();
    this.client.done = position;
    void this.show();
  }

  private playStep(): 'stepped' | 'waiting' | 'ended' {
    if (this.client.done >= this.client.script.length) return 'ended';
    const next = this.client.script.nextStep(this.client.done);
    this.client.ahead();
    if (!this.client.isKnown(next)) {
      void this.client.load(next).catch((error: unknown) => this.refuse(error));
      return 'waiting';
    }
    this.client.done = next;
    this.paint();
    const isFailed = this.client.moments()?.some((moment) => moment.step.failed) ?? false;
    return isFailed ? 'ended' : 'stepped';
  }

  /** After a transient problem, another try may show the experiment. */
  private async show(): Promise<'shown' | 'refused' | 'outdated' | 'failed'> {
    try {
      if (!(await this.client.load(this.client.done))) return 'outdated';
    } catch (error) {
      this.refuse(error);
      return Problem.of(error).isTransient ? 'failed' : 'refused';
    }
    this.paint();
    return 'shown';
  }

  private paint(): void {
    const { client } = this;
    const moments = client.moments();
    if (moments === null) return;
    this.accept();
    this.accepted = { script: client.script, done: client.done };
    const live = new Set(allocatedBlocks(moments[0]?.segments ?? new Map()).map((block) => block.id));
    if (this.selected !== null && !live.has(this.selected)) this.selected = null;
    const before = client.before();
    const steps = this.has('streams') ? client.latest(LOGGED_STEPS) : null;
    for (const [index, moment] of moments.entries()) {
      const view = this.views[index];
      view?.show(moment, before?.[index] ?? null, this.selected);
      if (view !== undefined && steps !== null) showLog(view.log, steps, index);
    }
    this.numbers.show(moments);
    this.player.show(client.done, client.script.length);
    this.script.show(client.script, client.done);
    this.actions.show(this.selected);
    this.label.textContent = client.script.labelAt(client.done);
    setState(this.root, 'ready');
    setData(this.root, { done: client.done, length: client.script.length });
    this.address.changed();
  }

  private accept(): void {
    this.message.hidden = this.warning === null;
    if (this.warning !== null) fill(this.message, element('p', { class: 'notice warning' }, this.warning));
    this.warning = null;
    this.script.refuse(null);
    for (const view of this.views) view.form?.refuse(null);
  }

  /** Shows a problem where its cause is: at a line of the script, at settings, or above all. */
  private refuse(error: unknown): void {
    this.player.stop();
    const problem = Problem.of(error);
    const text = [problem.detail, problem.where, problem.next]
      .filter((part) => part !== null && part !== '')
      .join(' · ');
    const side = /^(?:member )?sides\[(\d)\]/.exec(problem.where ?? '')?.[1];
    if (side !== undefined) this.views[Number(side)]?.form?.refuse(text);
    else if (problem.where?.startsWith('line ') === true) this.script.refuse(text);
    fill(
      this.message,
      problemBox(problem, () => void this.show()),
    );
    this.message.hidden = false;
    setState(this.root, 'error');
  }

  private async download(side: number): Promise<string | null> {
    try {
      return await this.client.saveTrace(side);
    } catch (error) {
      this.refuse(error);
      return null;
    }
  }

  private async postMortem(side: number): Promise<void> {
    try {
      location.assign(await this.client.store(side));
    } catch (error) {
      this.refuse(error);
    }
  }
}
