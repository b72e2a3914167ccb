/**
 * @module-tag sessions
 * @module-tag engines
 */
// Goal: the analytical graph has every fact of the books, and the paths to it that users rely on (graphs 6.8).
// Method: the worked example with a report and metrics is materialized; Cypher is compared with queries and with the store.
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
import { cypher, materialize, startWithGraphs } from './graph-books.ts';

let reporting: ReportingService;
let books: ExampleBooks;
let reportId: string;
beforeAll(async () => {
  reporting = await startWithGraphs();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
  reportId = (await createReport(books)).id;
  const { libraryStructures } = await books.query('{ libraryStructures(blockType: "metric") { id } }');
  await books.done('compute-metrics', {
    structure_id: libraryStructures[0].id,
    period_start: '2026-04-01',
    period_end: '2026-04-30',
  });
  await addUnusualFacts();
  await materialize(reporting, books);
});
afterAll(() => reporting.service.close());

const inStore = <T>(statement: ReturnType<typeof sql<T>>) =>
  reporting.service.store.transaction({ graphId: books.graph }, (tx) => tx.query(statement));
const rows = (query: string, parameters?: object) => cypher(reporting, books, query, parameters);

/** Periods of every length, an axis member and a plan: what no operation of the worked example writes. */
async function addUnusualFacts(): Promise<void> {
  await inStore(sql`
    INSERT INTO blocks_fact_set (graph_id, id, entity_id, period_start, period_end, factset_type, scenario_id, created_by, created_at)
    SELECT ${books.graph}, s.id, (SELECT id FROM ledger_entity), '2026-01-01', '2026-12-31', 'custom', s.scenario, 'test', now()
    FROM (VALUES ('fs_periods', NULL), ('fs_plan', 'struct_plan')) AS s(id, scenario)`);
  await inStore(sql`
    INSERT INTO blocks_fact (graph_id, id, fact_set_id, element_id, entity_id, period_start, period_end, period_type, fact_type,
      value, unit, decimals, fact_scope, created_at)
    SELECT ${books.graph}, f.id, f.fact_set, (SELECT id FROM taxonomy_element WHERE qname = 'rs-gaap:Revenues'),
      (SELECT id FROM ledger_entity), f.start::date, f.end_date::date, 'duration', 'Numeric', 1234567890123456.123456, 'USD', 'INF', 'in_scope', now()
    FROM (VALUES ('fact_q1', 'fs_periods', '2026-01-01', '2026-03-31'), ('fact_h2', 'fs_periods', '2025-07-01', '2025-12-31'),
      ('fact_m9', 'fs_periods', '2025-01-01', '2025-09-30'), ('fact_year', 'fs_periods', '2025-01-01', '2025-12-31'),
      ('fact_week', 'fs_periods', '2025-01-01', '2025-01-07'), ('fact_plan', 'fs_plan', '2026-05-01', '2026-05-31'))
      AS f(id, fact_set, start, end_date)`);
  await inStore(sql`INSERT INTO blocks_dimension (graph_id, id, dimension_type, axis_element_id, value, display_name) VALUES
    (${books.graph}, 'dim_north', 'axis', 'elem_axis', 'north', 'North'), (${books.graph}, 'dim_plan', 'scenario', NULL, 'struct_plan', 'Plan')`);
  await inStore(sql`INSERT INTO blocks_fact_dimension (graph_id, fact_id, dimension_id) VALUES
    (${books.graph}, 'fact_week', 'dim_north'), (${books.graph}, 'fact_plan', 'dim_plan')`);
}

