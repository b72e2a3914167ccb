/** @module-tag sessions */
// Goal: a filed report never changes, and a restatement takes its place.
// Method: a real service over HTTP; attempts to change filed figures also go to the store directly.
import { reportFilings } from '@pacioli/blocks';
import { kernel, sql } from '@pacioli/core';
import type { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportingStatement } from '../src/rows.gen.ts';
import { type Loose, type ReportingService, startReporting, statementOf } from './example-books.ts';
import { type FilingBooks, openFilingBooks } from './filing-books.ts';
import { withReportLocked } from './observed-store.ts';

let reporting: ReportingService;
let books: FilingBooks;
let reportId: string;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openFilingBooks(reporting);
});
beforeEach(async () => {
  reportId = await books.create();
});
afterAll(() => reporting.service.close());

const fileReport = () => books.operation('file-report', { report_id: reportId });

describe('file-report', () => {
  it('files once and records who and when (reporting P-2, P-6)', async () => {
    const filed = await books.done('file-report', { report_id: reportId });
    expect(filed).toMatchObject({ filing_status: 'filed', filed_at: '2026-05-04T12:00:00.000Z' });
    expect(filed.filed_by).toMatch(/^user_/);
    const again = await fileReport();
    expect([again.status, again.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(again.body.detail).toBe(`Report '${reportId}' is in 'filed'; can only file from 'draft' or 'under_review'.`);
  });

  it('leaves the figures as they are, whatever happens to the books (reporting P-16)', async () => {
    await books.file(reportId);
    const read = async () => [
      await statementOf(books, reportId, 'balance_sheet'),
      await statementOf(books, reportId, 'income_statement'),
      (await books.query(`{ report(reportId: "${reportId}") { name entityName ruleSummary lastGenerated } }`)).report,
    ];
    const before = await read();
    await books.earn();
    await books.done('update-entity', { name: 'Renamed Tool Co.' });
    expect(await read()).toEqual(before);
    const next = await books.create();
    expect(await books.cashOf(next)).not.toEqual(await books.cashOf(reportId));
  });

  it('makes the store refuse changes of the report, its statements and its facts (reporting P-16)', async () => {
    const run = (statement: ReturnType<typeof sql>) =>
      reporting.service.store.transaction({ graphId: books.graph }, (tx) => tx.query(statement));
    await books.file(reportId);
    const refused = { code: 'check', constraint: 'reporting_report_filed' };
    const ofReport = sql`where graph_id = ${books.graph} and id = ${reportId}`;
    const ofStatements = sql`where graph_id = ${books.graph} and report_id = ${reportId}`;
    for (const statement of [
      sql`update reporting_report set name = 'Other' ${ofReport}`,
      sql`update reporting_report set filing_status = 'draft' ${ofReport}`,
      sql`update reporting_report set filed_by = 'user_x' ${ofReport}`,
      sql`delete from reporting_report ${ofReport}`,
      sql`update reporting_statement set unmapped_count = 1 ${ofStatements}`,
      sql`delete from reporting_statement ${ofStatements}`,
      sql`insert into reporting_statement select graph_id, report_id, 'custom', 'struct_other', structure_name,
        fact_set_id, rows, validation, unmapped_count from reporting_statement ${ofStatements} limit 1`,
    ]) {
      await expect(run(statement)).rejects.toMatchObject(refused);
    }
    const ofSets = sql`where graph_id = ${books.graph}
      and fact_set_id in (select id from blocks_fact_set where report_id = ${reportId})`;
    for (const statement of [
      sql`delete from blocks_fact ${ofSets}`,
      sql`update blocks_fact set value = value + 1 ${ofSets}`,
      sql`delete from blocks_fact_set where graph_id = ${books.graph} and report_id = ${reportId}`,
    ]) {
      await expect(run(statement)).rejects.toMatchObject({ constraint: 'blocks_fact_set_final' });
    }
    expect(await books.statusOf(reportId)).toBe('filed');
  });

  it('keeps its figures when an account loses its concept (reporting P-16)', async () => {
    const arcs = `{ mapping(mappingId: "${books.mappingId}") { associations { id fromElementQname fromElementId
      toElementId } } }`;
    const { mapping } = await books.query(arcs);
    const arc = mapping.associations.find((each: Loose) => each.fromElementQname === 'coa:1000');
    await books.file(reportId);
    const before = await books.cashOf(reportId);
    const mappingId = { mapping_id: books.mappingId };
    await books.done('delete-mapping-association', { ...mappingId, association_id: arc.id });
    expect(await books.cashOf(reportId)).toEqual(before);
    const unmapped = await statementOf(books, await books.create(), 'balance_sheet');
    expect(unmapped).toMatchObject({ unmappedCount: 1, validation: { passed: false } });
    const { fromElementId, toElementId } = arc;
    await books.done('create-mapping-association', {
      ...mappingId,
      from_element_id: fromElementId,
      to_element_id: toElementId,
    });
  });

  it('tells the owner of facts which reports are filed (taxonomy T-40)', async () => {
    const draft = await books.create();
    await books.file(reportId);
    const [filings] = reporting.service.service.services.resolve(reportFilings);
    const { store } = reporting.service;
    const found = await store.transaction({ graphId: books.graph }, async (tx) =>
      filings?.immutable(tx, [draft, reportId]),
    );
    expect(found).toEqual([reportId]);
  });
});

describe('the stale mark of the analytical graph', () => {
  it('has the reason of the operation (reporting B-0.4)', async () => {
    const { store, service } = reporting.service;
    const clear = () =>
      store.transaction({ graphId: books.graph }, (tx) =>
        service.services.resolve(kernel.graphs).clearStale(tx, books.graph),
      );
    const reasonAfter = async (work: () => Promise<unknown>) => {
      await clear();
      await work();
      return (await clear())?.reason;
    };
    expect(await reasonAfter(() => books.create())).toBe('report_generated');
    expect(await reasonAfter(() => books.done('regenerate-report', { report_id: reportId }))).toBe('report_generated');
    expect(await reasonAfter(() => books.move(reportId, 'under_review'))).toBe('report_status_changed');
    expect(await reasonAfter(() => books.file(reportId))).toBe('report_status_changed');
    reportId = await books.create();
    expect(await reasonAfter(() => books.done('delete-report', { report_id: reportId }))).toBe('report_deleted');
  });
});

describe('file-report with failed rules', () => {
  /** Changes a fact behind the service, so that the shipped rules of the balance sheet fail. */
  async function breakAssets({ service }: ReportingService, of: FilingBooks, id: string): Promise<void> {
    const { structureId } = await statementOf(of, id, 'balance_sheet');
    const [set] = await service.store.transaction({ graphId: of.graph }, (tx) =>
      tx.query(sql<{ id: ReportingStatement['fact_set_id'] }>`
        with changed as (
          update blocks_fact f set value = f.value + 1 from reporting_statement t
          cross join lateral jsonb_to_recordset(t.rows) as r(element_id text, qname text)
          where t.graph_id = ${of.graph} and t.report_id = ${id} and t.block_type = 'balance_sheet'
            and f.fact_set_id = t.fact_set_id
            and f.graph_id = t.graph_id and f.element_id = r.element_id and r.qname = 'rs-gaap:Assets'
          returning f.fact_set_id)
        select distinct fact_set_id as id from changed`),
    );
    await of.done('evaluate-rules', { structure_id: structureId, fact_set_id: set?.id });
  }

  it('refuses while a rule of severity error fails in the newest run over the report (reporting P-21)', async () => {
    await breakAssets(reporting, books, reportId);
    const refused = await fileReport();
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(refused.body.detail).toMatch(/cannot be filed: \d+ rule\(s\) of severity error failed/);
    expect(await books.statusOf(reportId)).toBe('draft');
    await books.done('regenerate-report', { report_id: reportId });
    expect(await books.file(reportId)).toBe('filed');
  });

  it('files anyway in a deployment without the gate (reporting P-21)', async () => {
    const ungated = await startReporting({ fileGate: false });
    try {
      const open = await openFilingBooks(ungated);
      const id = await open.create();
      await breakAssets(ungated, open, id);
      expect(await open.file(id)).toBe('filed');
    } finally {
      await ungated.service.close();
    }
  });
});

describe('a restatement', () => {
  const restate = (id: string, client?: TestClient) =>
    books.operation(
      'create-report',
      {
        name: 'Restated',
        mapping_id: books.mappingId,
        period_start: '2026-04-01',
        period_end: '2026-04-30',
        supersedes_id: id,
      },
      client,
    );

  it('archives its predecessor when it is filed, and only then (reporting P-17)', async () => {
    await books.file(reportId);
    const { body } = await restate(reportId);
    const successor = body.result.id;
    expect(body.result.supersedes_id).toBe(reportId);
    expect(await books.statusOf(reportId)).toBe('filed');
    await books.file(successor);
    const { report } = await books.query(`{ report(reportId: "${reportId}") { filingStatus supersededById } }`);
    expect(report).toEqual({ filingStatus: 'archived', supersededById: successor });
    const again = await restate(reportId);
    expect([again.status, again.body.detail]).toEqual([422, expect.stringContaining('already superseded')]);
  });

  it('leaves its predecessor untouched when it is deleted (reporting P-17)', async () => {
    await books.file(reportId);
    const { body } = await restate(reportId);
    await books.done('delete-report', { report_id: body.result.id });
    expect(await books.statusOf(reportId)).toBe('filed');
  });

  it('is filed only once for the same predecessor (reporting P-17)', async () => {
    await books.file(reportId);
    const [first, second] = [(await restate(reportId)).body.result.id, (await restate(reportId)).body.result.id];
    await books.file(first);
    const refused = await books.operation('file-report', { report_id: second });
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('already superseded')]);
    expect(await books.statusOf(second)).toBe('draft');
    const held = await books.create();
    await books.file(held);
    const next = (await restate(held)).body.result.id;
    const conflict = await withReportLocked(reporting.service, { graphId: books.graph, reportId: held }, () =>
      books.operation('file-report', { report_id: next }),
    );
    expect([conflict.status, conflict.body.code]).toEqual([409, 'WRITE_CONFLICT']);
    expect(await books.statusOf(next)).toBe('draft');
  });

  it('needs a filed predecessor and its author or an admin (reporting P-17)', async () => {
    const draft = await restate(reportId);
    expect([draft.status, draft.body.detail]).toEqual([422, expect.stringContaining("is 'draft'")]);
    await books.file(reportId);
    const stranger = await restate(reportId, books.colleague);
    expect([stranger.status, stranger.body.code]).toEqual([403, 'NOT_AUTHOR']);
  });
});
