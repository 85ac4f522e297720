import { placeText } from '../model/frames';
import { element } from './element';
import type { Site } from './server';

/** The line of code that asked for memory; a library's is not passed off as the program's own. */
export function siteLine(site: Site | null): HTMLElement {
  if (site === null) return element('p', { class: 'site muted' }, 'No stack was recorded.');
  const line = [element('strong', {}, site.name), ' ', element('span', { class: 'frame-place' }, placeText(site))];
  const title = site.file === '' ? site.name : `${site.file}:${site.line}`;
  if (site.kind === 'user') return element('p', { class: 'site', title }, ...line);
  return element(
    'p',
    { class: 'site muted', title },
    'No line of the program\u2019s own code in this stack; innermost in a library: ',
    ...line,
  );
}
