/**
 * Characters that are not shown as they are: controls, line and paragraph separators, halves of surrogate pairs, and format
 * characters such as U+202E, which reverses the text behind it. The same as those of the server's `VisibleText`.
 */
const UNSAFE = /(?![\n\t\u{ad}\u{200b}-\u{200d}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** JSON without these escapes has none of those characters: the server escapes them. */
const ESCAPE = /\\[urbf]/u;

/** The text with unsafe characters as escapes that a reader sees, such as `\u001b` for ESC. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, escaped);
}

/** The value of a JSON text of the server, to be shown: each string in it is visible text. Throws SyntaxError. */
export function parseVisible(json: string): unknown {
  return ESCAPE.test(json)
    ? JSON.parse(json, (_key, value: unknown) => (typeof value === 'string' ? visibleText(value) : value))
    : JSON.parse(json);
}

function escaped(character: string): string {
  if (character === '\r') return String.raw`\r`;
  return Array.from({ length: character.length }, (_, at) => unitText(character.charCodeAt(at))).join('');
}

function unitText(unit: number): string {
  return String.raw`\u` + unit.toString(16).padStart(4, '0');
}
