import type { TestService } from '@pacioli/testing';
import { expect } from 'vitest';
import { yearOf } from './journal-figures.ts';
import { chosenConcept, type ImportedBook, type RealBook } from './real-books.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
export type Loose = any;

const formats = ['jsonld', 'holon-jsonld', 'xbrl-2.1', 'xlsx', 'csv', 'html'] as const;
const blockTypes = ['balance_sheet', 'income_statement', 'cash_flow_statement', 'equity_statement'] as const;

/** A book with its filed report, as the service shows and sends it. */
export interface ReportedBook {
  readonly book: RealBook;
  readonly imported: ImportedBook;
  /** The concept of each account, without its prefix. */
  readonly concepts: ReadonlyMap<string, string>;
  readonly summary: Loose;
  readonly statements: readonly Loose[];
  readonly omitted: readonly string[];
  readonly files: Readonly<Record<(typeof formats)[number], Buffer>>;
  /** Of the files, without an extension. */
  readonly stem: string;
}

/** Imports a book, maps its accounts, closes its first year, and files a report of two years. */
export async function reportBook(book: RealBook, service: TestService, folder: string): Promise<ReportedBook> {
  const imported = await book.import({ url: service.url, anonymous: service.anonymous, folder });
  const concepts = await mapAccounts(imported);
  const { firstYear } = book;
  // The demo company has a calendar already.
  await operation(imported, 'initialize', { earliest_data_period: `${firstYear}-01` }, [200, 409]);
  const target = await operation(imported, 'set-close-target', { period: `${firstYear}-12` });
  for (const period of target.catch_up_sequence) await operation(imported, 'close-period', { period });
  const { end, start } = yearOf(firstYear + 1);
  const report = await operation(imported, 'create-report', {
    name: `Annual report of the ${book.name}`,
    mapping_id: imported.mappingId,
    period_type: 'annual',
    period_start: start,
    period_end: end,
  });
  const statements = await Promise.all(blockTypes.map((blockType) => statementOf(imported, report.id, blockType)));
  await operation(imported, 'file-report', { report_id: report.id });
  const answer = await query(
    imported,
    `{ reportDownloadUrl(reportId: "${report.id}", format: XBRL_2_1) { omittedContent } }`,
  );
  const downloads = await Promise.all(formats.map((format) => download(imported, report.id, format)));
  return {
    book,
    imported,
    concepts,
    summary: report.rule_summary,
    statements,
    omitted: answer.reportDownloadUrl.omittedContent,
    files: Object.fromEntries(formats.map((format, at) => [format, downloads[at]?.content])) as ReportedBook['files'],
    stem: downloads[0]?.name.replace('.jsonld', '') ?? '',
  };
}

async function operation(
  { user, graph: id }: ImportedBook,
  name: string,
  body: object,
  allowed = [200],
): Promise<Loose> {
  const answer = await user.post(`/extensions/ledger/${id}/operations/${name}`, body);
  if (!allowed.includes(answer.status)) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.result;
}

async function query({ user, graph: id }: ImportedBook, text: string, of = id): Promise<Loose> {
  const { body } = await user.graphql(of, text);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

/** Maps accounts by their names, then those without a concept as a user would; returns the concept of each account. */
async function mapAccounts(imported: ImportedBook): Promise<ReadonlyMap<string, string>> {
  const { user, graph: id, mappingId } = imported;
  const accepted = await user.post(`/extensions/ledger/${id}/operations/auto-map-elements`, { mapping_id: mappingId });
  expect((await user.follow(accepted.body.operationId)).body.status).toBe('completed');
  const { accounts } = (await query(imported, '{ accounts(limit: 500) { accounts { id code } } }')).accounts;
  const found = await query(
    imported,
    `{ mapping(mappingId: "${mappingId}") { associations { fromElementId toElementQname } } }`,
  );
  const concepts = new Map<string, string>(
    found.mapping.associations.map(({ fromElementId, toElementQname }: Loose) => [fromElementId, toElementQname]),
  );
  for (const account of accounts) {
    if (concepts.has(account.id)) continue;
    const qname = `rs-gaap:${chosenConcept(account.code)}`;
    const { libraryElement } = await query(imported, `{ libraryElement(qname: "${qname}") { id } }`, 'library');
    const arc = { mapping_id: mappingId, from_element_id: account.id, to_element_id: libraryElement.id };
    await operation(imported, 'create-mapping-association', arc);
    concepts.set(account.id, qname);
  }
  return new Map(accounts.map(({ id: at, code }: Loose) => [code, concepts.get(at)?.replace('rs-gaap:', '')]));
}

async function statementOf(imported: ImportedBook, reportId: string, blockType: string): Promise<Loose> {
  const { statement } = await query(
    imported,
    `{ statement(reportId: "${reportId}", blockType: "${blockType}") { unmappedCount structureName
      rows { elementQname values } validation { status failures warnings } } }`,
  );
  return { ...statement, blockType };
}

async function download(
  { user, graph: id }: ImportedBook,
  reportId: string,
  format: string,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const path = `/v1/graphs/${id}/reports/${reportId}/download?format=${format}`;
  const response = await fetch(`${user.url}${path}`, { headers: user.headers });
  if (response.status !== 200) throw new Error(`${format}: ${response.status} ${await response.text()}`);
  const [, name = ''] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { name, content: Buffer.from(await response.arrayBuffer()) };
}
