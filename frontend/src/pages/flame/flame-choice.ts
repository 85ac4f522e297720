import { Debounce } from '../../base/debounce';
import { wordsOf } from '../../model/flame-graph';
import { beforeLeaving } from '../request/before-leaving';

const TYPING_MILLIS = 200;
/** Fields with these values are left out of the URL. */
const DEFAULTS: Readonly<Record<string, string>> = { measure: 'live', frames: 'python', inverted: 'false', at: 'peak' };

/** The form above the flame graph: what it shows, and the text that is marked. */
export class FlameChoice {
  private readonly form = document.querySelector<HTMLFormElement>('form.flame-choice');

  /** Calls `changed` after each change, and `completed` when the user pauses, presses Enter or leaves the page. */
  listen(changed: (isText: boolean) => void, completed: () => void): void {
    const typing = new Debounce(TYPING_MILLIS, completed);
    this.showFields();
    this.form?.addEventListener('input', (event) => {
      this.showFields();
      changed((event.target as HTMLElement).getAttribute('name') === 'text');
      typing.changed();
    });
    this.form?.addEventListener('submit', (event) => event.preventDefault());
    beforeLeaving(() => typing.flush());
  }

  /** Only live and free memory have a moment, and only the others a window. */
  private showFields(): void {
    const measure = this.value('measure');
    for (const field of this.form?.querySelectorAll<HTMLElement>('[data-of]') ?? []) {
      field.hidden = !(field.dataset['of'] ?? '').split(' ').includes(measure);
    }
  }

  /** The parameters for the URL and the REST API. */
  parameters(): URLSearchParams {
    const parameters = new URLSearchParams();
    if (this.form === null) return parameters;
    for (const [name, value] of new FormData(this.form)) {
      if (typeof value === 'string' && value.trim() !== '' && value !== DEFAULTS[name]) {
        parameters.set(name, value.trim());
      }
    }
    return parameters;
  }

  /** The words of the search. */
  get words(): string[] {
    return wordsOf(this.value('text'));
  }

  private value(name: string): string {
    const value = this.form === null ? null : new FormData(this.form).get(name);
    return typeof value === 'string' ? value : '';
  }
}
