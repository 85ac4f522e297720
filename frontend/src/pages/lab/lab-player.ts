import { button, element } from '../display/element';

const SPEEDS = [2, 10, 60] as const;

/** Steps through a script: back, forward, and by itself at a number of steps per second. */
export class LabPlayer {
  readonly root = element('div', { class: 'lab-player', role: 'group', 'aria-label': 'Steps' });
  private readonly position = element('output', { class: 'lab-position' });
  private readonly play: HTMLButtonElement;
  private readonly speed = element(
    'select',
    { 'aria-label': 'Steps per second' },
    ...SPEEDS.map((speed) => element('option', { value: String(speed) }, `${speed} steps/s`)),
  );
  private frame = 0;
  private last = 0;
  private owed = 0;

  /** `step` goes to the next operation, if it is known. */
  constructor(
    actions: { first(): void; back(): void; forward(): void; end(): void },
    private readonly step: () => 'stepped' | 'waiting' | 'ended',
    private readonly playing: (isFast: boolean) => void,
  ) {
    this.play = button('▶ Play', 'Play (p)', () => this.toggle());
    this.root.append(
      button('Start', 'To the start (Home)', actions.first),
      button('◀ Back', 'One step back (,)', actions.back),
      button('Step ▶', 'One step forward (.)', actions.forward),
      this.play,
      this.speed,
      button('End', 'To the end (End)', actions.end),
      this.position,
    );
  }

  show(done: number, length: number): void {
    this.position.textContent = `${done} of ${length}`;
    this.position.dataset['done'] = String(done);
  }

  get isPlaying(): boolean {
    return this.frame !== 0;
  }

  toggle(): void {
    if (this.isPlaying) this.stop();
    else this.start();
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.play.textContent = '▶ Play';
    this.playing(false);
  }

  private start(): void {
    this.play.textContent = 'Pause';
    this.last = performance.now();
    this.owed = 1;
    const run = (now: number) => {
      const perSecond = Number(this.speed.value);
      this.playing(perSecond > 10);
      // A tab that was in the background does not catch up.
      this.owed = Math.min(4, this.owed + ((now - this.last) * perSecond) / 1000);
      this.last = now;
      let outcome: 'stepped' | 'waiting' | 'ended' = 'stepped';
      while (this.owed >= 1 && outcome === 'stepped') {
        outcome = this.step();
        if (outcome === 'stepped') this.owed--;
      }
      if (outcome === 'ended') this.stop();
      else this.frame = requestAnimationFrame(run);
    };
    this.frame = requestAnimationFrame(run);
  }
}