describe('the facts of a graph', () => {
  it('are reached from the entity through the report, with the values of its statements (graphs 6.8)', async () => {
    for (const type of ['balance_sheet', 'income_statement']) {
      const statement = await statementOf(books, reportId, type);
      const found = await rows(
        `MATCH (e:Entity)-[:ENTITY_HAS_REPORT]->(r:Report {identifier: $report})-[:REPORT_HAS_FACT_SET]->(s:FactSet)-[:FACT_SET_CONTAINS_FACT]->(f:Fact),
          (t:Structure {canonical_type: $type})-[:STRUCTURE_HAS_FACT_SET]->(s), (r)-[:REPORT_HAS_FACT]->(f), (f)-[:FACT_HAS_ENTITY]->(e),
          (f)-[:FACT_HAS_ELEMENT]->(c:Element), (f)-[:FACT_HAS_PERIOD]->(p:Period), (f)-[:FACT_HAS_UNIT]->(u:Unit)
        RETURN c.qname AS qname, p.end_date AS end_date, f.numeric_value AS number, f.value AS value, u.measure AS unit, f.decimals AS decimals`,
        { report: reportId, type },
      );
      const expected = statement.rows.flatMap((row: Loose) =>
        statement.periods.flatMap((period: Loose, index: number) =>
          row.values[index] === null ? [] : [`${row.elementQname} ${period.end} ${row.values[index]}`],
        ),
      );
      expect(expected.length).toBeGreaterThan(15);
      expect(found.map(({ qname, end_date, number }) => `${qname} ${end_date} ${number}`)).toEqual(
        expect.arrayContaining(expected),
      );
      for (const { value, number, unit, decimals } of found)
        expect([Number(value), unit, decimals]).toEqual([number, 'iso4217:USD', '2']);
    }
  });

  it('are all there, each with its set, element, entity, period and unit (graphs SC-29)', async () => {
    const stored = await inStore(sql<Loose>`
      SELECT id, COALESCE(trim_scale(value)::text, text_value) AS value, fact_set_id, element_id, entity_id, period_end::text,
        period_type, lower(unit) AS unit FROM blocks_fact ORDER BY id`);
    const found = await rows(`MATCH (s:FactSet)-[:FACT_SET_CONTAINS_FACT]->(f:Fact)-[:FACT_HAS_ELEMENT]->(c:Element),
        (f)-[:FACT_HAS_ENTITY]->(e:Entity), (f)-[:FACT_HAS_PERIOD]->(p:Period), (f)-[:FACT_HAS_UNIT]->(u:Unit)
      RETURN f.identifier AS id, f.value AS value, s.identifier AS fact_set_id, c.identifier AS element_id,
        e.identifier AS entity_id, p.end_date AS period_end, p.period_type AS period_type, lower(u.value) AS unit ORDER BY id`);
    expect(stored.length).toBeGreaterThan(80);
    expect(found).toEqual(stored);
  });

  it('have periods with their calendar words (graphs SC-27)', async () => {
    const periods = await rows(
      `MATCH (f:Fact)-[:FACT_HAS_PERIOD]->(p:Period) WHERE f.identifier IN $facts
      RETURN f.identifier AS id, p.duration_type AS type, p.calendar_year AS year, p.calendar_quarter AS quarter,
        p.calendar_period_key AS key, p.days_in_period AS days ORDER BY id`,
      {
        facts: ['fact_h2', 'fact_m9', 'fact_plan', 'fact_q1', 'fact_week', 'fact_year'],
      },
    );
    expect(periods.map(({ type, year, quarter, key, days }) => [type, year, quarter, key, days])).toEqual([
      ['semi_annual', 2025, 'H2', '2025H2', 184],
      ['nine_months', 2025, 'M9', '2025M9', 273],
      ['monthly', 2026, 'Q2', '2026-05', 31],
      ['quarterly', 2026, 'Q1', '2026Q1', 90],
      ['other', 2025, 'Q1', '2025-01-01..2025-01-07', 7],
      ['annual', 2025, 'FY', '2025', 365],
    ]);
    const [instant] = await rows(`MATCH (p:Period {period_type: 'instant', end_date: '2026-04-30'})
      RETURN DISTINCT p.days_in_period AS days, p.duration_type AS type, p.calendar_period_key AS key`);
    expect(instant).toEqual({ days: 0, type: null, key: '2026-04-30' });
  });

  it('keep exact values, and name their axis members and their scenario (graphs SC-24, reporting F-15)', async () => {
    const found = await rows(`MATCH (f:Fact) WHERE f.identifier IN ['fact_plan', 'fact_q1', 'fact_week']
      OPTIONAL MATCH (f)-[:FACT_HAS_DIMENSION]->(d:Dimension)
      RETURN f.identifier AS id, f.value AS value, f.has_dimensions AS has, f.dimension_count AS count, f.scenario_id AS scenario,
        d.axis AS axis, d.member AS member, d.dimension_type AS type ORDER BY id`);
    const value = '1234567890123456.123456';
    expect(found).toEqual([
      {
        id: 'fact_plan',
        value,
        has: false,
        count: 0,
        scenario: 'struct_plan',
        axis: 'scenario',
        member: 'struct_plan',
        type: 'scenario',
      },
      { id: 'fact_q1', value, has: false, count: 0, scenario: null, axis: null, member: null, type: null },
      {
        id: 'fact_week',
        value,
        has: true,
        count: 1,
        scenario: null,
        axis: 'elem_axis',
        member: 'north',
        type: 'xbrl_explicit',
      },
    ]);
  });
});

