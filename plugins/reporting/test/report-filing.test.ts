/** @module-tag sessions */
// Goal: reports change only as their filing status and their author allow, and a filed report never changes.
// Method: a real service over HTTP; attempts to change filed figures also go to the store directly.
import { reportFilings } from '@pacioli/blocks';
import { kernel, sql } from '@pacioli/core';
import { joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportingReport } from '../src/rows.gen.ts';
import {
  createReport,
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  type ReportingService,
  startReporting,
  statementOf,
  valuesOf,
} from './example-books.ts';
import { withReportLocked } from './observed-store.ts';

let reporting: ReportingService;
let books: ExampleBooks;
let colleague: TestClient;
let reportId: string;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user);
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  const joined = await joinTeam(reporting.service, reporting.user);
  colleague = joined.client;
  const granted = await reporting.user.post(`/v1/graphs/${books.graph}/members`, {
    user_id: joined.userId,
    role: 'member',
  });
  expect(granted.status).toBe(201);
});
beforeEach(async () => {
  ({ id: reportId } = await createReport(books));
});
afterAll(() => reporting.service.close());

const operations = ['regenerate-report', 'delete-report', 'transition-filing-status', 'file-report'] as const;
const call = (name: string, more: object = {}, client?: TestClient) =>
  books.operation(name, { report_id: reportId, target_status: 'under_review', ...more }, client);
const move = (target: string) => books.done('transition-filing-status', { report_id: reportId, target_status: target });
const file = (id = reportId) => books.done('file-report', { report_id: id });
const statusOf = async (id = reportId): Promise<string> =>
  (await books.query(`{ report(reportId: "${id}") { filingStatus } }`)).report.filingStatus;
const cashOf = async (id = reportId) =>
  valuesOf(await statementOf(books, id, 'balance_sheet'))['CashAndCashEquivalentsAtCarryingValue'];
/** Posts another dollar of cash. */
const earn = () =>
  books.post('2026-04-10', [
    ['1000', 1, 0],
    ['3000', 0, 1],
  ]);

