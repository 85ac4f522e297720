import { element } from '../display/element';

/** A link whose target is on this page: a plain click calls `action` instead of loading the page again. */
export function inPageLink(href: string, text: string, action: () => void): HTMLAnchorElement {
  const link = element('a', { href }, text);
  link.addEventListener('click', (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  return link;
}
