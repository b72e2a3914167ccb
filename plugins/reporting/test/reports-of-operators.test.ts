// Goal: a report says whether an operator asked for its figures. Method: the author operator, with a script instead of a
// model, and a person write the same report over HTTP.
import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import operators, { offlineLanguageModel } from '@pacioli/operators';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import reporting from '../src/index.ts';
import { april, createReport, type ExampleBooks, openExampleBooks } from './example-books.ts';

let service: TestService;
let user: TestClient;
let books: ExampleBooks;
beforeAll(async () => {
  service = await startTestService({
    plugins: [reporting, taxonomy, blocks, ledger, operators],
    languageModel: offlineLanguageModel(),
    clock: fixedClock('2026-05-04T12:00:00Z'),
  });
  user = await service.newUser('Ada');
  books = await openExampleBooks(user);
  await books.post('2026-04-10', [
    ['1000', 900, 0],
    ['4000', 0, 900],
  ]);
});
afterAll(() => service.close());

/** Lets the author call one tool, and returns the receipt of what it wrote. */
async function author(tool: string, input: object) {
  const context = { offline_script: [{ tool, input }, { reply: 'Done.' }] };
  const message = { message: 'Write the report.', enable_rag: false, context };
  const accepted = await user.post(`/v1/graphs/${books.graph}/operator/author`, message);
  expect(accepted.status).toBe(202);
  const { body } = await user.follow(accepted.body.operation_id);
  expect(body.result.metadata.writes, JSON.stringify(body)).toHaveLength(1);
  return body.result.metadata.writes[0];
}

async function isGenerated(id: string): Promise<boolean> {
  const { report, reportPackage } = await books.query(
    `{ report(reportId: "${id}") { aiGenerated } reportPackage(reportId: "${id}") { aiGenerated } }`,
  );
  expect(reportPackage.aiGenerated).toBe(report.aiGenerated);
  return report.aiGenerated;
}

it('marks a report that an operator creates, until a person regenerates it (reporting P-11)', async () => {
  const { id } = await author('create-report', { name: 'April 2026', mapping_id: books.mappingId, ...april });
  expect(await isGenerated(id)).toBe(true);
  expect(await books.done('regenerate-report', { report_id: id })).toMatchObject({ ai_generated: false });
  expect(await isGenerated(id)).toBe(false);
});

it('marks a report of a person from the generation on that an operator asks for (reporting P-11)', async () => {
  const { id, ai_generated: isMarked } = await createReport(books);
  expect(isMarked).toBe(false);
  await author('regenerate-report', { report_id: id });
  expect(await isGenerated(id)).toBe(true);
});
