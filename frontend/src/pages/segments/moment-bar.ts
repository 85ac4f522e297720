import { countText } from '../../base/numbers';
import { type Move, StepQueue } from '../../base/step-queue';
import { integer } from '../../model/view-parameters';
import { button, element } from '../display/element';
import type { EventListClient } from '../snapshot/event-list-client';
import { isRepeatedInput } from '../request/repeated-input';

/** Kinds of events to go to, as the filter of the event list; empty for any. */
const KINDS: readonly (readonly [action: string, label: string])[] = [
  ['', 'event'],
  ['alloc', 'allocation'],
  ['free', 'free'],
  ['segment', 'segment event'],
  ['oom', 'failed request'],
];
/** A whole recording is played in about this many states. */
const PLAYED_STATES = 300;
const FRAME_MILLIS = 100;

export interface MomentActions {
  /** Shows the state after an event; null: at the end of the recording. */
  show(event: number | null): void;
  /** Goes to a moment that is not reached step by step; Back returns. */
  jump(change: () => void): void;
  /** The kind of events to go to has changed. */
  kindChanged(): void;
  failed(error: unknown): void;
}

/** The controls that choose the moment of the memory map: a slider, steps to other events, and a player. */
export class MomentBar {
  readonly root: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly kind: HTMLSelectElement;
  private readonly player: HTMLButtonElement;
  private readonly label = element('output', { class: 'moment-label' });
  private event: number | null = null;
  private readonly entry = element('input', {
    class: 'moment-entry',
    inputmode: 'numeric',
    size: '8',
    placeholder: 'go to event',
    autocomplete: 'off',
    'aria-label': 'Go to event',
  });
  private readonly steps: StepQueue<number | null>;
  private timer = 0;
  /** Whether the state of the last event that was asked for is not shown yet. */
  private isWaiting = false;

  constructor(
    private readonly count: number,
    private readonly client: EventListClient,
    private readonly actions: MomentActions,
  ) {
    this.slider = element('input', {
      type: 'range',
      min: '0',
      max: String(count - 1),
      value: String(count - 1),
      'aria-label': 'Event after which the memory is shown',
    });
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
    this.kind = element(
      'select',
      { 'aria-label': 'Kind of event to go to' },
      ...KINDS.map(([value, label]) => element('option', { value }, label)),
    );
    this.kind.addEventListener('change', () => actions.kindChanged());
    this.player = button('▶', 'Play', () => this.toggle());
    this.root = element(
      'div',
      { class: 'view-bar moment-bar', role: 'toolbar', 'aria-label': 'Moment' },
      this.player,
      button('‹', 'Previous event of this kind (,)', () => this.step(-1)),
      button('›', 'Next event of this kind (.)', () => this.step(1)),
      this.kind,
      this.slider,
      this.label,
      this.entry,
      button('End', 'The state when the snapshot was taken', () => this.jumpTo(null)),
    );
    this.steps = new StepQueue(
      () => this.event,
      (error) => actions.failed(error),
    );
    this.set(null);
    this.entry.addEventListener('keydown', (key) => {
      if (key.key === 'Enter') this.enter();
    });
    this.entry.addEventListener('input', () => this.entry.setCustomValidity(''));
  }

  /** The kind of events to go to, as in the page's URL; null for any. */
  get kindOfEvent(): string | null {
    return this.kind.value === '' ? null : this.kind.value;
  }

  set kindOfEvent(kind: string | null) {
    this.kind.value = KINDS.some(([value]) => value === kind) ? (kind ?? '') : '';
  }

  /** Takes over a moment without showing it. */
  set(event: number | null): void {
    this.event = event;
    this.slider.value = String(event ?? this.count - 1);
    this.label.textContent = event === null ? 'at the end' : `after event ${countText(event)}`;
  }

  /** The state that was asked for is shown. */
  shown(): void {
    this.isWaiting = false;
  }

  /** Goes to the next (1) or previous (-1) event of the chosen kind. */
  step(by: -1 | 1): void {
    const { value: kind } = this.kind;
    this.add(async (event) => {
      const from = (event ?? this.count - 1) + by;
      if (from < 0 || from >= this.count) return null;
      const found = kind === '' ? from : await this.nearest(kind, from, by);
      return found === null ? null : () => this.go(found);
    });
  }

  /** Goes to the next failed request after the moment, or to the first. */
  toFailure(): void {
    this.add(async (event) => {
      const next = await this.nearest('oom', event === null ? 0 : event + 1, 1);
      const found = next ?? (await this.nearest('oom', 0, 1));
      return found === null ? null : () => this.jumpTo(found);
    });
  }

  /** A key that is held down does not make more steps than the server can find. */
  private add(step: (from: number | null) => Promise<Move>): void {
    if (!this.steps.isBusy || !isRepeatedInput()) this.steps.add(step);
  }

  /** The first event of a kind from `event` on, in either direction; null if there is none. */
  private async nearest(action: string, event: number, by: -1 | 1): Promise<number | null> {
    const filter = new URLSearchParams({ action });
    const { signal } = new AbortController();
    if (by === 1) {
      const [row] = (await this.client.around(filter, event, 1, signal)).rows;
      return row !== undefined && row.event >= event ? row.event : null;
    }
    // The rows around the event after it begin with the last one up to `event`.
    const { around, matchCount } = await this.client.around(filter, event + 1, 1, signal);
    const index = Math.min(around ?? 0, matchCount) - 1;
    if (index < 0) return null;
    return (await this.client.part(filter, index, 1, signal)).rows[0]?.event ?? null;
  }

  /** A moment that Back undoes. */
  jumpTo(event: number | null): void {
    this.actions.jump(() => this.go(event));
  }

  private enter(): void {
    const event = integer(this.entry.value);
    if (event !== null && event < this.count) {
      this.entry.value = '';
      this.jumpTo(event);
      return;
    }
    this.entry.setCustomValidity(`A number from 0 to ${countText(this.count - 1)}.`);
    this.entry.reportValidity();
  }

  private go(event: number | null): void {
    this.set(event);
    this.isWaiting = true;
    this.actions.show(event);
  }

  private toggle(): void {
    if (this.timer !== 0) {
      this.stop();
      return;
    }
    if (this.event === null || this.event >= this.count - 1) this.go(0);
    this.player.textContent = '❚❚';
    this.player.setAttribute('aria-label', 'Pause');
    this.timer = window.setInterval(() => {
      if (this.isWaiting) return;
      const next = Math.min(this.count - 1, (this.event ?? 0) + Math.max(1, Math.round(this.count / PLAYED_STATES)));
      this.go(next);
      if (next === this.count - 1) this.stop();
    }, FRAME_MILLIS);
  }

  private stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.player.textContent = '▶';
    this.player.setAttribute('aria-label', 'Play');
  }
}
