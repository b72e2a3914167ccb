import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { type Answer, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { expect } from 'vitest';
import reporting from '../src/index.ts';

/** An amount in dollars by account code: debits are positive. A tag follows the code after a space. */
export type Lines = Readonly<Record<string, number>>;

/** Books with the chart of a template. */
export interface LiveBooks {
  readonly graph: string;
  readonly operation: (name: string, body: object) => Promise<Answer>;
  readonly idOf: (code: string) => string;
  readonly post: (date: string, lines: Lines, currency?: string) => Promise<void>;
  readonly statement: (type: string, start: string, end: string) => Promise<Answer['body']>;
}

/** A service on July 10, 2026, with the ids of the concepts that its tests map and tag. */
export interface LiveService {
  readonly service: TestService;
  readonly user: TestClient;
  readonly concepts: ReadonlyMap<string, string>;
}

export async function startLive(): Promise<LiveService> {
  const service = await startTestService({
    plugins: [reporting, taxonomy, blocks, ledger],
    aliases: { ledger: ['roboledger'] },
    clock: fixedClock('2026-07-10T12:00:00Z'),
    settings: { orgs: { maxGraphs: -1 } },
  });
  const user = await service.newUser('Ann');
  const names = ['DividendsPayableCurrent', 'RepaymentsOfLongTermDebt', 'PaymentsToAcquirePropertyPlantAndEquipment'];
  const found = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const { body } = await user.graphql('library', `{ libraryElement(qname: "rs-gaap:${name}") { id } }`);
      return [name, body.data.libraryElement.id];
    }),
  );
  return { service, user, concepts: new Map(found) };
}

export async function openLiveBooks({ user, concepts }: LiveService): Promise<LiveBooks> {
  const graph = await user.createGraph('Flows', ['roboledger']);
  const operation = (name: string, body: object) =>
    user.post(`/extensions/roboledger/${graph}/operations/${name}`, body);
  await operation('initialize-chart-of-accounts', { template: 'services', entity_type: 'corporation' });
  const answer = await user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
  const accounts: readonly { id: string; code: string }[] = answer.body.data.accounts.accounts;
  const idOf = (code: string): string => accounts.find((account) => account.code === code)?.id ?? code;
  const line = ([key, dollars]: [string, number]) => {
    const [code = '', tag] = key.split(' ');
    const cents = Math.abs(dollars) * 100;
    return {
      element_id: idOf(code),
      debit_amount: dollars > 0 ? cents : 0,
      credit_amount: dollars < 0 ? cents : 0,
      ...(tag === undefined ? {} : { metadata: { flow_element_id: concepts.get(tag) } }),
    };
  };
  return {
    graph,
    operation,
    idOf,
    post: async (date, lines, currency = 'USD') => {
      const posted = await operation('create-event-block', {
        event_type: 'journal_entry_recorded',
        event_category: 'other',
        occurred_at: `${date}T09:00:00Z`,
        source: 'manual',
        currency,
        apply_handlers: true,
        metadata: { posting_date: date, memo: 'test', status: 'posted', line_items: Object.entries(lines).map(line) },
      });
      expect([posted.status, posted.body.detail]).toEqual([200, undefined]);
    },
    statement: async (type, start, end) => {
      const body = { statement_type: type, period_start: start, period_end: end };
      const { status, body: answered } = await operation('live-financial-statement', body);
      expect([status, answered.detail]).toEqual([200, undefined]);
      return answered.result;
    },
  };
}

/** Maps an account of the template to another concept. */
export async function remap(
  { user, concepts }: LiveService,
  { graph, operation, idOf }: LiveBooks,
  { code, concept }: { readonly code: string; readonly concept: string },
): Promise<void> {
  const { body } = await user.graphql(graph, '{ mappings { structures { id } } }');
  const mappingId = body.data.mappings.structures[0].id;
  const arcs = await user.graphql(
    graph,
    `{ mapping(mappingId: "${mappingId}") { associations { id fromElementId } } }`,
  );
  const arc = arcs.body.data.mapping.associations.find((each: Answer['body']) => each.fromElementId === idOf(code));
  await operation('delete-mapping-association', { mapping_id: mappingId, association_id: arc.id });
  const made = await operation('create-mapping-association', {
    mapping_id: mappingId,
    from_element_id: idOf(code),
    to_element_id: concepts.get(concept),
  });
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
}

/** The first value of each row by local name. */
export function valuesOf(result: Answer['body']): readonly (readonly [string, number])[] {
  return result.facts.map((fact: Answer['body']) => [fact.qname.replace('rs-gaap:', ''), fact.values[0]]);
}
