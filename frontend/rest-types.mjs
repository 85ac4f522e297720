// Writes src/model/rest-types.ts: the types of the answers that the frontend reads, from ../docs/openapi.json. It is our own
// because openapi-typescript does not work with TypeScript 7.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The answers; the types that they refer to come with them. */
const ANSWERS = [
  'AllocationView',
  'EventListView',
  'EventView',
  'FlameDiffView',
  'FlameView',
  'LabAnswer',
  'LabSnapshot',
  'LabTrace',
  'SmallAllocations',
  'StackView',
  'StoredSnapshot',
];

const HEAD = `// Generated from docs/openapi.json: npm run rest-types. The Java records of the same names describe the members.
`;

const REFERENCE = '#/components/schemas/';
const folder = dirname(fileURLToPath(import.meta.url));
const OPEN_API = join(folder, '../docs/openapi.json');
export const FILE = join(folder, 'src/model/rest-types.ts');

/**
 * The content of the file, before it is formatted.
 *
 * @param {{ components: { schemas: Record<string, any> } }} document
 * @param {readonly string[]} answers
 */
export function restTypes(document = JSON.parse(readFileSync(OPEN_API, 'utf8')), answers = ANSWERS) {
  const { schemas } = document.components;
  const names = new Set(answers);
  // A set also visits what is added on the way.
  for (const name of names) {
    for (const [, found] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      names.add(found);
  }
  return [HEAD, ...[...names].sort().map((name) => interfaceOf(name, schemas[name]))].join('\n');
}

function interfaceOf(name, { properties, required = [] }) {
  const members = Object.entries(properties).map(
    ([member, schema]) => `  readonly ${member}${required.includes(member) ? '' : '?'}: ${typeOf(schema)};\n`,
  );
  return `export interface ${name} {\n${members.join('')}}\n`;
}

function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref.slice(REFERENCE.length);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'array':
      return `readonly ${grouped(typeOf(schema.items))}[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'object':
      return `Readonly<Record<string, ${typeOf(schema.additionalProperties ?? {})}>>`;
    default:
      return 'unknown';
  }
}

function grouped(type) {
  return /[ |]/.test(type) ? `(${type})` : type;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, restTypes());
