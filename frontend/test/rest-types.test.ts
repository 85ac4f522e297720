import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import { expect, it } from 'vitest';
import { FILE, restTypes } from '../rest-types.mjs';

it('types of answers are those of the OpenAPI document; otherwise: npm run rest-types', async () => {
  const source = await format(restTypes(), { parser: 'typescript', printWidth: 120, singleQuote: true });
  expect(readFileSync(FILE, 'utf8')).toBe(source);
});

it('members that may be missing or null are marked', () => {
  const document = {
    components: {
      schemas: {
        LabAnswer: {
          properties: {
            all: { type: 'array', items: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] } },
            kind: { type: 'string', enum: ['one', 'two'] },
            name: { type: ['string', 'null'] },
            sizes: { type: 'object', additionalProperties: { type: 'integer' } },
          },
          required: ['all', 'kind', 'name'],
        },
        Part: { properties: { isKnown: { type: 'boolean' } }, required: ['isKnown'] },
      },
    },
  };
  expect(restTypes(document, ['LabAnswer'])).toContain(`
export interface LabAnswer {
  readonly all: readonly (Part | null)[];
  readonly kind: 'one' | 'two';
  readonly name: string | null;
  readonly sizes?: Readonly<Record<string, number>>;
}

export interface Part {
  readonly isKnown: boolean;
}
`);
});
