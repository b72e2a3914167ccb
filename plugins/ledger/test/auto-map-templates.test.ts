// Goal: auto-map finds again, without a model, what the shipped chart templates map (taxonomy section 5).
// Method: each chart is made from its template, all its arcs are deleted, and auto-map runs.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templateKeys } from '../src/accounts/templates.ts';
import { type LedgerService, startLedger } from './books.ts';

let ledger: LedgerService;

beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.service.close());

interface Arc {
  readonly id: string;
  readonly fromElementName: string;
  readonly toElementQname: string;
  readonly approvedBy: string | null;
}

interface Reproduced {
  readonly wanted: number;
  readonly found: number;
  readonly missed: readonly string[];
}

async function reproduce(template: string): Promise<Reproduced> {
  const { user } = ledger;
  const graph = await user.createGraph(template, ['roboledger']);
  const operation = async (name: string, body: object) => {
    const answer = await user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const arcsOf = async (mappingId: string): Promise<readonly Arc[]> => {
    const { body } = await user.graphql(
      graph,
      'query ($id: String!) { mapping(mappingId: $id) { associations { id fromElementName toElementQname approvedBy } } }',
      { id: mappingId },
    );
    return body.data.mapping.associations;
  };
  await operation('initialize-chart-of-accounts', { template, entity_type: 'corporation' });
  const { body } = await user.graphql(graph, '{ mappings { structures { id } } }');
  const mappingId: string = body.data.mappings.structures[0].id;
  const wanted = await arcsOf(mappingId);
  for (const { id } of wanted)
    await operation('delete-mapping-association', { mapping_id: mappingId, association_id: id });
  expect(await arcsOf(mappingId)).toEqual([]);
  const accepted = await operation('auto-map-elements', { mapping_id: mappingId });
  expect((await user.follow(accepted.operationId)).body).toMatchObject({
    status: 'completed',
    result: { engine: 'deterministic', passes: 1, unclassified: 0 },
  });
  const made = new Map((await arcsOf(mappingId)).map((arc) => [arc.fromElementName, arc.toElementQname]));
  const missed = wanted.filter((arc) => made.get(arc.fromElementName) !== arc.toElementQname);
  return {
    wanted: wanted.length,
    found: wanted.length - missed.length,
    missed: missed.map(({ fromElementName }) => fromElementName),
  };
}

/** In per cent; the README of the taxonomy plugin states them. */
const foundAgain: Readonly<Record<string, number>> = {
  services: 95.7,
  saas: 96.3,
  product: 96.4,
  nonprofit: 97.5,
  cafe: 92.6,
};
const percent = ({ found, wanted }: Reproduced) => Math.round((found / wanted) * 1000) / 10;

describe('auto-map of a template chart', { timeout: 240_000 }, () => {
  it.each(['services', 'saas', 'product'])(
    'finds 95 % of the mappings of %s again (taxonomy AM-9)',
    async (template) => {
      const reproduced = await reproduce(template);
      const { wanted, found, missed } = reproduced;
      expect(wanted).toBeGreaterThan(40);
      expect(found / wanted, missed.join(', ')).toBeGreaterThanOrEqual(0.95);
      expect(percent(reproduced)).toBe(foundAgain[template]);
      // Both are conflicts: the scorer prefers the allowance's own concept, and a gain is no class of an expense
      // (taxonomy M-13).
      expect([...missed].sort()).toEqual(['Allowance for doubtful accounts', 'Gain or loss on disposal of assets']);
    },
  );

  it('finds most of the two further templates again', async () => {
    for (const template of ['nonprofit', 'cafe']) {
      const reproduced = await reproduce(template);
      expect(percent(reproduced), `${template}: ${reproduced.missed.join(', ')}`).toBe(foundAgain[template]);
    }
  });
});

describe('the priors of the scorer', () => {
  it('are the shares of the shipped templates that use a concept (taxonomy AM-14)', () => {
    const folder = new URL('../data/templates', import.meta.url);
    const counts = new Map<string, number>();
    for (const key of templateKeys) {
      const lines = readFileSync(new URL(`${key}.csv`, folder), 'utf8')
        .trim()
        .split('\n')
        .slice(1);
      for (const concept of new Set(lines.map((line) => line.slice(line.lastIndexOf(',') + 1)))) {
        if (concept !== '') counts.set(concept, (counts.get(concept) ?? 0) + 1);
      }
    }
    const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    const expected = rows.map(([concept, count]) => `${concept},${count / templateKeys.length}`);
    const file = new URL('../../taxonomy/data/us-gaap/mapping-priors.csv', import.meta.url);
    expect(readFileSync(file, 'utf8').trim().split('\n').slice(1)).toEqual(expected);
  });
});
