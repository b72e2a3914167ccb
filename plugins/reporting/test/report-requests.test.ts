/** @module-tag sessions */
// Goal: create-report refuses what it cannot report, and accepts what lies just within its limits.
// Method: a real service over HTTP, with books that have no entries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  april,
  column,
  createReport,
  type ExampleBooks,
  openExampleBooks,
  type ReportingService,
  startReporting,
  statementOf,
  years,
} from './example-books.ts';

let reporting: ReportingService;
let books: ExampleBooks;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user);
});
afterAll(() => reporting.service.close());

describe('create-report', () => {
  const refusal = async (more: object) => {
    const { status, body } = await books.operation('create-report', {
      name: 'Refused',
      mapping_id: books.mappingId,
      ...april,
      ...more,
    });
    return [status, body.code, body.detail];
  };

  it.each([
    ['an unknown taxonomy', { taxonomy_id: 'ifrs' }, "Taxonomy 'ifrs' not found."],
    ['an unknown mapping', { mapping_id: 'struct_none' }, "Mapping 'struct_none' not found."],
    ['a blank name', { name: ' ' }, 'name: give 1 to 255 characters'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'name: give 1 to 255 characters'],
    ['an unknown period type', { period_type: 'weekly' }, 'period_type must be monthly, quarterly, annual'],
    ['a period that ends before it starts', { period_end: '2026-03-31' }, 'ends (2026-03-31) before it starts'],
    ['a period before 1900', { period_start: '1899-12-31' }, 'must lie between 1900-01-01 and 2999-12-31'],
    [
      'a comparison before 1900',
      { period_start: '1900-01-01', period_end: '1900-01-31' },
      'The comparison must lie between 1900-01-01 and 2999-12-31; it is 1899-12-01 to 1899-12-31.',
    ],
    [
      'a comparison of a thousand years',
      { period_start: '1900-01-01', period_end: '2999-12-31' },
      'The comparison must lie between',
    ],
    ['an empty list of columns', { periods: [] }, 'list 1 to 24 columns, not 0'],
    ['25 columns', { periods: years(25) }, 'list 1 to 24 columns, not 25'],
    ['a column without a label', { periods: [column('')] }, 'give each column a label'],
    ['a label that is too long', { periods: [column('x'.repeat(101))] }, 'a label has at most 100 characters'],
    ['a repeated column', { periods: [column('A'), column('B')] }, "The column 'B' repeats the period"],
    ['a column that ends before it starts', { periods: [column('A', '2026-05-01')] }, "The column 'A' ends"],
    ['an unknown predecessor', { supersedes_id: 'rpt_none' }, "report 'rpt_none' not found"],
  ])('refuses %s (reporting P-7, P-9, P-10, P-17, S-34)', async (_name, more, detail) => {
    expect(await refusal(more)).toEqual([422, 'INVALID_INPUT', expect.stringContaining(detail)]);
  });

  it('counts the characters of names and labels, however many units they have (reporting P-9, S-34)', async () => {
    const ledger = '\u{1F4D2}';
    const report = await createReport(books, { name: ledger.repeat(255), periods: [column(ledger.repeat(100))] });
    expect(report.name).toBe(ledger.repeat(255));
    expect(report.periods).toEqual([column(ledger.repeat(100))]);
    const tooLong = 'a label has at most 100 characters';
    const expected = [422, 'INVALID_INPUT', expect.stringContaining(tooLong)];
    expect(await refusal({ periods: [column(ledger.repeat(101))] })).toEqual(expected);
    expect((await refusal({ name: ledger.repeat(256) }))[0]).toBe(422);
  });

  it('accepts the first month of 1900 without a comparison (reporting S-34)', async () => {
    const first = { period_start: '1900-01-01', period_end: '1900-01-31', comparative: false };
    expect((await createReport(books, first)).period_start).toBe('1900-01-01');
  });

  it('accepts 24 columns, the id of the taxonomy, and columns outside the calendar (reporting P-7, P-13, S-34)', async () => {
    const { body } = await reporting.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
    const taxonomyId = body.data.libraryTaxonomy.id;
    const report = await createReport(books, { periods: years(24), taxonomy_id: taxonomyId });
    expect(report.taxonomy_id).toBe(taxonomyId);
    const { validation } = await statementOf(books, report.id, 'balance_sheet');
    const open = validation.warnings.filter((warning: string) => warning.includes(' open'));
    expect(open).toHaveLength(37);
    expect(open.at(-1)).toBe(`${24 * 12 - 36} more periods are open`);
  });

  it('names no closed month (reporting P-13)', async () => {
    const closed = await openExampleBooks(reporting.user);
    await closed.done('close-period', { period: '2026-02' });
    const { id } = await createReport(closed, { periods: [column('Spring', '2026-02-01')] });
    const { validation } = await statementOf(closed, id, 'balance_sheet');
    expect(validation.warnings.filter((warning: string) => warning.startsWith('period '))).toEqual([
      'period 2026-03 is open',
      'period 2026-04 is open',
    ]);
  });
});
