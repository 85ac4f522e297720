import { bytesText } from '../base/bytes';
import { shareText } from '../base/numbers';
import { element } from './element';
import { Problem, problemBox } from './problem';
import { upload, type UploadStep } from './upload';

/** One row of the list: a file on its way. */
interface Item {
  readonly row: HTMLElement;
  readonly file: File;
  readonly abort: AbortController;
  say(state: 'waiting' | 'sending' | 'storing' | 'done' | 'refused' | 'cancelled', text: string | Node): void;
  progress(share: number | null): void;
  refuse(problem: Problem, retry: () => void): void;
}

/**
 * Files dropped anywhere on the page go up at once, files chosen in the form when it is sent; one after another. After a
 * single file its snapshot opens; several stay as a list of links.
 */
export function mountDropZone(form: HTMLFormElement): void {
  const list = element('ul', { class: 'drop-list', 'aria-live': 'polite' });
  form.append(list);
  for (const idle of form.querySelectorAll('progress')) idle.hidden = true;
  const input = form.querySelector<HTMLInputElement>('input[type=file]');
  let queue: Promise<string | null> = Promise.resolve(null);

  const accept = (files: readonly File[]) => {
    for (const file of files) {
      const item = itemOf(file);
      list.append(item.row);
      queue = queue.then(() => send(form, item));
    }
    const mine = queue;
    void mine.then((id) => {
      const alone = files.length === 1 && mine === queue;
      if (alone && id !== null) location.assign(addressOfSnapshot(id));
    });
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    accept([...(input?.files ?? [])]);
    if (input !== null) input.value = '';
  });
  listenToDrops(form, accept);
}

/** Sends one file; gives its id, or null when it was refused or cancelled. */
async function send(form: HTMLFormElement, item: Item): Promise<string | null> {
  if (item.abort.signal.aborted) return null;
  try {
    const { id } = await upload(addressOf(form, item.file), item.file, (step) => tell(item, step), item.abort.signal);
    item.progress(null);
    item.say('done', element('a', { href: addressOfSnapshot(id) }, 'stored: open it'));
    return id;
  } catch (error) {
    item.progress(null);
    if (item.abort.signal.aborted) item.say('cancelled', 'cancelled');
    else item.refuse(Problem.of(error), () => void send(form, item));
    return null;
  }
}

function tell(item: Item, step: UploadStep): void {
  if (step.kind === 'storing') {
    item.progress(NaN);
    item.say('storing', 'reading and storing…');
    return;
  }
  const { sentBytes, totalBytes } = step;
  item.progress(totalBytes > 0 ? sentBytes / totalBytes : 1);
  item.say('sending', `${bytesText(sentBytes)} of ${bytesText(totalBytes)} · ${shareText(sentBytes, totalBytes)}`);
}

function addressOfSnapshot(id: string): string {
  return `/snapshots/${encodeURIComponent(id)}`;
}

/** The form's address with the file's name and the tags that were filled in. */
function addressOf(form: HTMLFormElement, file: File): string {
  const query = new URLSearchParams({ name: file.name });
  for (const tag of ['job', 'rank', 'host', 'step', 'labels']) {
    const field = form.elements.namedItem(tag);
    const value = field instanceof HTMLInputElement ? field.value.trim() : '';
    if (value !== '') query.set(tag, value);
  }
  const address = new URL(form.action);
  return `${address.pathname}?${query}`;
}

function itemOf(file: File): Item {
  const abort = new AbortController();
  const status = element('span', { class: 'status' }, 'waiting');
  const bar = element('progress', { max: '1', value: '0', 'aria-label': `Upload of ${file.name}` });
  const cancel = element('button', { type: 'button', class: 'plain', 'aria-label': `Cancel ${file.name}` }, 'Cancel');
  const side = element('span', { class: 'actions' }, status, cancel);
  const name = element('span', { class: 'name' }, `${file.name} (${bytesText(file.size)})`);
  const row = element('li', { class: 'drop-item' }, name, side, bar);
  const item: Item = {
    row,
    file,
    abort,
    say(state, text) {
      row.dataset['state'] = state;
      status.replaceChildren(text);
      cancel.hidden = state === 'done' || state === 'refused' || state === 'cancelled';
    },
    progress(share) {
      bar.hidden = share === null;
      if (share !== null && Number.isNaN(share)) bar.removeAttribute('value');
      else bar.value = share ?? 0;
    },
    refuse(problem, retry) {
      item.say('refused', 'refused');
      const box = problemBox(problem, () => {
        box.remove();
        item.progress(0);
        item.say('waiting', 'waiting');
        retry();
      });
      row.append(box);
    },
  };
  cancel.addEventListener('click', () => {
    abort.abort();
    item.progress(null);
    item.say('cancelled', 'cancelled');
  });
  return item;
}

/** The whole page takes files, and says so while one hangs over it. */
function listenToDrops(form: HTMLFormElement, accept: (files: readonly File[]) => void): void {
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const over = (is: boolean) => {
    form.toggleAttribute('data-over', is);
    document.documentElement.toggleAttribute('data-file-over', is);
  };
  document.addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    over(true);
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) over(false); // left the page, not just one element for the next
  });
  document.addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    over(false);
    accept([...(event.dataTransfer?.files ?? [])]);
  });
}
