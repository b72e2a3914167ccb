/** @module-tag sessions */
// Goal: an admin chooses the networks of a company; what cannot be composed is refused.
// Method: a real service over HTTP with the books of the worked example.
import { joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createReport,
  type ExampleBooks,
  openExampleBooks,
  postExample,
  type ReportingService,
  startReporting,
  statementOf,
} from './example-books.ts';

let reporting: ReportingService;
let books: ExampleBooks;
let styles: ReadonlyMap<string, string>;
let structures: ReadonlyMap<string, string>;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
  const { body } = await reporting.user.graphql('library', '{ libraryStructures { id name blockType } }');
  const rows: readonly { id: string; name: string; blockType: string }[] = body.data.libraryStructures;
  styles = new Map(rows.flatMap(({ id, name, blockType }) => (blockType === 'reporting_style' ? [[name, id]] : [])));
  structures = new Map(rows.map(({ id, name, blockType }) => [`${blockType} ${name}`, id]));
});
afterAll(() => reporting.service.close());

const idOf = (name: string): string => styles.get(name) ?? '';
const change = (body: object, client?: TestClient) => books.operation('change-reporting-style', body, client);

describe('change-reporting-style', () => {
  it('changes the networks of new reports and leaves an earlier report as it is (reporting Y-3, Y-4)', async () => {
    const { id: before } = await createReport(books);
    const { body, status } = await change({ reporting_style_id: idOf('Small Private Company') });
    expect(status).toBe(200);
    const { entity } = await books.query('{ entity { id reportingStyleId } }');
    expect(body.result).toEqual({
      entity_id: entity.id,
      reporting_style_id: idOf('Small Private Company'),
      changed: true,
      previous_reporting_style_id: null,
      reporting_style_code: 'BSC-CORP-IS01-CF1',
    });
    expect(entity.reportingStyleId).toBe(idOf('Small Private Company'));
    const { id: after } = await createReport(books);
    const [old, current] = [
      await statementOf(books, before, 'income_statement'),
      await statementOf(books, after, 'income_statement'),
    ];
    expect(current.structureId).not.toBe(old.structureId);
    expect(old.rows.map((row: { elementQname: string }) => row.elementQname)).toContain('rs-gaap:GrossProfit');
  });

  it('changes nothing when the company has the style already (reporting Y-3)', async () => {
    const { body } = await change({ reporting_style_id: idOf('Small Private Company') });
    expect(body.result).toMatchObject({ changed: false, reporting_style_code: 'BSC-CORP-IS01-CF1' });
  });

  it('warns of mapped concepts that no statement of the style shows (reporting Y-3)', async () => {
    const graph = await reporting.user.createGraph('Shop', ['ledger']);
    const base = `/extensions/ledger/${graph}/operations`;
    const chart = { template: 'product', entity_type: 'corporation' };
    expect((await reporting.user.post(`${base}/initialize-chart-of-accounts`, chart)).status).toBe(200);
    const changed = async (name: string) =>
      (await reporting.user.post(`${base}/change-reporting-style`, { reporting_style_id: idOf(name) })).body.result;
    expect((await changed('Default')).warnings).toBeUndefined();
    expect((await changed('Unclassified Balance Sheet')).warnings).toBeUndefined();
    const { warnings } = await changed('Partnership');
    expect(warnings).toContain(
      'No statement of the style shows rs-gaap:CommonStockValue, to which accounts are mapped.',
    );
  });

  it.each([
    ['an unknown structure', 'struct_none', /not found/],
    ['a network instead of a style', 'income_statement Income Statement, Multi-Step', /not a reporting style/],
    ['a structure without networks', 'custom Balance Sheet to Cash Flow', /missing Network\(s\) for: balance_sheet/],
  ])('refuses %s (reporting Y-3)', async (_title, name, message) => {
    const id = structures.get(name) ?? name;
    const { status, body } = await change({ reporting_style_id: id });
    expect(status).toBe(422);
    expect(body.detail).toMatch(message);
  });

  it('answers 404 for a company that the graph does not have (reporting Y-3)', async () => {
    const body = { reporting_style_id: idOf('Default'), entity_id: 'ent_none' };
    expect((await change(body)).status).toBe(404);
  });

  it('is for admins of the graph (reporting Y-3)', async () => {
    const { client, userId } = await joinTeam(reporting.service, reporting.user);
    const granted = await reporting.user.post(`/v1/graphs/${books.graph}/members`, { user_id: userId, role: 'member' });
    expect(granted.status).toBe(201);
    const { status } = await change({ reporting_style_id: idOf('Default') }, client);
    expect(status).toBe(403);
  });
});
