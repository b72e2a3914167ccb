/**
 * @module-tag sessions
 * @module-tag engines
 */
// Goal: a report is read section by section from the analytical graph. Method: the worked example with a report, to
// which a segment and a text are added as no operation of this version does; then the views are compared with its figures.
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createReport,
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  postExample,
  type ReportingService,
  statementOf,
} from './example-books.ts';
import { materialize, startWithGraphs } from './graph-books.ts';

let reporting: ReportingService;
let books: ExampleBooks;
let reportId: string;
/** The statement before facts with members are added, which the query does not expect. */
let statement: Loose;
beforeAll(async () => {
  reporting = await startWithGraphs();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
  reportId = (await createReport(books)).id;
  statement = await statementOf(books, reportId, 'income_statement');
  await addSegmentAndText();
  await materialize(reporting, books);
});
afterAll(() => reporting.service.close());

const inStore = (statement: ReturnType<typeof sql>) =>
  reporting.service.store.transaction({ graphId: books.graph }, (tx) => tx.query(statement));

async function addSegmentAndText(): Promise<void> {
  const incomeSet = sql`(SELECT s.id FROM blocks_fact_set s JOIN taxonomy_structure t ON t.id = s.structure_id
    WHERE t.block_type = 'income_statement')`;
  await inStore(sql`
    INSERT INTO blocks_fact (graph_id, id, fact_set_id, element_id, entity_id, period_start, period_end, period_type, fact_type,
      value, unit, decimals, text_value, content_type, fact_scope, dimension_key, created_at)
    SELECT ${books.graph}, f.id, ${incomeSet}, e.id, (SELECT id FROM ledger_entity), '2026-04-01', '2026-04-30', 'duration', f.type,
      f.value::numeric, f.unit, f.decimals, f.text, f.content, 'in_scope', f.key, now()
    FROM (VALUES
      ('fact_north', 'rs-gaap:Revenues', 'Numeric', '30000', 'USD', '2', NULL, NULL, 'axis=north'),
      ('fact_south', 'rs-gaap:Revenues', 'Numeric', '15000', 'USD', '2', NULL, NULL, 'axis=south'),
      ('fact_text', 'rs-gaap:InventoryNet', 'Nonnumeric', NULL, NULL, NULL, ${'Stock at cost. '.repeat(40)}, 'text/markdown', ''))
      AS f(id, qname, type, value, unit, decimals, text, content, key)
    JOIN taxonomy_element e ON e.qname = f.qname`);
  await inStore(sql`INSERT INTO blocks_dimension (graph_id, id, dimension_type, axis_element_id, value, display_name) VALUES
    (${books.graph}, 'dim_north', 'axis', NULL, 'north', 'North'), (${books.graph}, 'dim_south', 'axis', NULL, 'south', 'South')`);
  await inStore(sql`INSERT INTO blocks_fact_dimension (graph_id, fact_id, dimension_id) VALUES
    (${books.graph}, 'fact_north', 'dim_north'), (${books.graph}, 'fact_south', 'dim_south')`);
}

const disclosures = (more: object = {}) => books.done('disclosures', { report_id: reportId, ...more });
const block = (name: string, more: object = {}) =>
  books.done('information-block', { report_id: reportId, block: name, ...more });
const april = '2026-04-01..2026-04-30';
const march = '2026-03-01..2026-03-31';

