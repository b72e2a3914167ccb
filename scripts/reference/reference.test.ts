// Goal: the pages of the reference say what the definitions say. Method: pages of a small plugin, as text.
import { buildSchema } from 'graphql';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import {
  createCollection,
  createToken,
  defineEvent,
  defineJob,
  defineOperation,
  definePlugin,
  defineQuery,
  model,
  nullable,
  oneOf,
  type Plugin,
} from '../../core/src/index.ts';
import { Declarations } from './declarations.ts';
import { errorsPage } from './errors.ts';
import { eventsPage } from './events.ts';
import { anchorOf, prose } from './markdown.ts';
import { modelsPage } from './models.ts';
import { operationsPage } from './operations.ts';
import { pluginsPage } from './plugins.ts';
import { queriesPage } from './queries.ts';
import { otherVersions, undescribed } from './reference-set.ts';
import { servicesPage, tokensIn } from './services.ts';

const watched = defineEvent('garden.plant-watered', model('PlantWatered', { plant_id: Type.String() }));
const bed = model('Bed', { rows: Type.Integer({ minimum: 1, maximum: 9 }) });

function plugin(
  change: { readonly summary?: string; readonly errors?: Readonly<Record<string, string>> } = {},
): Plugin {
  return definePlugin({
    name: 'garden',
    title: 'Garden',
    version: '1.0.0',
    kernel: '^0.1.0',
    domain: 'garden',
    events: [watched],
    operations: [
      defineOperation({
        name: 'water-plant',
        summary: change.summary ?? 'Waters one plant.',
        role: 'member',
        openapi: { id: 'water_plant', tag: 'garden' },
        mcp: { held: 'Only for tests.' },
        input: model('WaterPlantRequest', {
          kind: oneOf(['rose', 'fern']),
          note: Type.Optional(nullable(Type.String({ maxLength: 20, description: 'Free text.' }))),
        }),
        output: bed,
        emits: [watched],
        errors: change.errors ?? {
          NOT_FOUND: 'No plant has the id.',
          PLANT_DRY: { kind: 'conflict', meaning: 'It is too late.' },
        },
        handle: async () => ({ rows: 1 }),
      }),
    ],
    queries: [
      defineQuery({
        name: 'beds',
        summary: 'The beds of the garden.',
        args: model('BedsArgs', { limit: Type.Optional(Type.Integer()) }),
        returns: Type.Array(bed),
        resolve: async () => [],
      }),
    ],
    jobs: [
      defineJob({
        name: 'note-water',
        summary: 'Notes it.',
        on: watched,
        maxSeconds: 5,
        handle: async () => undefined,
      }),
    ],
  });
}

const graphql = buildSchema('type Query { beds(limit: Int = 5): [Bed!]! } type Bed { rows: Int! }');
const paths = new Map([['water-plant', '/extensions/garden/{graph_id}/operations/water-plant']]);

