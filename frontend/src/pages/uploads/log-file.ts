import { element } from '../display/element';

/** The bytes that decide whether a file is a text. */
const HEAD = 4096;

/** The event log of RMM, with a header or without it. */
const RMM_LOG = /^(Thread,Time,Action,|Event Type,Device ID,|\d+,\d\d:\d\d:\d\d[.:]\d+,(allocate|free))/mu;

/**
 * Whether a file is a log rather than a snapshot: text that is neither JSON nor HTML, also as UTF-16 with a byte order
 * mark; of JSON, the counters of memory_stats() and the memory timelines of torch.profiler.
 */
export async function isLog(file: File): Promise<boolean> {
  if (/\.(pickle|pkl)(\.\w+)?$/iu.test(file.name)) return false; // Of an old protocol: the server says why not.
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  if (head.length === 0 || head[0] === 0x80 || head.some(isControl)) return false;
  const start = new TextDecoder().decode(head).trimStart();
  if (/^\[\s*\[\s*-?\d/u.test(start) || /\.all\.(current|allocated)"/u.test(start)) return true;
  const isJson = /^(\{\s*["}]|\[\s*[[{\]])/u.test(start);
  if (RMM_LOG.test(start)) return false; // It is stored as a trace.
  const isHtml = /^<(!doctype html|html|head|body|script|!--|meta|title|style|div)/iu.test(start);
  return !isJson && !isHtml && !start.startsWith('version https://git-lfs.github.com/');
}

/** Bytes that no log has; a terminal writes colours with escapes. */
function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
}

/** Opens the page that explains a log. The form is submitted, because the answer is a page. */
export function explainLog(file: File): void {
  const input = element('input', { type: 'file', name: 'file' });
  const form = element(
    'form',
    { method: 'post', action: '/explain', enctype: 'multipart/form-data', hidden: '' },
    input,
  );
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  document.body.append(form);
  form.submit();
}
