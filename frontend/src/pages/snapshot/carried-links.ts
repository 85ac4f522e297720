import { completed } from '../../model/view-parameters';

/** Lets the links within the views of a snapshot, to other parts of it, keep what is shown, as its tabs do. */
export function mountCarriedLinks(tabs: HTMLElement): void {
  const complete = (event: Event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.view a[href]');
    const current = tabs.querySelector<HTMLAnchorElement>('a[aria-current]');
    const overview = tabs.querySelector<HTMLAnchorElement>('a');
    if (link === null || current === null || overview === null) return;
    if (link.pathname.startsWith(`${overview.pathname}/`)) {
      link.setAttribute('href', completed(link.getAttribute('href') ?? '', current.search));
    }
  };
  // The tabs change while the user moves, but a link only when it is followed.
  for (const type of ['click', 'auxclick']) document.addEventListener(type, complete, { capture: true });
}