describe.each(operations)('%s', (name) => {
  it('is for the author alone, and for reports that exist (reporting P-4)', async () => {
    const refused = await call(name, {}, colleague);
    expect([refused.status, refused.body.code]).toEqual([403, 'NOT_AUTHOR']);
    const missing = await call(name, { report_id: 'rpt_none' });
    expect([missing.status, missing.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(await statusOf()).toBe('draft');
  });

  it('does not wait for another writer of the report (reporting P-5)', async () => {
    const held = await withReportLocked(reporting.service, { graphId: books.graph, reportId }, () => call(name));
    expect([held.status, held.body.code]).toEqual([409, 'WRITE_CONFLICT']);
    expect(held.body.detail).toBe(`Report '${reportId}' is being written by another process. Retry in a moment.`);
    expect(await statusOf()).toBe('draft');
  });
});

describe('transition-filing-status', () => {
  it('submits, withdraws and archives (reporting P-2)', async () => {
    expect((await move('under_review')).filing_status).toBe('under_review');
    expect((await move('draft')).filing_status).toBe('draft');
    await move('under_review');
    await file();
    expect((await move('archived')).filing_status).toBe('archived');
  });

  it('refuses every other transition and names the legal ones (reporting P-2, P-3, P-6)', async () => {
    const refusal = async (target: string) => {
      const { status, body } = await call('transition-filing-status', { target_status: target });
      return [status, body.code, body.detail];
    };
    const text = (from: string, to: string, legal: string, hint = '') =>
      `Report '${reportId}' cannot transition from '${from}' to '${to}'. Legal targets from here: [${legal}].${hint}`;
    const hint = " Use 'file-report' to file it.";
    for (const target of ['draft', 'archived', 'published', '']) {
      expect(await refusal(target)).toEqual([422, 'INVALID_INPUT', text('draft', target, 'under_review')]);
    }
    expect((await refusal('filed'))[2]).toBe(text('draft', 'filed', 'under_review', hint));
    await move('under_review');
    expect((await refusal('archived'))[2]).toBe(text('under_review', 'archived', 'draft'));
    await file();
    for (const target of ['draft', 'under_review']) {
      expect((await refusal(target))[2]).toBe(text('filed', target, 'archived'));
    }
    await move('archived');
    expect((await refusal('filed'))[2]).toBe(text('archived', 'filed', '', hint));
  });
});

describe('regenerate-report', () => {
  it('takes the current books, and new columns before the stored ones (reporting P-14)', async () => {
    const before = await cashOf();
    await earn();
    await move('under_review');
    const regenerated = await books.done('regenerate-report', { report_id: reportId });
    expect(regenerated).toMatchObject({ id: reportId, filing_status: 'draft', generation_status: 'published' });
    expect(await cashOf()).toEqual([(before?.[0] ?? 0) + 1, 500]);
    const march = { period_start: '2026-03-01', period_end: '2026-03-31' };
    expect(await books.done('regenerate-report', { report_id: reportId, ...march })).toMatchObject(march);
    expect(await cashOf()).toEqual([500, null]);
    const periods = [{ start: '2026-03-05', end: '2026-03-12', label: 'A week' }];
    const listed = await books.done('regenerate-report', { report_id: reportId, ...march, periods });
    expect(listed).toMatchObject({ period_start: '2026-03-05', period_end: '2026-03-12', periods });
    expect((await books.done('regenerate-report', { report_id: reportId })).periods).toEqual(periods);
    expect(await cashOf()).toEqual([500]);
  });

  it('replaces facts and sets and keeps none of the earlier ones (reporting P-14, F-12)', async () => {
    const count = async () => {
      const [row] = await reporting.service.store.transaction({ graphId: books.graph }, (tx) =>
        tx.query(sql<{ sets: number; facts: number; results: number }>`select
          (select count(*)::int from blocks_fact_set where report_id = ${reportId}) as sets,
          (select count(*)::int from blocks_fact f join blocks_fact_set s on s.id = f.fact_set_id
            where s.report_id = ${reportId}) as facts,
          (select count(*)::int from blocks_verification_result v join blocks_fact_set s on s.id = v.fact_set_id
            where s.report_id = ${reportId}) as results`),
      );
      return row;
    };
    const before = await count();
    expect(before?.sets).toBe(2);
    await books.done('regenerate-report', { report_id: reportId });
    expect(await count()).toEqual(before);
    await books.done('delete-report', { report_id: reportId });
    expect(await count()).toEqual({ sets: 0, facts: 0, results: 0 });
  });

  it('refuses half a period, a filed report and an archived one (reporting P-14)', async () => {
    const half = await call('regenerate-report', { period_start: '2026-03-01' });
    expect([half.status, half.body.detail]).toEqual([422, expect.stringContaining('together')]);
    await file();
    const filed = await call('regenerate-report');
    expect([filed.status, filed.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(filed.body.detail).toContain("is 'filed' and cannot be regenerated. Create a report that restates it");
    await move('archived');
    expect((await call('regenerate-report')).status).toBe(422);
  });
});

describe('delete-report', () => {
  it('deletes an unfiled report and refuses a filed one (reporting P-15)', async () => {
    expect(await books.done('delete-report', { report_id: reportId })).toEqual({ deleted: true });
    expect((await call('delete-report')).status).toBe(404);
    ({ id: reportId } = await createReport(books));
    await file();
    const refused = await call('delete-report');
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    await move('archived');
    expect((await call('delete-report')).status).toBe(422);
  });
});

describe('file-report', () => {
  it('files once and records who and when (reporting P-2, P-6)', async () => {
    const filed = await file();
    expect(filed).toMatchObject({ filing_status: 'filed', filed_at: '2026-05-04T12:00:00.000Z' });
    expect(filed.filed_by).toMatch(/^user_/);
    const again = await call('file-report');
    expect([again.status, again.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(again.body.detail).toBe(`Report '${reportId}' is in 'filed'; can only file from 'draft' or 'under_review'.`);
  });

  it('leaves the figures as they are, whatever happens to the books (reporting P-16)', async () => {
    await file();
    const read = async () => [
      await statementOf(books, reportId, 'balance_sheet'),
      await statementOf(books, reportId, 'income_statement'),
      (await books.query(`{ report(reportId: "${reportId}") { name entityName ruleSummary lastGenerated } }`)).report,
    ];
    const before = await read();
    await earn();
    await books.done('update-entity', { name: 'Renamed Tool Co.' });
    expect(await read()).toEqual(before);
    const { id: next } = await createReport(books);
    expect(await cashOf(next)).not.toEqual(await cashOf());
  });

  it('makes the store refuse changes of the report, its statements and its facts (reporting P-16)', async () => {
    const run = (statement: ReturnType<typeof sql>) =>
      reporting.service.store.transaction({ graphId: books.graph }, (tx) => tx.query(statement));
    await file();
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
      sql`insert into reporting_statement select graph_id, report_id, 'custom', structure_id, structure_name,
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
    expect(await statusOf()).toBe('filed');
  });

  it('keeps its figures when an account loses its concept (reporting P-16)', async () => {
    const arcs = `{ mapping(mappingId: "${books.mappingId}") { associations { id fromElementQname fromElementId
      toElementId } } }`;
    const { mapping } = await books.query(arcs);
    const arc = mapping.associations.find((each: Loose) => each.fromElementQname === 'coa:1000');
    await file();
    const before = await cashOf();
    const mappingId = { mapping_id: books.mappingId };
    await books.done('delete-mapping-association', { ...mappingId, association_id: arc.id });
    expect(await cashOf()).toEqual(before);
    const unmapped = await statementOf(books, (await createReport(books)).id, 'balance_sheet');
    expect(unmapped).toMatchObject({ unmappedCount: 1, validation: { passed: false } });
    const { fromElementId, toElementId } = arc;
    await books.done('create-mapping-association', {
      ...mappingId,
      from_element_id: fromElementId,
      to_element_id: toElementId,
    });
  });

  it('tells the owner of facts which reports are filed (taxonomy T-40)', async () => {
    const { id: draft } = await createReport(books);
    await file();
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
    expect(await reasonAfter(() => createReport(books))).toBe('report_generated');
    expect(await reasonAfter(() => books.done('regenerate-report', { report_id: reportId }))).toBe('report_generated');
    expect(await reasonAfter(() => move('under_review'))).toBe('report_status_changed');
    expect(await reasonAfter(() => file())).toBe('report_status_changed');
    ({ id: reportId } = await createReport(books));
    expect(await reasonAfter(() => books.done('delete-report', { report_id: reportId }))).toBe('report_deleted');
  });
});

describe('file-report with failed rules', () => {
  it('refuses while a rule of severity error fails in the newest run over the report (reporting P-21)', async () => {
    const { structureId } = await statementOf(books, reportId, 'balance_sheet');
    const rows = (work: ReturnType<typeof sql<Pick<ReportingReport, 'id'>>>) =>
      reporting.service.store.transaction({ graphId: books.graph }, (tx) => tx.query(work));
    // A fact that was changed behind the service, so that the shipped rules of the balance sheet fail.
    await rows(sql`update blocks_fact set value = value + 1 where graph_id = ${books.graph} and id = (
      select f.id from blocks_fact f join blocks_fact_set s on s.graph_id = f.graph_id and s.id = f.fact_set_id
      join reporting_statement t on t.graph_id = s.graph_id and t.fact_set_id = s.id
      cross join lateral jsonb_to_recordset(t.rows) as r(element_id text, qname text)
      where t.report_id = ${reportId} and r.element_id = f.element_id and r.qname = 'rs-gaap:Assets' limit 1)`);
    const [set] = await rows(sql`select fact_set_id as id from reporting_statement
      where graph_id = ${books.graph} and report_id = ${reportId} and block_type = 'balance_sheet'`);
    await books.done('evaluate-rules', { structure_id: structureId, fact_set_id: set?.id });
    const refused = await call('file-report');
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(refused.body.detail).toMatch(/cannot be filed: \d+ rule\(s\) of severity error failed/);
    await books.done('regenerate-report', { report_id: reportId });
    expect((await file()).filing_status).toBe('filed');
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
    await file();
    const { body } = await restate(reportId);
    const successor = body.result.id;
    expect(body.result.supersedes_id).toBe(reportId);
    expect(await statusOf()).toBe('filed');
    expect((await file(successor)).supersedes_id).toBe(reportId);
    const { report } = await books.query(`{ report(reportId: "${reportId}") { filingStatus supersededById } }`);
    expect(report).toEqual({ filingStatus: 'archived', supersededById: successor });
    const again = await restate(reportId);
    expect([again.status, again.body.detail]).toEqual([422, expect.stringContaining('already superseded')]);
  });

  it('leaves its predecessor untouched when it is deleted (reporting P-17)', async () => {
    await file();
    const { body } = await restate(reportId);
    await books.done('delete-report', { report_id: body.result.id });
    expect(await statusOf()).toBe('filed');
  });

  it('is filed only once for the same predecessor (reporting P-17)', async () => {
    await file();
    const [first, second] = [(await restate(reportId)).body.result.id, (await restate(reportId)).body.result.id];
    await file(first);
    const refused = await books.operation('file-report', { report_id: second });
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('already superseded')]);
    expect(await statusOf(second)).toBe('draft');
    const held = await createReport(books);
    await file(held.id);
    const next = (await restate(held.id)).body.result.id;
    const conflict = await withReportLocked(reporting.service, { graphId: books.graph, reportId: held.id }, () =>
      books.operation('file-report', { report_id: next }),
    );
    expect([conflict.status, conflict.body.code]).toEqual([409, 'WRITE_CONFLICT']);
    expect(await statusOf(next)).toBe('draft');
  });

  it('needs a filed predecessor and its author or an admin (reporting P-17)', async () => {
    const draft = await restate(reportId);
    expect([draft.status, draft.body.detail]).toEqual([422, expect.stringContaining("is 'draft'")]);
    await file();
    const stranger = await restate(reportId, colleague);
    expect([stranger.status, stranger.body.code]).toEqual([403, 'NOT_AUTHOR']);
  });
});
