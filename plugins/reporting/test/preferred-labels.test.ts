/** @module-tag sessions */
// Goal: a note shows an element once for each preferred label, and every format of the report says the same.
// Method: a real service over HTTP with a note of the tenant that rolls gross property forward.

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
import { downloadText } from './report-files.ts';

const gross = 'rs-gaap:PropertyPlantAndEquipmentGross';
const accumulated = 'rs-gaap:AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment';

let reporting: ReportingService;
let books: ExampleBooks;
let reportId: string;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
  await books.done('create-taxonomy-block', await noteOf(places));
  reportId = (await createReport(books)).id;
});
afterAll(() => reporting.service.close());

/** What the note presents, in its order. */
const places: readonly (readonly [element: string, label: string | null])[] = [
  [gross, 'http://www.xbrl.org/2003/role/periodStartLabel'],
  [accumulated, 'negated'],
  [gross, 'periodEnd'],
];

async function noteOf(presented: typeof places): Promise<object> {
  const { body } = await reporting.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  return {
    name: 'Notes of Larkfield',
    taxonomy_type: 'reporting_extension',
    parent_taxonomy_id: body.data.libraryTaxonomy.id,
    elements: [
      {
        qname: 'lark:Header',
        name: 'Header',
        element_type: 'abstract',
        trait: 'asset',
        balance_type: 'debit',
        period_type: 'duration',
      },
    ],
    structures: [{ name: 'A note on machinery', block_type: 'regulatory_disclosure', concept_arrangement: 'set' }],
    associations: presented.map(([element, label], at) => ({
      structure_ref: 'A note on machinery',
      from_ref: 'lark:Header',
      to_ref: element,
      association_type: 'presentation',
      order_value: at + 1,
      metadata: label === null ? {} : { preferred_label: label },
    })),
  };
}

describe('a note with preferred labels', () => {
  it('has an element once for each of them, with the balance of its place (reporting S-24, S-29)', async () => {
    const { structureName, rows, periods } = await statementOf(books, reportId, 'regulatory_disclosure');
    expect([structureName, periods.map(({ start }: Loose) => start)]).toEqual([
      'A note on machinery',
      ['2026-04-01', '2026-03-01'],
    ]);
    const name = rows[0].elementName.replace(', beginning of period', '');
    expect(rows.map(({ elementName, values }: Loose) => [elementName, values])).toEqual([
      [`${name}, beginning of period`, [66_000, null]],
      // The wire has the stored sign.
      [expect.any(String), [17_050, 19_000]],
      [`${name}, end of period`, [62_000, 66_000]],
    ]);
  });

  it('keeps the labels in JSON-LD, and reverses the sign of negated ones in documents only (reporting S-29, X-9)', async () => {
    const nodes = JSON.parse(await downloadText(books, reportId))['@graph'];
    const note = nodes.find(
      ({ prefLabel, type }: Loose) => prefLabel === 'A note on machinery' && [type].flat().includes('fin:Structure'),
    );
    const arcs = nodes.filter(({ id }: Loose) => note.hasAssociation.includes(id));
    expect(arcs.map(({ to, preferredLabel }: Loose) => [to, preferredLabel])).toEqual([
      [gross, 'http://www.xbrl.org/2003/role/periodStartLabel'],
      [accumulated, 'http://www.xbrl.org/2009/role/negatedLabel'],
      [gross, 'http://www.xbrl.org/2003/role/periodEndLabel'],
    ]);
    const { url, headers } = reporting.user;
    const page = await fetch(`${url}/v1/graphs/${books.graph}/reports/${reportId}/download?format=html`, { headers });
    const html = await page.text();
    const section = html.slice(html.indexOf('A note on machinery'));
    const amounts = [
      ...section.slice(0, section.indexOf('</section>')).matchAll(/<td class="number actual">([^<]*)</g),
    ];
    expect(amounts.map(([, amount]) => amount)).toEqual([
      '66,000.00',
      '',
      '(17,050.00)',
      '(19,000.00)',
      '62,000.00',
      '66,000.00',
    ]);
  });

  it('has them in the linkbases of its XBRL package (reporting X-27, X-28)', async () => {
    // Files of packages are stored without compression.
    const zip = await downloadText(books, reportId, 'XBRL_2_1');
    const link = /<link:presentationLink [^>]*ANoteOnMachinery">[\s\S]*?<\/link:presentationLink>/.exec(zip)?.[0] ?? '';
    expect(
      [...link.matchAll(/xlink:to="([^"]*)"[^>]*preferredLabel="[^"]*\/(\w+)"/g)].map(([, to, role]) => [to, role]),
    ).toEqual([
      ['loc_rs-gaap_PropertyPlantAndEquipmentGross', 'periodStartLabel'],
      [`loc_${accumulated.replace(':', '_')}`, 'negatedLabel'],
      ['loc2_rs-gaap_PropertyPlantAndEquipmentGross', 'periodEndLabel'],
    ]);
    expect(zip).toMatch(/PropertyPlantAndEquipmentGross_periodStart"[^>]*>[^<]*, beginning of period</);
  });
});

describe('create-taxonomy-block', () => {
  it('refuses two arcs with one label between the same elements (taxonomy T-14)', async () => {
    const twice = await noteOf([
      [gross, 'periodEnd'],
      [gross, 'periodEnd'],
    ]);
    const answer = await books.operation('create-taxonomy-block', twice);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      422,
      expect.stringContaining('as periodEnd) occurs twice'),
    ]);
  });
});
