/** @module-tag sessions */
// Goal: every generation of a report is stored as JSON-LD, and downloads are pre-authorized, of one tenant and
// short-lived.
// Method: a real service over HTTP with the books of the worked example and a file store that can refuse.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createReport,
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  postExample,
  type ReportingService,
  startReporting,
  statementOf,
} from './example-books.ts';
import {
  askForDownload,
  downloadText,
  type RefusingFileStore,
  readJsonLdText,
  refusingFileStore,
} from './report-files.ts';

let reporting: ReportingService;
let books: ExampleBooks;
let files: RefusingFileStore;
let closeFiles: () => Promise<void>;
beforeAll(async () => {
  const store = await refusingFileStore();
  files = store.files;
  closeFiles = store.close;
  reporting = await startReporting({ fileGate: false }, { fileStore: files });
  books = await openExampleBooks(reporting.user);
  await postExample(books);
});
afterAll(async () => {
  await reporting.service.close();
  await closeFiles();
});

const bundleOf = async (reportId: string) => readJsonLdText(await downloadText(books, reportId));

async function keysOf(reportId: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(`report-bundles/${books.graph}/${reportId}/`))
    keys.push(key.split('/').at(-1) ?? '');
  return keys;
}

async function errorOf(text: string, graph = books.graph): Promise<readonly unknown[]> {
  const { body } = await reporting.user.graphql(graph, text);
  return body.errors.map(({ message, extensions }: Loose) => [extensions.code, message]);
}

describe('create-report', () => {
  it('stores the facts of the statements once, with their exact values (reporting G-8, P-7, X-3)', async () => {
    const report = await createReport(books);
    expect(await keysOf(report.id)).toEqual(['v1.jsonld']);
    const bundle = await bundleOf(report.id);
    expect(bundle.report).toMatchObject({
      id: report.id,
      generation: 1,
      name: 'April 2026',
      style: 'BSC-CORP-IS02-CF1',
    });
    expect(bundle.columns.map(({ start }) => start)).toEqual(['2026-04-01', '2026-03-01']);
    const assets = bundle.facts.filter(({ concept }) => concept === 'rs-gaap:Assets');
    expect(assets.map(({ period, value, unit, decimals }) => ({ period, value, unit, decimals }))).toEqual(
      expect.arrayContaining([
        { period: { instant: '2026-04-30' }, value: '112450.00', unit: 'USD', decimals: '2' },
        { period: { instant: '2026-03-31' }, value: '105450.00', unit: 'USD', decimals: '2' },
      ]),
    );
    expect(assets).toHaveLength(2);
    expect(bundle.factSets.map(({ origin, used }) => [origin, used])).toContainEqual([
      'pivot',
      [`urn:mapping:${books.mappingId}`],
    ]);
  });

  it('fails with 502 and creates nothing if the file cannot be stored (reporting P-8)', async () => {
    const before = await books.query('{ reports { reports { id } } }');
    files.isRefusing = true;
    const answer = await books
      .operation('create-report', {
        name: 'Refused',
        mapping_id: books.mappingId,
        period_start: '2026-04-01',
        period_end: '2026-04-30',
      })
      .finally(() => {
        files.isRefusing = false;
      });
    expect([answer.status, answer.body.code]).toEqual([502, 'REPORT_STORE_FAILED']);
    expect(await books.query('{ reports { reports { id } } }')).toEqual(before);
  });
});

describe('regenerate-report', () => {
  it('stores the next generation and leaves the earlier one as it was (reporting P-8, G-3)', async () => {
    const { id } = await createReport(books);
    const { downloadUrl } = await askForDownload(books, id);
    const first = await (await fetch(downloadUrl)).text();
    await books.done('regenerate-report', { report_id: id, period_start: '2026-03-01', period_end: '2026-03-31' });
    expect(await askForDownload(books, id)).toMatchObject({ generationCount: 2 });
    expect((await bundleOf(id)).columns[0]?.start).toBe('2026-03-01');
    expect(await keysOf(id)).toEqual(['v1.jsonld', 'v2.jsonld']);
    expect(await (await fetch(downloadUrl)).text()).toBe(first);
  });
});

