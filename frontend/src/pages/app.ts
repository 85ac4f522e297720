import '../styles/index.css';
import '../styles/views.css';
import { mountCopyButtons } from './copy';
import { mountCarriedLinks } from './carried-links';
import { mountConfirmations } from './confirm';
import { mountDeviceSelect } from './device-select';
import { mountDropZone } from './drop-zone';
import { mountHelp } from './help';
import { mountInPlaceForms, mountRefresh } from './in-place';
import { mountPresses } from './press';
import { mountReplays } from './replays';
import { mountSelection } from './selection';
import { mountSortableTable } from './sortable';
import { mountTerms } from './terms';
import { mountThemeToggle } from './theme';
import { mountWhatIf } from './what-if';

/** Calls `mount` for each element of the page that matches. */
function each(selector: string, mount: (element: HTMLElement) => void): void {
  for (const found of document.querySelectorAll<HTMLElement>(selector)) mount(found);
}

each('[data-theme-toggle]', mountThemeToggle);
each('table[data-sortable]', (table) => mountSortableTable(table as HTMLTableElement));
each('form[data-selection]', (form) => mountSelection(form as HTMLFormElement));
each('select[data-device]', (select) => mountDeviceSelect(select as HTMLSelectElement));
each('form[data-confirm]', (form) => mountConfirmations(form as HTMLFormElement));
each('[data-view-tabs]', mountCarriedLinks);
each('form[data-drop-zone]', (form) => mountDropZone(form as HTMLFormElement));
mountCopyButtons();
mountHelp();
mountTerms();
mountPresses();

each('[data-refresh]', mountRefresh);
void mountReplays();
each('[data-what-if]', mountWhatIf);
mountInPlaceForms();

// Canvas views are loaded only on pages that have one.
each('[data-active-timeline]', (root) => void import('./timeline').then(({ mountTimeline }) => mountTimeline(root)));
each('[data-event-list]', (root) => void import('./event-list').then(({ mountEventList }) => mountEventList(root)));
each('[data-flame-graph]', (root) => void import('./flame-graph').then(({ mountFlameGraph }) => mountFlameGraph(root)));
each('[data-flame-diff]', (root) => void import('./flame-diff').then(({ mountFlameDiff }) => mountFlameDiff(root)));
each(
  '[data-segment-timeline]',
  (root) => void import('./segment-timeline').then(({ mountSegmentTimeline }) => mountSegmentTimeline(root)),
);
each('[data-memory-map]', (root) => void import('./memory-map').then(({ mountMemoryMap }) => mountMemoryMap(root)));
each('[data-live-allocator]', (root) => void import('./live').then(({ mountLive }) => mountLive(root)));
each('[data-lab="exercise"]', (root) => void import('./lab').then(({ mountLab }) => mountLab(root)));
each('[data-lab="picture"]', (root) => void import('./lab-picture').then(({ LabPicture }) => new LabPicture(root)));
