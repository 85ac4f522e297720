import { locationText } from '../../model/frames';
import { element } from '../display/element';
import type { Site } from './snapshot-client';

/** The allocation site of a stack, linked to `href`; a site in library code is marked as such. */
export function siteLine(site: Site | null, href: string | null = null): HTMLElement {
  if (site === null) return element('p', { class: 'site muted' }, 'No stack was recorded.');
  const name = element('strong', {}, site.name);
  const line = [
    href === null ? name : element('a', { href, title: 'All blocks of this site' }, name),
    ' ',
    element('span', { class: 'frame-place' }, locationText(site)),
  ];
  const title = site.file === '' ? site.name : `${site.file}:${site.line}`;
  if (site.kind === 'user') return element('p', { class: 'site', title }, ...line);
  return element('p', { class: 'site muted', title }, 'No user code in this stack. Innermost library frame: ', ...line);
}