describe('disclosures', () => {
  it('lists the statements of a report in order, with their facts and texts (reporting V-13)', async () => {
    const map = await disclosures();
    const count = map.disclosures.length;
    expect(map).toMatchObject({ report_id: reportId, count, note: null, resolved_report: { report_id: reportId } });
    const named = ['Balance Sheet, Classified', 'Income Statement, Multi-Step'];
    expect(map.disclosures.filter(({ disclosure }: Loose) => named.includes(disclosure))).toEqual([
      {
        disclosure: 'Balance Sheet, Classified',
        blocks: 1,
        levels: { statement: 1 },
        facts: expect.any(Number),
        category: 'Statement',
      },
      {
        disclosure: 'Income Statement, Multi-Step',
        blocks: 1,
        levels: { statement: 1 },
        facts: expect.any(Number),
        category: 'Statement',
        text_blocks: 1,
      },
    ]);
  });

  it('shows the blocks of a topic by its name or a part of it (reporting V-13)', async () => {
    const { blocks, block_count: count, disclosure, category } = await disclosures({ topic: 'income statement' });
    expect([count, disclosure, category]).toEqual([1, 'Income Statement, Multi-Step', 'Statement']);
    expect(blocks[0]).toMatchObject({
      id: 'IS-multistep',
      level: 'statement',
      facts: 36,
      concepts: 18,
      axes: ['axis'],
      dimensional_facts: 2,
      calc: expect.any(Number),
      text_blocks: [{ concept: 'rs-gaap:InventoryNet', chars: 600 }],
    });
  });

  it('refuses a topic without a match or with several, and a request without a report (reporting V-13)', async () => {
    const unknown = await books.operation('disclosures', { report_id: reportId, topic: 'leases' });
    expect([unknown.status, unknown.body.detail]).toEqual([
      404,
      expect.stringContaining("No disclosure matches 'leases'"),
    ]);
    const several = await books.operation('disclosures', { report_id: reportId, topic: 's' });
    expect([several.status, several.body.detail]).toEqual([
      422,
      expect.stringContaining('Balance Sheet, Classified, Income'),
    ]);
    expect((await books.operation('disclosures', {})).status).toBe(400);
    expect((await books.operation('disclosures', { report_id: 'rpt_unknown' })).status).toBe(404);
  });
});

