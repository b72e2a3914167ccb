/**
 * Tries hundreds of generated configurations.
 * @module-tag full-run
 */
import { customers } from '@pacioli/billing';
import { type Answer, orgIdOf, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/load-config.ts';
import { aliases } from '../src/plugins.ts';

/**
 * Goal: no one pays for a graph that is then rejected. Method: each field of a valid configuration, found in the
 * schema of create-graph, gets each of the values below in turn, including valid ones. Each configuration is sent to a
 * checkout and, by a customer who pays by invoice, to create-graph itself: both must accept it, or reject it with the
 * same status and code.
 */
type Json = Readonly<Record<string, unknown>>;
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}
type Path = readonly string[];

const missing = Symbol('missing');
const long = (length: number): string => 'x'.repeat(length);
/** Tried instead of every value. */
const values: readonly unknown[] = [
  ...[missing, null, true, 42, '', ' ', long(11), long(256), 'not in any list', [], ['nowhere'], [42], {}],
  ...['1332', '0230', '1231', 'javascript:alert(1)', 'ledger'],
  [long(51)],
  Array.from({ length: 11 }, (_, index) => `tag ${index}`),
  ['roboledger', 'nowhere'],
];

const sound: Json = {
  metadata: { graph_name: 'Mill', description: 'Flour', schema_extensions: ['roboledger'], tags: ['a'] },
  initial_entity: { name: 'Mill', uri: 'https://example.org/mill', ticker: 'MILL', fiscal_year_end: '1231' },
  create_entity: true,
  tags: ['b'],
};

let service: TestService;
let buyer: TestClient;
let creator: TestClient;
beforeAll(async () => {
  service = await startTestService({
    plugins: (await loadConfig(undefined, { billing: { enabled: true } })).plugins,
    aliases,
    settings: { orgs: { maxGraphs: -1 } },
  });
  buyer = await service.newUser('Bea');
  creator = await service.newUser('Carl');
  const orgId = await orgIdOf(creator);
  const knownCustomers = service.service.services.resolve(customers);
  await service.store.transaction('kernel', (tx) =>
    knownCustomers.setInvoiceBilling(tx, orgId, true, { type: 'admin' }),
  );
});
afterAll(() => service.close());

/** Every field of a request, from its schema, except the size, which is set by the plan of a checkout. */
function placesOf(schemas: Readonly<Record<string, Schema>>, name: string, at: Path = []): readonly Path[] {
  return Object.entries(schemas[name]?.properties ?? {}).flatMap(([field, schema]) => {
    if (field === 'instance_tier') return [];
    const [reference] = [schema, ...(schema.anyOf ?? [])].flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref]));
    const inner = reference?.split('/').at(-1);
    const path = [...at, field];
    const isOwn = inner !== undefined && field !== 'custom_schema';
    return [path, ...(isOwn ? placesOf(schemas, inner, path) : [])];
  });
}

function changed(config: Json, [field = '', ...rest]: Path, value: unknown): Json {
  if (rest.length > 0) return { ...config, [field]: changed((config[field] ?? {}) as Json, rest, value) };
  const others = Object.fromEntries(Object.entries(config).filter(([name]) => name !== field));
  return value === missing ? others : { ...others, [field]: value };
}

const verdictOf = ({ status, body }: Answer, accepted: number): string =>
  status === accepted ? 'taken' : `${status} ${body.code}`;

describe('POST /v1/billing/checkout', () => {
  it('accepts the configurations that create-graph accepts, and rejects the others as it does (platform B-6, B-7)', {
    timeout: 300_000,
  }, async () => {
    const { schemas } = service.service.openapi['components'] as { schemas: Readonly<Record<string, Schema>> };
    const places = placesOf(schemas, 'CreateGraphRequest');
    expect(places.length).toBeGreaterThan(18);
    const refused: string[] = [];
    for (const [place, value] of places.flatMap((path) => values.map((given) => [path, given] as const))) {
      const config = changed(sound, place, value);
      const created = await creator.post('/v1/graphs', config);
      const bought = await buyer.post('/v1/billing/checkout', {
        plan_name: 'ladybug-standard',
        resource_type: 'graph',
        resource_config: config,
      });
      const verdict = verdictOf(created, 202);
      const what = `${place.join('.')} = ${value === missing ? 'nothing' : JSON.stringify(value)}`;
      expect(`${what}: ${verdictOf(bought, 201)}`).toBe(`${what}: ${verdict}`);
      if (verdict === 'taken') {
        const { body } = await creator.follow(created.body.operationId);
        expect(`${what}: ${body.status} ${body.error ?? ''}`).toBe(`${what}: completed `);
      } else {
        refused.push(what);
        const [{ loc }] = bought.body.detail;
        expect(loc.slice(0, 2)).toEqual(['body', 'resource_config']);
      }
    }
    expect(refused.length).toBeGreaterThan(150);
  });
});
