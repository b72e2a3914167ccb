import { joinTeam, type TestClient } from '@pacioli/testing';
import {
  createReport,
  type ExampleBooks,
  openExampleBooks,
  type ReportingService,
  statementOf,
  valuesOf,
} from './example-books.ts';

/** Books with a report that moves through its filing, and a colleague who may write but is not its author. */
export interface FilingBooks extends ExampleBooks {
  readonly colleague: TestClient;
  readonly colleagueId: string;
  /** Cash in each column of the balance sheet of a report. */
  readonly cashOf: (reportId: string) => Promise<readonly (number | null)[] | undefined>;
  readonly statusOf: (reportId: string) => Promise<string>;
  /** Posts another dollar of cash in April. */
  readonly earn: () => Promise<void>;
  /** Creates a report for April and March and returns its id. */
  readonly create: () => Promise<string>;
  readonly move: (reportId: string, target: string) => Promise<string>;
  readonly file: (reportId: string) => Promise<string>;
}

export async function openFilingBooks(reporting: ReportingService): Promise<FilingBooks> {
  const books = await openExampleBooks(reporting.user);
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  const { client: colleague, userId } = await joinTeam(reporting.service, reporting.user);
  const granted = await reporting.user.post(`/v1/graphs/${books.graph}/members`, { user_id: userId, role: 'member' });
  if (granted.status !== 201) throw new Error(JSON.stringify(granted.body));
  return {
    ...books,
    colleague,
    colleagueId: userId,
    cashOf: async (reportId) =>
      valuesOf(await statementOf(books, reportId, 'balance_sheet'))['CashAndCashEquivalentsAtCarryingValue'],
    statusOf: async (reportId) =>
      (await books.query(`{ report(reportId: "${reportId}") { filingStatus } }`)).report.filingStatus,
    earn: () =>
      books.post('2026-04-10', [
        ['1000', 1, 0],
        ['3000', 0, 1],
      ]),
    create: async () => (await createReport(books)).id,
    move: async (reportId, target) =>
      (await books.done('transition-filing-status', { report_id: reportId, target_status: target })).filing_status,
    file: async (reportId) => (await books.done('file-report', { report_id: reportId })).filing_status,
  };
}