describe('information-block', () => {
  it('has the figures of the statement by period, and columns newest first (reporting V-14, V-15)', async () => {
    const found = await block('IS-multistep');
    expect(found.block).toEqual({
      id: 'IS-multistep',
      role: expect.stringContaining('IS-multistep'),
      name: 'Income Statement, Multi-Step',
      level: 'statement',
      disclosure: 'Income Statement, Multi-Step',
      category: 'Statement',
    });
    expect(found.columns).toEqual([
      { key: april, start: '2026-04-01', end: '2026-04-30', type: 'duration' },
      { key: march, start: '2026-03-01', end: '2026-03-31', type: 'duration' },
    ]);
    const values = new Map<string, Loose>(found.rows.map((row: Loose) => [row.concept, row.values]));
    for (const row of statement.rows) {
      expect([row.elementQname, values.get(row.elementQname)?.[april] ?? null]).toEqual([
        row.elementQname,
        row.values[0],
      ]);
      expect([row.elementQname, values.get(row.elementQname)?.[march] ?? null]).toEqual([
        row.elementQname,
        row.values[1],
      ]);
    }
    const headings = found.rows.filter(({ abstract }: Loose) => abstract === true);
    expect(headings.length).toBeGreaterThan(0);
    expect(headings.every(({ values: none }: Loose) => Object.keys(none).length === 0)).toBe(true);
  });

  it('breaks rows down by members, and shows axes and texts (reporting V-14)', async () => {
    const found = await block('Income Statement, Multi-Step');
    const revenues = found.rows.find(({ concept }: Loose) => concept === 'rs-gaap:Revenues');
    expect(revenues.members).toEqual({ 'axis=north': { [april]: 30_000 }, 'axis=south': { [april]: 15_000 } });
    expect(found.axes).toEqual([
      {
        axis: 'axis',
        label: 'axis',
        typed: true,
        members: [
          { member: 'north', label: 'north', facts: 1 },
          { member: 'south', label: 'south', facts: 1 },
        ],
      },
    ]);
    expect(found.text).toEqual([
      { concept: 'rs-gaap:InventoryNet', label: expect.any(String), chars: 600, preview: 'Stock at cost. '.repeat(16) },
    ]);
    const filtered = await block('IS-multistep', { member: 'NORTH', max_members: 5 });
    const row = filtered.rows.find(({ concept }: Loose) => concept === 'rs-gaap:Revenues');
    expect([row.members, row.members_omitted]).toEqual([{ 'axis=north': { [april]: 30_000 } }, 1]);
  });

  it('checks the totals of its calculation (reporting V-14, V-17)', async () => {
    const { calculation } = await block('BS-classified');
    const total = calculation.find((each: Loose) => each.total === 'rs-gaap:Assets');
    expect(total).toMatchObject({ foots: true, checked: 2 });
    expect(total.children).toContainEqual({ concept: 'rs-gaap:AssetsCurrent', weight: 1 });
    expect(calculation.every(({ foots }: Loose) => foots)).toBe(true);
  });

  it('keeps the periods that are named, and says how many others each row has (reporting V-14)', async () => {
    const found = await block('IS-multistep', { periods: [march] });
    expect(found.columns.map(({ key }: Loose) => key)).toEqual([march]);
    const revenues = found.rows.find(({ concept }: Loose) => concept === 'rs-gaap:Revenues');
    expect([revenues.values, revenues.periods_omitted]).toEqual([{ [march]: 42_000 }, 1]);
  });

  it('continues on later pages with the headings above their first row (reporting V-16)', async () => {
    const whole = await block('BS-classified');
    expect(whole).toMatchObject({ truncated: false, offset: 0, next_offset: null });
    const rows: Loose[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Loose = await block('BS-classified', { max_rows: 10, offset });
      rows.push(...page.rows);
      expect(page.row_count).toBe(whole.row_count);
      if (offset > 0) {
        const { ancestors } = page;
        expect(ancestors.every(({ abstract, depth }: Loose) => abstract && depth < page.rows[0].depth)).toBe(true);
        expect(ancestors.length).toBeGreaterThan(0);
        expect([page.axes, page.calculation, page.text]).toEqual([undefined, undefined, undefined]);
      }
      offset = page.next_offset;
    }
    expect(rows).toEqual(whole.rows);
    const past = await books.operation('information-block', {
      report_id: reportId,
      block: 'BS-classified',
      offset: 999,
    });
    expect([past.status, past.body.detail]).toEqual([422, expect.stringContaining('past the end')]);
  });

  it.each([
    [{ block: 'unknown' }, 404],
    [{ block: 'BS-classified', max_rows: 0 }, 400],
    [{ block: 'BS-classified', max_members: 0 }, 400],
    [{ block: 'BS-classified', offset: -1 }, 400],
    [{ block: 'BS-classified', periods: Array.from({ length: 501 }, () => march) }, 400],
    [{ block: 'BS-classified', report_id: null }, 400],
  ])('refuses request %# (reporting V-14, V-16)', async (body, status) => {
    expect((await books.operation('information-block', { report_id: reportId, ...body })).status).toBe(status);
  });
});

describe('the views of a report', () => {
  it('say that the books have changed since the graph was built', async () => {
    await createReport(books, { name: 'Newer' });
    expect((await disclosures()).note).toContain('materialize');
    const missing = await books.operation('disclosures', { report_id: 'rpt_unknown' });
    expect(missing.body.detail).toContain('materialize it');
  });

  it('refuse a section with more than 10,000 facts, and name the way to read it', async () => {
    await inStore(sql`
      INSERT INTO blocks_fact (graph_id, id, fact_set_id, element_id, entity_id, period_end, period_type, fact_type, value,
        unit, decimals, fact_scope, created_at)
      SELECT f.graph_id, 'fact_day_' || day, f.fact_set_id, f.element_id, f.entity_id, date '1950-01-01' + day, 'instant',
        'Numeric', day, 'USD', '2', 'in_scope', now()
      FROM blocks_fact f, generate_series(1, 10000) AS day WHERE f.id = 'fact_north'`);
    await materialize(reporting, books);
    for (const [name, more] of [
      ['information-block', { block: 'IS-multistep' }],
      ['financial-statement-analysis', { statement_type: 'income_statement' }],
    ] as const) {
      const { status, body } = await books.operation(name, { report_id: reportId, ...more });
      expect([status, body.code]).toEqual([413, 'TOO_MANY_FACTS']);
      expect(body.detail).toContain('query/cypher');
    }
  });
});
