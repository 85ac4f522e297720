import { expect, test } from 'vitest';
import { parseVisible, visibleText } from '../src/base/visible-text';

test('controls, directions, separators and halves are escaped as the server escapes them', () => {
  expect(visibleText('\u001b[31m\u0007\u009b\u202e\u2028\ufeff\ud800\u0000\u007f')).toBe(
    String.raw`\u001b[31m\u0007\u009b\u202e\u2028\ufeff\ud800\u0000\u007f`,
  );
  expect(visibleText('a\udb40\udc41b')).toBe(String.raw`a\udb40\udc41b`);
  expect(visibleText('a\rb\r\nc')).toBe('a\\rb\nc');
});

test('letters, joiners, line ends and tabs remain', () => {
  const text = 'größe 日本 😀 👩\u200d💻 a\u00adb می\u200cخواهم\n\t\\u001b';
  expect(visibleText(text)).toBe(text);
});

test('every string of a JSON text is visible, and no other value changes', () => {
  const value = { name: 'a\u001b', list: ['\u202e', 1, null, true, { '\u001b': 'ok' }], text: 'é "quoted" \\n' };
  const json = JSON.stringify(value).replace('\u202e', String.raw`\u202e`);
  expect(parseVisible(json)).toEqual({
    name: String.raw`a\u001b`,
    list: [String.raw`\u202e`, 1, null, true, { '\u001b': 'ok' }],
    text: 'é "quoted" \\n',
  });
  expect(parseVisible('{"a":[1,"b"]}')).toEqual({ a: [1, 'b'] });
  expect(() => parseVisible('{')).toThrow(SyntaxError);
});
