import { element } from './element';

/** Offers a text as a download. */
export function saveText(name: string, text: string): void {
  const link = element('a', { download: name, href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })) });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
