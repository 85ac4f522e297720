import { visibleText } from '../../base/visible-text';
import { bytesText } from '../../base/bytes';
import { shareText } from '../../base/numbers';
import { element } from '../display/element';
import { explainLog, isLog } from './log-file';
import { Problem, problemBox } from '../display/problem';
import { refreshRecent } from './recent';
import { addTags, enteredTags, type Tags } from './tags';
import { upload, type UploadStep } from './upload';

/** A row in the list of uploads. */
interface Item {
  readonly row: HTMLElement;
  readonly file: File;
  readonly abort: AbortController;
  setState(state: 'waiting' | 'sending' | 'storing' | 'done' | 'failed' | 'cancelled', text: string | Node): void;
  progress(share: number | null): void;
  fail(problem: Problem, retry: () => void): void;
}

/**
 * Uploads files dropped anywhere on the page immediately, and files chosen in the form when it is submitted; one after
 * another. After a single file the page of its snapshot opens; after several they stay listed as links. A file that is
 * stored already keeps its tags, unless the user adds the entered ones.
 */
export function mountDropZone(form: HTMLFormElement): void {
  const list = element('ul', { class: 'drop-list', 'aria-live': 'polite' });
  form.append(list);
  for (const bar of form.querySelectorAll('progress')) bar.hidden = true;
  const input = form.querySelector<HTMLInputElement>('input[type=file]');
  let queue: Promise<Sent | null> = Promise.resolve(null);

  const accept = async (files: readonly File[]) => {
    const [first] = files;
    if (files.length === 1 && first !== undefined && (await isLog(first))) {
      explainLog(first);
      return;
    }
    for (const file of files) {
      const item = itemOf(file);
      list.append(item.row);
      queue = queue.then(() => send(form, item, files.length === 1));
    }
    const last = queue;
    void last.then((sent) => {
      const isOnlyUpload = files.length === 1 && last === queue;
      if (isOnlyUpload && sent !== null && !sent.needsChoice) location.assign(sent.path);
      else if (last === queue) refreshRecent();
    });
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void accept([...(input?.files ?? [])]);
    if (input !== null) input.value = '';
  });
  listenToDrops(form, (files) => void accept(files));
}

/** A stored file: the page to open, and whether the user first has to decide about its tags. */
interface Sent {
  readonly path: string;
  readonly needsChoice: boolean;
}

/**
 * Uploads one file. Returns null if the upload failed or was cancelled. Whether a compressed file is a log, only the
 * server knows: one that was dropped alone is explained.
 */
async function send(form: HTMLFormElement, item: Item, isAlone: boolean): Promise<Sent | null> {
  if (item.abort.signal.aborted) return null;
  const tags = enteredTags(form);
  try {
    const { id, isDuplicate } = await upload(
      uploadPath(form, item.file, tags),
      item.file,
      (step) => showStep(item, step),
      item.abort.signal,
    );
    item.progress(null);
    const path = snapshotPath(id);
    const needsChoice = isDuplicate && tags.size > 0;
    item.setState(
      'done',
      isDuplicate ? duplicateText(id, needsChoice ? tags : null) : link(path, 'Stored. Open snapshot'),
    );
    return { path: isDuplicate ? `${path}?duplicate` : path, needsChoice };
  } catch (error) {
    item.progress(null);
    if (item.abort.signal.aborted) item.setState('cancelled', 'cancelled');
    else {
      const problem = Problem.of(error);
      item.fail(problem, () => void send(form, item, isAlone));
      if (isAlone && problem.isText) explainLog(item.file);
    }
    return null;
  }
}

/** What is shown for a file that was stored before, with a button that adds the entered tags. */
function duplicateText(id: string, tags: Tags | null): HTMLElement {
  const text = element('span', {}, link(snapshotPath(id), 'Already stored. Open snapshot'));
  if (tags === null) return text;
  const button = element('button', { type: 'button' }, 'Add the entered tags');
  button.addEventListener('click', () => {
    button.disabled = true;
    void addTags(id, tags).then(
      (result) => {
        button.replaceWith(`${result} `, link(`${snapshotPath(id)}/edit`, 'Edit tags'));
        refreshRecent();
      },
      (error: unknown) => button.replaceWith(Problem.of(error).message),
    );
  });
  text.append(' ', button);
  return text;
}

function link(path: string, text: string): HTMLElement {
  return element('a', { href: path }, text);
}

function showStep(item: Item, step: UploadStep): void {
  if (step.kind === 'storing') {
    item.progress(NaN);
    item.setState('storing', 'reading and storing…');
    return;
  }
  const { sentBytes, totalBytes } = step;
  item.progress(totalBytes > 0 ? sentBytes / totalBytes : 1);
  item.setState('sending', `${bytesText(sentBytes)} of ${bytesText(totalBytes)} · ${shareText(sentBytes, totalBytes)}`);
}

function snapshotPath(id: string): string {
  return `/snapshots/${encodeURIComponent(id)}`;
}

/** The form's action with the file's name and the entered tags. */
function uploadPath(form: HTMLFormElement, file: File, tags: Tags): string {
  const query = new URLSearchParams([['name', file.name], ...tags]);
  return `${new URL(form.action).pathname}?${query}`;
}

function itemOf(file: File): Item {
  const abort = new AbortController();
  const status = element('span', { class: 'status' }, 'waiting');
  const bar = element('progress', { max: '1', value: '0', 'aria-label': `Upload of ${visibleText(file.name)}` });
  const cancel = element(
    'button',
    { type: 'button', class: 'plain', 'aria-label': `Cancel ${visibleText(file.name)}` },
    'Cancel',
  );
  const side = element('span', { class: 'actions' }, status, cancel);
  const name = element('span', { class: 'name' }, `${visibleText(file.name)} (${bytesText(file.size)})`);
  const row = element('li', { class: 'drop-item' }, name, side, bar);
  const item: Item = {
    row,
    file,
    abort,
    setState(state, text) {
      row.dataset['state'] = state;
      status.replaceChildren(text);
      cancel.hidden = state === 'done' || state === 'failed' || state === 'cancelled';
    },
    progress(share) {
      bar.hidden = share === null;
      if (share !== null && Number.isNaN(share)) bar.removeAttribute('value');
      else bar.value = share ?? 0;
    },
    fail(problem, retry) {
      item.setState('failed', 'failed');
      const box = problemBox(problem, () => {
        box.remove();
        item.progress(0);
        item.setState('waiting', 'waiting');
        retry();
      });
      row.append(box);
    },
  };
  cancel.addEventListener('click', () => {
    abort.abort();
    item.progress(null);
    item.setState('cancelled', 'cancelled');
  });
  return item;
}

/** Makes the whole page a drop target, highlighted while files are dragged over it. */
function listenToDrops(form: HTMLFormElement, accept: (files: readonly File[]) => void): void {
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const highlight = (isOver: boolean) => {
    form.toggleAttribute('data-over', isOver);
    document.documentElement.toggleAttribute('data-file-over', isOver);
  };
  document.addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    highlight(true);
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) highlight(false); // left the page rather than moved to another element
  });
  document.addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    highlight(false);
    accept([...(event.dataTransfer?.files ?? [])]);
  });
}