describe('the reference', () => {
  it('describes an operation by its path, fields, errors and events', () => {
    const { text } = operationsPage({ plugins: [plugin()], graphql, paths });
    for (const line of [
      'POST /extensions/garden/{graph_id}/operations/water-plant',
      '| `kind` | `"rose"` or `"fern"` | yes |  |',
      '| `note` | string or null |  | at most 20 characters; Free text. |',
      '| 404 | [`NOT_FOUND`](errors.md#not_found) | No plant has the id. |',
      '| 409 | [`PLANT_DRY`](errors.md#plant_dry) | It is too late. |',
      '- Publishes: [`garden.plant-watered`](events.md#gardenplant-watered)',
      '- Result: [`Bed`](models.md#bed)',
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('describes queries with the arguments of the composed schema, and the cost of a list', () => {
    const lines = queriesPage({ plugins: [plugin()], graphql, paths }).text.split('\n');
    expect(lines).toContain('| `limit` | `Int` | `5` |');
    expect(lines).toContain('- Cost: 10 points per 50 rows; at most 1000 rows');
    expect(lines).toContain('- Result: [`[Bed!]!`](graphql-types.md#bed)');
  });

  it('lists the fields of every model once', () => {
    const { text } = modelsPage([plugin()]);
    expect(text.match(/^## .*/gm)).toEqual(['## Bed', '## PlantWatered', '## WaterPlantRequest']);
    expect(text).toContain('| `rows` | integer | yes | 1 to 9 |');
  });

  it('lists errors by code, with the parts that answer them', () => {
    expect(errorsPage([plugin()]).text).toContain(
      '### PLANT_DRY\n\n- It is too late. [`water-plant`](operations.md#water-plant)\n',
    );
  });

  it('takes the meaning of events and of their fields from the comments in the source', () => {
    const source = `/** A plant got water. */
export default defineEvent('garden.plant-watered', model('PlantWatered', {
  // The id of the plant.
  plant_id: Type.String(),
}));`;
    const comments = new Declarations([{ path: 'a.ts', text: source }], new Map()).events();
    const { text, problems } = eventsPage([plugin()], comments);
    expect(problems).toEqual([]);
    for (const line of [
      '| [`garden.plant-watered`](#gardenplant-watered) | A plant got water. |',
      '- Published by: [`water-plant`](operations.md#water-plant)',
      '- Handled by: [`note-water`](plugins.md#garden)',
      '| `plant_id` | string | yes | The id of the plant. |',
    ])
      expect(text.split('\n')).toContain(line);
    expect(pluginsPage([plugin()]).text).toContain('on [`garden.plant-watered`](events.md#gardenplant-watered)');
  });

  it('describes services by their tokens and types, without bodies and private members', () => {
    const files = [
      { path: 'g/index.ts', text: `export { pump, tools } from './tokens.ts';` },
      {
        path: 'g/tokens.ts',
        text: `import type { Pump as Machine } from './pump.ts';
export const pump = createToken<Machine>('garden.pump');
/** What gardeners work with. */
export const tools: Collection<Tool> = createCollection('garden.tools');
interface Tool { readonly key: string }`,
      },
      {
        path: 'g/pump.ts',
        text: `/** Moves water. */
export class Pump {
  readonly #power = 1;
  constructor() {}
  /** Starts it. */
  async start(speed: number): Promise<void> { await this.#turn(speed); }
  async #turn(speed: number): Promise<void> {}
}`,
      },
    ];
    const exports = { pump: createToken('garden.pump'), group: { tools: createCollection('garden.tools') }, other: 1 };
    const tokens = tokensIn('@acme/garden', exports);
    const { text, problems } = servicesPage(tokens, new Declarations(files, new Map()), [plugin()]);
    expect(problems).toEqual([]);
    expect(text).toContain('interface Pump {\n  /** Starts it. */\n  start(speed: number): Promise<void>;\n}');
    expect(text).toContain('| [`garden.pump`](#gardenpump) | `pump` from `@acme/garden` | Moves water. |');
    expect(text).toContain('| [`garden.tools`](#gardentools) | `group.tools` from `@acme/garden` |');
    expect(text).not.toContain('#power');
  });

  it('refuses definitions without a summary, codes without a status, and comments that are missing', () => {
    expect(undescribed([plugin({ summary: ' ' })])).toEqual([
      'garden: the operation "water-plant" needs a summary of one or more sentences.',
    ]);
    expect(undescribed([plugin({ errors: { PLANT_DRY: 'It is too late.' } })])).toEqual([
      'garden: the operation "water-plant" declares PLANT_DRY without a kind; use { kind, meaning }.',
    ]);
    expect(eventsPage([plugin()], new Map()).problems).toHaveLength(1);
    const undocumented = [{ path: 'a.ts', text: `export const pump = createToken<number>('garden.pump');` }];
    const tokens = tokensIn('@acme/garden', { pump: createToken('garden.pump') });
    expect(servicesPage(tokens, new Declarations(undocumented, new Map()), []).problems).toHaveLength(1);
  });

  it('refuses a plugin whose version is not that of its package', () => {
    const owner = { name: '@pacioli/garden', folder: 'plugins/garden', isPrivate: false, entryPoints: new Map() };
    expect(otherVersions([plugin()], [{ ...owner, version: '1.0.0' }])).toEqual([]);
    expect(otherVersions([plugin()], [{ ...owner, version: '1.1.0' }])).toEqual([
      'plugins/garden: the definition has the version 1.0.0, the package 1.1.0.',
    ]);
  });

  it('escapes text for Markdown, except for code in it', () => {
    expect(prose('a_b | `x_y|z` <c>')).toBe('a\\_b \\| `x_y\\|z` \\<c\\>');
    expect(anchorOf('ledger.period-closed')).toBe('ledgerperiod-closed');
  });
});
