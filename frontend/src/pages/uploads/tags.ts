import type * as Rest from '../../model/rest-types';
import { Problem } from '../display/problem';

/** Tags entered in a form, by field name; fields without a value are absent. */
export type Tags = ReadonlyMap<string, string>;

const FIELDS = ['job', 'rank', 'host', 'step', 'labels'] as const;

export function enteredTags(form: HTMLFormElement): Tags {
  const tags = new Map<string, string>();
  for (const name of FIELDS) {
    const field = form.elements.namedItem(name);
    const value = field instanceof HTMLInputElement ? field.value.trim() : '';
    if (value !== '') tags.set(name, value);
  }
  return tags;
}

/** The tags of a stored snapshot, as the service returns them. */
export type StoredTags = Rest.Tags;

/** The merge patch of the tags that adds some: a tag that is set already keeps its value, labels are united. */
export function patchThatAdds(stored: StoredTags, tags: Tags): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of ['job', 'rank', 'host'] as const) {
    const value = tags.get(name);
    if (value !== undefined && stored[name] === null) patch[name] = value;
  }
  const step = tags.get('step');
  if (step !== undefined && stored.step === null) patch['step'] = Number(step);
  const labels = (tags.get('labels') ?? '').split(',').map((label) => label.trim());
  const added = labels.filter((label) => label !== '' && !stored.labels.includes(label));
  if (added.length > 0) patch['labels'] = [...stored.labels, ...new Set(added)];
  return patch;
}

/** One sentence or two on what a patch adds of the entered tags, and which of them it leaves as they are stored. */
export function additionText(tags: Tags, patch: Readonly<Record<string, unknown>>): string {
  const added = FIELDS.filter((name) => name in patch);
  const kept = FIELDS.filter((name) => tags.has(name) && !(name in patch));
  const sentences: string[] = [];
  if (added.length > 0) sentences.push(`Added ${listText(added)}.`);
  if (kept.length > 0) {
    const isPlural = kept.length > 1 || kept[0] === 'labels';
    sentences.push(`${listText(kept)} ${isPlural ? 'are already set and were' : 'is already set and was'} kept.`);
  }
  return sentences.join(' ');
}

function listText(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
}

/** Adds tags to a stored snapshot. Resolves to a text on what was added and kept; rejects with a Problem. */
export async function addTags(id: string, tags: Tags): Promise<string> {
  const url = `/api/v1/snapshots/${encodeURIComponent(id)}`;
  const accept = { Accept: 'application/json, application/problem+json' };
  const stored = await answerOf(await fetch(url, { headers: accept }));
  const patch = patchThatAdds((stored as Rest.StoredSnapshot).tags, tags);
  if (Object.keys(patch).length > 0) {
    const headers = { ...accept, 'Content-Type': 'application/merge-patch+json' };
    await answerOf(await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ tags: patch }) }));
  }
  return additionText(tags, patch);
}

async function answerOf(response: Response): Promise<unknown> {
  if (!response.ok) throw Problem.read(response.status, await response.text());
  return response.json();
}
