import '../styles/index.css';
import '../styles/views.css';
import { mountCopyButtons } from './display/copy';
import { mountCarriedLinks } from './snapshot/carried-links';
import { mountConfirmations } from './display/confirm';
import { mountDeviceSelect } from './snapshot/device-select';
import { mountDropZone } from './uploads/drop-zone';
import { mountExportSizes } from './snapshot/export-sizes';
import { mountHelp } from './display/help';
import { mountInPlaceForms, mountRefresh } from './request/in-place';
import { mountPresses } from './display/press';
import { mountReplays } from './snapshot/replays';
import { mountSelection } from './uploads/selection';
import { mountSortableTable } from './display/sortable';
import { mountTerms } from './display/terms';
import { mountThemeToggle } from './display/theme';
import { mountWhatIf } from './snapshot/what-if';

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
each('[data-export-sizes]', (list) => void mountExportSizes(list));
mountInPlaceForms();

// Canvas views are loaded only on pages that have one.
each(
  '[data-active-timeline]',
  (root) => void import('./timeline/timeline').then(({ mountTimeline }) => mountTimeline(root)),
);
each(
  '[data-event-list]',
  (root) => void import('./events/event-list').then(({ mountEventList }) => mountEventList(root)),
);
each(
  '[data-flame-graph]',
  (root) => void import('./flame/flame-graph').then(({ mountFlameGraph }) => mountFlameGraph(root)),
);
each(
  '[data-flame-diff]',
  (root) => void import('./flame/flame-diff').then(({ mountFlameDiff }) => mountFlameDiff(root)),
);
each(
  '[data-segment-timeline]',
  (root) => void import('./timeline/segment-timeline').then(({ mountSegmentTimeline }) => mountSegmentTimeline(root)),
);
each(
  '[data-memory-map]',
  (root) => void import('./segments/memory-map').then(({ mountMemoryMap }) => mountMemoryMap(root)),
);
each('[data-live-allocator]', (root) => void import('./live/live').then(({ mountLive }) => mountLive(root)));
each('[data-lab="exercise"]', (root) => void import('./lab/lab').then(({ mountLab }) => mountLab(root)));
each('[data-lab="picture"]', (root) => void import('./lab/lab-picture').then(({ LabPicture }) => new LabPicture(root)));
