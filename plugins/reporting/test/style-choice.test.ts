// Goal: a new company gets the style of its legal form, and its statements follow its current style.
import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { type Answer, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import reporting from '../src/index.ts';

let service: TestService;
let user: TestClient;
let styleIds: ReadonlyMap<string, string>;
beforeAll(async () => {
  service = await startTestService({
    plugins: [reporting, taxonomy, blocks, ledger],
    clock: fixedClock('2026-05-10T12:00:00Z'),
    settings: { orgs: { maxGraphs: -1 } },
  });
  user = await service.newUser('Ann');
  const { body } = await user.graphql('library', '{ libraryStructures(blockType: "reporting_style") { id name } }');
  styleIds = new Map(body.data.libraryStructures.map(({ id, name }: Answer['body']) => [name, id]));
});
afterAll(async () => {
  await service.close();
});

async function createGraph(company: object): Promise<string> {
  const accepted = await user.post('/v1/graphs', {
    metadata: { graph_name: 'Books', schema_extensions: ['ledger'] },
    initial_entity: { name: 'Larkfield', uri: 'https://example.org/larkfield', ...company },
  });
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
  return (await user.follow(accepted.body.operationId)).body.result.graph_id;
}

async function styleOf(graph: string): Promise<string | null> {
  const { body } = await user.graphql(graph, '{ entity { reportingStyleId } }');
  expect(body.errors).toBeUndefined();
  return body.data.entity.reportingStyleId;
}

type Leg = readonly [code: string, debit: number, credit: number];

/** A statement for April of a new company with the service chart and one posted entry. */
async function statementOf(company: object, legs: readonly Leg[], statementType: string): Promise<Answer['body']> {
  const graph = await createGraph(company);
  const base = `/extensions/ledger/${graph}/operations`;
  const chart = { template: 'services', entity_type: 'corporation' };
  expect((await user.post(`${base}/initialize-chart-of-accounts`, chart)).status).toBe(200);
  const { body } = await user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
  const idOf = (code: string) => body.data.accounts.accounts.find((each: Answer['body']) => each.code === code).id;
  const posted = await user.post(`${base}/create-event-block`, {
    event_type: 'journal_entry_recorded',
    event_category: 'other',
    occurred_at: '2026-04-10T09:00:00Z',
    source: 'manual',
    apply_handlers: true,
    metadata: {
      posting_date: '2026-04-10',
      memo: 'the first money',
      status: 'posted',
      line_items: legs.map(([code, debitAmount, creditAmount]) => {
        return { element_id: idOf(code), debit_amount: debitAmount, credit_amount: creditAmount };
      }),
    },
  });
  expect(posted.status, JSON.stringify(posted.body)).toBe(200);
  const period = { period_start: '2026-04-01', period_end: '2026-04-30' };
  const answer = await user.post(`${base}/live-financial-statement`, { statement_type: statementType, ...period });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.result;
}

describe('the style of a new company', () => {
  it.each([
    ['partnership', 'Partnership'],
    ['LLC', 'Limited Liability Company'],
    ['501c3', 'Limited Liability Company'],
    ['corporation', 'Default'],
    ['sole_proprietorship', 'Default'],
  ])('matches its legal form: %s has %s (taxonomy LB-22, reporting Y-3)', async (entityType, name) => {
    expect(styleIds.has(name)).toBe(true);
    expect(await styleOf(await createGraph({ entity_type: entityType }))).toBe(styleIds.get(name));
  });

  it('is the requested one, or none while the legal form is unknown (taxonomy LB-22)', async () => {
    const asked = styleIds.get('Unclassified Balance Sheet');
    expect(await styleOf(await createGraph({ entity_type: 'llc', reporting_style_id: asked }))).toBe(asked);
    expect(await styleOf(await createGraph({}))).toBeNull();
  });

  it('determines the layout of its statements (reporting Y-1, Y-3)', async () => {
    const totalsOf = async (company: object): Promise<readonly string[]> => {
      const legs: readonly Leg[] = [
        ['1000', 100, 0],
        ['3000', 0, 100],
      ];
      const { facts } = await statementOf(company, legs, 'balance_sheet');
      return facts.map(({ qname }: Answer['body']) => qname);
    };
    expect(await totalsOf({ entity_type: 'corporation' })).toContain('rs-gaap:AssetsCurrent');
    const unclassified = await totalsOf({ reporting_style_id: styleIds.get('Unclassified Balance Sheet') });
    expect(unclassified).toContain('rs-gaap:Assets');
    expect(unclassified).not.toContain('rs-gaap:AssetsCurrent');
  });

  it('determines the method of the cash flow (reporting S-17, Y-2)', async () => {
    const legs: readonly Leg[] = [
      ['1000', 100, 0],
      ['4000', 0, 100],
    ];
    const linesOf = async (style: string): Promise<readonly string[]> => {
      const company = { reporting_style_id: styleIds.get(style) };
      const { facts, validation } = await statementOf(company, legs, 'cash_flow_statement');
      expect(validation).toMatchObject({ passed: true, failures: [] });
      return facts.map(({ qname }: Answer['body']) => qname);
    };
    expect((await linesOf('Direct Cash Flow'))[0]).toBe('rs-gaap:ProceedsFromCustomers');
    expect((await linesOf('Default'))[0]).toBe('rs-gaap:ProfitLoss');
  });

  it('includes the amount of an account that is mapped to one of its totals (reporting S-32, taxonomy M-8)', async () => {
    const legs: readonly Leg[] = [
      ['6000', 90_000, 0],
      ['6200', 10_000, 0],
      ['1000', 0, 100_000],
    ];
    const detailed = { reporting_style_id: styleIds.get('Detailed') };
    const { facts, validation } = await statementOf(detailed, legs, 'income_statement');
    const rows = new Map<string, Answer['body']>(facts.map((fact: Answer['body']) => [fact.qname, fact]));
    expect(rows.get('rs-gaap:LaborAndRelatedExpense').values[0]).toBe(900);
    expect(rows.get('rs-gaap:GeneralAndAdministrativeExpense')).toMatchObject({
      values: [1_000, null],
      is_subtotal: true,
    });
    expect(rows.get('rs-gaap:NetIncomeLoss').values[0]).toBe(-1_000);
    expect(validation).toMatchObject({ passed: true, failures: [] });
    expect(validation.warnings).toContain(
      '[Current] direct_total: accounts are mapped to General and Administrative Expense, which is a total',
    );
  });
});