describe('the taxonomies of a graph', () => {
  it('connect each account through its mapping to a concept of the library (graphs SC-26)', async () => {
    const mapped =
      await rows(`MATCH (a:Element)<-[:ASSOCIATION_HAS_FROM_ELEMENT]-(m:Association {association_type: 'mapping'})-[:ASSOCIATION_HAS_TO_ELEMENT]->(c:Element)
      RETURN a.qname AS account, c.qname AS concept ORDER BY account`);
    expect(mapped).toHaveLength(21);
    expect(mapped[0]).toEqual({ account: 'rl:1000', concept: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue' });
  });

  it('have the arcs of the statement that a report shows (graphs 6.8)', async () => {
    const children = await rows(
      `MATCH (:Report {identifier: $report})-[:REPORT_HAS_FACT_SET]->(:FactSet)<-[:STRUCTURE_HAS_FACT_SET]-(s:Structure {type: 'balance_sheet'}),
        (s)-[:STRUCTURE_HAS_ASSOCIATION]->(a:Association {association_type: 'calculation'})-[:ASSOCIATION_HAS_FROM_ELEMENT]->(:Element {qname: 'rs-gaap:Assets'}),
        (a)-[:ASSOCIATION_HAS_TO_ELEMENT]->(c:Element)
      RETURN c.qname AS qname, a.weight AS weight ORDER BY a.order_value`,
      { report: reportId },
    );
    expect(children).toContainEqual({ qname: 'rs-gaap:AssetsCurrent', weight: 1 });
  });

  it('have the chart as one structure, its links, and traits (graphs SC-25, 6.2)', async () => {
    const [chart] =
      await rows(`MATCH (e:Entity)-[l:ENTITY_HAS_TAXONOMY {basis: 'chart_of_accounts'}]->(t:Taxonomy)<-[:STRUCTURE_HAS_TAXONOMY]-(s:Structure)
      RETURN s.identifier AS id, s.number AS number, s.canonical_type AS type, t.taxonomy_type AS taxonomy, l.is_primary AS is_primary`);
    expect(chart).toEqual({
      id: `${books.graph}_coa`,
      number: '000001',
      type: 'ChartOfAccounts',
      taxonomy: 'chart_of_accounts',
      is_primary: true,
    });
    const [trait] = await rows(`MATCH (e:Element {qname: 'rs-gaap:AssetsCurrent'})-[:ELEMENT_HAS_TRAIT]->(t:Trait)
      RETURN collect(t.category + '=' + t.type) AS traits, e.canonical_concept AS concept`);
    expect([...trait.traits].sort()).toEqual(['elementsOfFinancialStatements=metric', 'liquidity=current']);
    expect(trait.concept).toBe('CurrentAssets');
    const [report] = await rows(`MATCH (r:Report)-[:REPORT_USES_TAXONOMY]->(t:Taxonomy)
      RETURN t.name AS name, r.report_date AS date, r.fiscal_year_focus AS year, r.fiscal_period_focus AS period,
        r.fiscal_year_end_month AS month, r.filing_status AS status`);
    expect(report).toEqual({
      name: 'US GAAP, curated',
      date: '2026-04-30',
      year: 2026,
      period: null,
      month: 12,
      status: 'draft',
    });
  });
});

describe('a write of facts', () => {
  it('makes the graph stale with its reason, until the next build (reporting B-0.4)', async () => {
    const reason = async () => (await reporting.user.get(`/v1/graphs/${books.graph}/health`)).body.stale_reason;
    expect(await reason()).toBe(null);
    const { id } = await createReport(books, { name: 'Extra' });
    expect(await reason()).toBe('report_generated');
    await materialize(reporting, books);
    expect(await reason()).toBe(null);
    await books.done('delete-report', { report_id: id });
    expect(await reason()).toBe('report_deleted');
  });
});