describe('file-report', () => {
  it('stores the same facts again with the filing (reporting G-3, P-16)', async () => {
    const { id } = await createReport(books);
    const draft = await bundleOf(id);
    await books.done('file-report', { report_id: id });
    const filed = await bundleOf(id);
    expect(await keysOf(id)).toEqual(['v1.jsonld', 'v1f.jsonld']);
    const filing = { filingStatus: 'filed', filedAt: reporting.clock.now().toISOString() };
    expect(filed).toEqual({ ...draft, report: { ...draft.report, ...filing } });
  });

  it('names the report that it restates (reporting X-6, P-17)', async () => {
    const first = await createReport(books);
    await books.done('file-report', { report_id: first.id });
    const restated = await createReport(books, { supersedes_id: first.id });
    await books.done('file-report', { report_id: restated.id });
    expect((await bundleOf(restated.id)).report.supersedes).toEqual({ id: first.id, generation: 1 });
    expect((await bundleOf(first.id)).report.filingStatus).toBe('filed');
  });

  it('reports what is wrong with the bundle as warnings of the statements (reporting P-12)', async () => {
    const { id } = await createReport(books);
    await breakFile(books, id);
    await books.done('file-report', { report_id: id });
    const { validation } = await statementOf(books, id, 'balance_sheet');
    expect(validation.warnings.filter((warning: string) => warning.startsWith('bundle: '))).toHaveLength(1);
  });

  it('refuses a bundle that does not conform in the mode strict, and checks none in off (reporting P-12)', async () => {
    for (const [bundleValidation, status] of [['strict', 422] as const, ['off', 200] as const]) {
      const other = await startReporting({ bundleValidation, fileGate: false }, { fileStore: files });
      const own = await openExampleBooks(other.user);
      const { id } = await createReport(own);
      await breakFile(own, id);
      const answer = await own.operation('file-report', { report_id: id });
      expect([bundleValidation, answer.status]).toEqual([bundleValidation, status]);
      await other.service.close();
    }
  });
});

/** Takes the unit from a fact of the stored file, which the shapes require. */
async function breakFile(own: ExampleBooks, reportId: string): Promise<void> {
  const broken = (await downloadText(own, reportId)).replace(/,\n {6}"unit": "[^"]*"/, '');
  const chunks = (async function* () {
    yield Buffer.from(broken);
  })();
  const options = { maxBytes: broken.length * 4, contentType: 'text/plain', signal: new AbortController().signal };
  await files.write(`report-bundles/${own.graph}/${reportId}/v1.jsonld`, chunks, options);
}

describe('delete-report', () => {
  it('removes the files of all generations (reporting P-15)', async () => {
    const { id } = await createReport(books);
    await books.done('regenerate-report', { report_id: id });
    expect(await keysOf(id)).toHaveLength(2);
    await books.done('delete-report', { report_id: id });
    while ((await keysOf(id)).length > 0) await setTimeout(20);
  });
});

describe('reportDownloadUrl', () => {
  it('promises the stored file with its name, and no longer than was asked for (reporting G-1, G-2)', async () => {
    const { id } = await createReport(books);
    const promised = await askForDownload(books, id, ', expiresIn: 60');
    expect(promised).toMatchObject({
      contentType: 'application/ld+json',
      format: 'jsonld',
      generationCount: 1,
      omittedContent: [],
      expiresAt: '2026-05-04T12:01:00.000Z',
    });
    const response = await fetch(promised.downloadUrl);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, 'application/ld+json', 'attachment; filename="larkfield-tool-co-2026-04-30-g1.jsonld"']);
    await response.text();
    reporting.clock.advance(60_000);
    expect((await fetch(promised.downloadUrl)).status).toBe(403);
    reporting.clock.set('2026-05-04T12:00:00Z');
  });

  it('is null for a report of another graph (reporting G-1)', async () => {
    const { id } = await createReport(books);
    const other = await reporting.user.createGraph('Other books', ['ledger']);
    const { body } = await reporting.user.graphql(other, `{ reportDownloadUrl(reportId: "${id}") { format } }`);
    expect(body).toEqual({ data: { reportDownloadUrl: null } });
    expect(await askForDownload(books, 'rpt_none')).toBeNull();
  });

  it.each([
    [', expiresIn: 59', 'INVALID_ARGUMENT', 'expiresIn: give 60 to 3600 seconds, not 59.'],
    [', expiresIn: 3601', 'INVALID_ARGUMENT', 'expiresIn: give 60 to 3600 seconds, not 3601.'],
    [', format: TAVI', 'REPORT_BUNDLE_NOT_AVAILABLE', "This service does not write reports in the format 'tavi'."],
    [', format: PDF', 'GRAPHQL_VALIDATION_FAILED', 'Value "PDF" does not exist in "ReportDownloadFormat" enum.'],
  ])('refuses%s (reporting G-1, G-6)', async (more, code, message) => {
    const { id } = await createReport(books);
    expect(await errorOf(`{ reportDownloadUrl(reportId: "${id}"${more}) { format } }`)).toEqual([[code, message]]);
  });

  it('says so if the file of a report is missing (reporting G-1)', async () => {
    const { id } = await createReport(books);
    await files.remove(`report-bundles/${books.graph}/${id}/v1.jsonld`);
    expect(await errorOf(`{ reportDownloadUrl(reportId: "${id}") { format } }`)).toEqual([
      ['REPORT_BUNDLE_NOT_AVAILABLE', `The file of report '${id}' is missing from the file store.`],
    ]);
  });
});
