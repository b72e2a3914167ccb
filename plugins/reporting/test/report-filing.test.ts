/** @module-tag sessions */
// Goal: reports change only as their filing status and their author allow.
// Method: a real service over HTTP.
import { sql } from '@pacioli/core';
import type { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { april, type ReportingService, startReporting } from './example-books.ts';
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

const operations = ['regenerate-report', 'delete-report', 'transition-filing-status', 'file-report'] as const;
const call = (name: string, more: object = {}, client?: TestClient) =>
  books.operation(name, { report_id: reportId, target_status: 'under_review', ...more }, client);

describe.each(operations)('%s', (name) => {
  it('is for the author alone, and for reports that exist (reporting P-4)', async () => {
    const refused = await call(name, {}, books.colleague);
    expect([refused.status, refused.body.code]).toEqual([403, 'NOT_AUTHOR']);
    const missing = await call(name, { report_id: 'rpt_none' });
    expect([missing.status, missing.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(await books.statusOf(reportId)).toBe('draft');
  });

  it('does not wait for another writer of the report (reporting P-5)', async () => {
    const held = await withReportLocked(reporting.service, { graphId: books.graph, reportId }, () => call(name));
    expect([held.status, held.body.code]).toEqual([409, 'WRITE_CONFLICT']);
    expect(held.body.detail).toBe(`Report '${reportId}' is being written by another process. Retry in a moment.`);
    expect(await books.statusOf(reportId)).toBe('draft');
  });
});

describe('an admin of the graph', () => {
  it('acts for the author of a report only after the author left the graph (reporting P-4)', async () => {
    const own = await openFilingBooks(reporting);
    const make = async () => {
      const body = { name: 'April 2026', mapping_id: own.mappingId, ...april };
      const { status, body: answer } = await own.operation('create-report', body, own.colleague);
      expect([status, answer.detail]).toEqual([200, undefined]);
      return answer.result.id as string;
    };
    const ids = [await make(), await make()];
    const request = (id: string) => ({ report_id: id, target_status: 'under_review' });
    for (const name of operations) {
      const refused = await own.operation(name, request(ids[0] ?? ''));
      expect([name, refused.status, refused.body.code]).toEqual([name, 403, 'NOT_AUTHOR']);
    }
    const path = `/v1/graphs/${own.graph}/members/${own.colleagueId}`;
    expect((await reporting.user.request('DELETE', path)).status).toBeLessThan(300);
    for (const name of ['transition-filing-status', 'regenerate-report', 'file-report'] as const) {
      expect([name, (await own.operation(name, request(ids[0] ?? ''))).status]).toEqual([name, 200]);
    }
    expect((await own.operation('delete-report', request(ids[1] ?? ''))).status).toBe(200);
    expect((await own.query(`{ report(reportId: "${ids[0]}") { filingStatus } }`)).report.filingStatus).toBe('filed');
  });
});

describe('transition-filing-status', () => {
  it('submits, withdraws and archives (reporting P-2)', async () => {
    expect(await books.move(reportId, 'under_review')).toBe('under_review');
    expect(await books.move(reportId, 'draft')).toBe('draft');
    await books.move(reportId, 'under_review');
    await books.file(reportId);
    expect(await books.move(reportId, 'archived')).toBe('archived');
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
    await books.move(reportId, 'under_review');
    expect((await refusal('archived'))[2]).toBe(text('under_review', 'archived', 'draft'));
    await books.file(reportId);
    for (const target of ['draft', 'under_review']) {
      expect((await refusal(target))[2]).toBe(text('filed', target, 'archived'));
    }
    await books.move(reportId, 'archived');
    expect((await refusal('filed'))[2]).toBe(text('archived', 'filed', '', hint));
  });
});

describe('regenerate-report', () => {
  it('reads the current books, and keeps the stored columns unless the request gives others (reporting P-14)', async () => {
    const before = await books.cashOf(reportId);
    await books.earn();
    await books.move(reportId, 'under_review');
    const regenerated = await books.done('regenerate-report', { report_id: reportId });
    expect(regenerated).toMatchObject({ id: reportId, filing_status: 'draft', generation_status: 'published' });
    expect(await books.cashOf(reportId)).toEqual([(before?.[0] ?? 0) + 1, 500]);
    const march = { period_start: '2026-03-01', period_end: '2026-03-31' };
    expect(await books.done('regenerate-report', { report_id: reportId, ...march })).toMatchObject(march);
    expect(await books.cashOf(reportId)).toEqual([500, null]);
    const periods = [{ start: '2026-03-05', end: '2026-03-12', label: 'A week' }];
    const listed = await books.done('regenerate-report', { report_id: reportId, ...march, periods });
    expect(listed).toMatchObject({ period_start: '2026-03-05', period_end: '2026-03-12', periods });
    expect((await books.done('regenerate-report', { report_id: reportId })).periods).toEqual(periods);
    expect(await books.cashOf(reportId)).toEqual([500]);
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
    expect(before?.sets).toBeGreaterThanOrEqual(5);
    await books.done('regenerate-report', { report_id: reportId });
    expect(await count()).toEqual(before);
    await books.done('delete-report', { report_id: reportId });
    expect(await count()).toEqual({ sets: 0, facts: 0, results: 0 });
  });

  it('refuses half a period, a filed report and an archived one (reporting P-14)', async () => {
    const half = await call('regenerate-report', { period_start: '2026-03-01' });
    expect([half.status, half.body.detail]).toEqual([422, expect.stringContaining('together')]);
    await books.file(reportId);
    const filed = await call('regenerate-report');
    expect([filed.status, filed.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(filed.body.detail).toContain("is 'filed' and cannot be regenerated. Create a report that restates it");
    await books.move(reportId, 'archived');
    expect((await call('regenerate-report')).status).toBe(422);
  });
});

describe('delete-report', () => {
  it('deletes an unfiled report and refuses a filed one (reporting P-15)', async () => {
    expect(await books.done('delete-report', { report_id: reportId })).toEqual({ deleted: true });
    expect((await call('delete-report')).status).toBe(404);
    reportId = await books.create();
    await books.file(reportId);
    const refused = await call('delete-report');
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    await books.move(reportId, 'archived');
    expect((await call('delete-report')).status).toBe(422);
  });
});
