import { wordsOf } from '../model/flame-graph';

const TYPING_MILLIS = 200;
/** Fields with these values are left out of the URL. */
const DEFAULTS: Readonly<Record<string, string>> = { measure: 'live', frames: 'python', inverted: 'false', at: 'peak' };

/** The form above the flame graph: what it shows, and the text that is marked. */
export class FlameChoice {
  private readonly form = document.querySelector<HTMLFormElement>('form.flame-choice');

  /** Calls `changed` when the user pauses after a change; `typed` at once after each change. */
  listen(changed: (isText: boolean) => void, typed: () => void): void {
    let timer = 0;
    this.showFields();
    this.form?.addEventListener('input', (event) => {
      this.showFields();
      typed();
      window.clearTimeout(timer);
      const isText = (event.target as HTMLElement).getAttribute('name') === 'text';
      timer = window.setTimeout(() => changed(isText), TYPING_MILLIS);
    });
    this.form?.addEventListener('submit', (event) => {
      event.preventDefault();
      changed(true);
    });
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
