/** @module-tag sessions */
// Goal: a report has the notes that received facts, and copies of the texts bound to notes.
// Method: a real service over HTTP; texts are stored through the fact store, as no plugin here has documents.
import { factStore } from '@pacioli/blocks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  april,
  createReport,
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  postExample,
  type ReportingService,
  startReporting,
  statementOf,
} from './example-books.ts';
import { askForDownload } from './report-files.ts';

let reporting: ReportingService;
beforeAll(async () => {
  reporting = await startReporting();
});
afterAll(() => reporting.service.close());

const property = 'Property, Plant and Equipment, by Class';

/** The notes of a report: by name, the values of each element on the last day of April, or its text. */
async function notesOf(books: ExampleBooks, id: string): Promise<Readonly<Record<string, Loose>>> {
  const { reportPackage } = await books.query(`{ reportPackage(reportId: "${id}") { items { block { name blockType
    facts { elementQname periodStart periodEnd value textValue factSetId } factSet { id factsetType provenance }
    verificationSummary { failed } } } } }`);
  const notes = reportPackage.items.filter(({ block }: Loose) => block.blockType === 'regulatory_disclosure');
  return Object.fromEntries(
    notes.map(({ block }: Loose) => {
      const ofApril = block.facts.filter(({ periodEnd }: Loose) => periodEnd === april.period_end);
      const values = ofApril.map(({ elementQname, value, textValue }: Loose) => [
        elementQname.replace('rs-gaap:', ''),
        textValue ?? value,
      ]);
      expect(block.verificationSummary?.failed ?? 0).toBe(0);
      return [block.name, Object.fromEntries(values)];
    }),
  );
}

const noncash = async (books: ExampleBooks, id: string) =>
  (await statementOf(books, id, 'cash_flow_statement')).validation.warnings.filter((text: string) =>
    text.includes('noncash:'),
  );

describe('the notes of a report', () => {
  it('have the details that statements leave out, and the totals of statements (reporting S-11, S-21, S-22)', async () => {
    const books = await openExampleBooks(reporting.user);
    await postExample(books);
    const report = await createReport(books);
    expect(report.rule_summary).toMatchObject({ fail: 0, error: 0 });
    const notes = await notesOf(books, report.id);
    expect(notes[property]).toEqual({
      PropertyPlantAndEquipmentGross: 62_000,
      AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment: 17_050,
      PropertyPlantAndEquipmentNet: 44_950,
    });
    expect(Object.values(notes).find((note) => 'CashAndCashEquivalentsAtCarryingValue' in note)).toEqual({
      CashAndCashEquivalentsAtCarryingValue: 30_700,
      CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents: 30_700,
    });
    expect(Object.keys(notes)).not.toContain('Goodwill');
    // Of several notes the first by name is read as a statement (P-23).
    const { structureName } = await statementOf(books, report.id, 'regulatory_disclosure');
    expect(structureName).toBe(Object.keys(notes).toSorted()[0]);
  });

  it('have a total with the sum of details and of its own accounts (reporting S-18, S-32)', async () => {
    const books = await openExampleBooks(reporting.user, { accounts: [['1510', 'asset', 'Land']] });
    await books.post('2026-04-02', [
      ['1500', 600, 0],
      ['1510', 400, 0],
      ['3000', 0, 1_000],
    ]);
    const report = await createReport(books);
    expect(report.rule_summary).toMatchObject({ fail: 0, error: 0 });
    expect((await notesOf(books, report.id))[property]).toEqual({
      Land: 400,
      PropertyPlantAndEquipmentGross: 1_000,
      PropertyPlantAndEquipmentNet: 1_000,
    });
  });

  it('leave calculations out of XBRL whose total has amounts besides its parts (reporting X-29, S-32)', async () => {
    const books = await openExampleBooks(reporting.user, {
      accounts: [['2010', 'liability', 'AccountsPayableTradeCurrent']],
    });
    for (const code of ['2000', '2010']) {
      await books.post('2026-04-02', [
        ['1200', 100, 0],
        [code, 0, 100],
      ]);
    }
    const { id } = await createReport(books);
    const { omittedContent } = await askForDownload(books, id, ', format: XBRL_2_1');
    expect(omittedContent).toContain(
      'calculation_arc:rs-gaap:AccountsPayableCurrent>rs-gaap:AccountsPayableTradeCurrent',
    );
  });

  it('name investing and financing without cash where the pair is known (reporting S-16a)', async () => {
    const books = await openExampleBooks(reporting.user, {
      accounts: [
        ['1700', 'asset', 'FinanceLeaseRightOfUseAsset'],
        ['1800', 'asset', 'ShortTermInvestments'],
        ['2700', 'liability', 'FinanceLeaseLiabilityNoncurrent'],
      ],
    });
    await books.post('2026-04-01', [
      ['1500', 9_000, 0],
      ['1000', 0, 1_000],
      ['2500', 0, 8_000],
    ]);
    const exchanges = [
      ['1700', '2700', 700],
      ['2500', '3000', 500],
      ['1500', '3000', 300],
      ['6100', '3000', 200],
      // No concept names this pair, so it stays a warning.
      ['1800', '3000', 100],
    ] as const;
    for (const [debit, credit, dollars] of exchanges) {
      await books.post('2026-04-02', [
        [debit, dollars, 0],
        [credit, 0, dollars],
      ]);
    }
    const { id } = await createReport(books);
    expect((await notesOf(books, id))['Supplemental Cash Flow Information']).toEqual({
      NoncashOrPartNoncashAcquisitionDebtAssumed1: 8_000,
      RightOfUseAssetObtainedInExchangeForFinanceLeaseLiability: 700,
      ConversionOfStockAmountIssued1: 500,
      StockIssued1: 500,
    });
    expect(await noncash(books, id)).toHaveLength(6);
  });
});

describe('statement', () => {
  it('shows the amount of the whole company and not that of a segment (reporting P-23)', async () => {
    const books = await openExampleBooks(reporting.user);
    await postExample(books);
    const { id } = await createReport(books);
    const { store, service } = reporting.service;
    const rowsOf = async () => (await statementOf(books, id, 'income_statement')).rows;
    const { structureId: incomeStatementId, rows: before } = await statementOf(books, id, 'income_statement');
    const revenue = before.find(({ elementQname }: Loose) => elementQname === 'rs-gaap:Revenues');
    await store.transaction({ graphId: books.graph }, async (tx) => {
      const facts = service.services.resolve(factStore);
      const [set] = (await facts.sets(tx, { reportId: id, scenario: 'actuals' })).filter(({ structureId }) => {
        return structureId === incomeStatementId;
      });
      const member = { dimensionType: 'axis', axisElementId: revenue.elementId, value: 'North', displayName: 'North' };
      const period = { periodStart: april.period_start, periodEnd: april.period_end, periodType: 'duration' as const };
      const segment = { elementId: revenue.elementId, ...period, value: '7.00', unit: 'USD', members: [member] };
      await facts.addFacts(tx, set?.id ?? '', [segment], new Date('2026-05-04T00:00:00Z'));
    });
    expect(await rowsOf()).toEqual(before);
  });
});

describe('the notes of an extension', () => {
  /** An extension of the framework with a note on rents and one on policies. */
  const extend = async (books: ExampleBooks, name: string, parent: string) => {
    const concept = (local: string, more: object) => ({ qname: `${name}:${local}`, name: local, ...more });
    const result = await books.done('create-taxonomy-block', {
      name: `Notes ${name}`,
      taxonomy_type: 'reporting_extension',
      parent_taxonomy_id: parent,
      elements: [
        concept('Header', { element_type: 'abstract', trait: 'asset', balance_type: 'debit', period_type: 'duration' }),
        concept('Policies', { trait: 'asset', balance_type: 'debit', period_type: 'duration', is_monetary: false }),
      ],
      structures: [
        { name: `Occupancy ${name}`, block_type: 'regulatory_disclosure', concept_arrangement: 'set' },
        { name: `Policies ${name}`, block_type: 'regulatory_disclosure', concept_arrangement: 'level2_textblock' },
      ],
      associations: [
        [`Occupancy ${name}`, 'rs-gaap:OperatingLeaseExpense'],
        [`Policies ${name}`, `${name}:Policies`],
      ].map(([structure, child]) => ({
        structure_ref: structure,
        from_ref: `${name}:Header`,
        to_ref: child,
        association_type: 'presentation',
        order_value: 1,
      })),
    });
    const structure = result.structures.find((each: Loose) => each.name === `Policies ${name}`).id;
    const element = result.elements.find(({ qname }: Loose) => qname === `${name}:Policies`).id;
    return { id: result.id as string, structure: structure as string, element: element as string };
  };

  it('belong to reports on the framework and on the extension, with the newest texts (reporting S-21, S-23)', async () => {
    const books = await openExampleBooks(reporting.user);
    await books.post('2026-04-02', [
      ['6100', 250, 0],
      ['1000', 0, 250],
    ]);
    const { body } = await reporting.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
    const first = await extend(books, 'acme', body.data.libraryTaxonomy.id);
    const second = await extend(books, 'beta', body.data.libraryTaxonomy.id);
    const { store, service } = reporting.service;
    const entityId = (await books.query('{ entity { id } }')).entity.id;
    const bind = (text: string, start: string, end: string, { structure, element } = first) =>
      store.transaction({ graphId: books.graph }, async (tx) => {
        const facts = service.services.resolve(factStore);
        const provenance = { origin: 'document', document_id: 'doc_1', section_id: null, content_hash: text };
        const now = new Date('2026-05-01T00:00:00Z');
        const set = await facts.createSet(tx, {
          structureId: structure,
          entityId,
          periodStart: start,
          periodEnd: end,
          factsetType: 'disclosure',
          scenarioId: null,
          provenance,
          createdBy: 'user_1',
          now,
        });
        const period = { periodStart: start, periodEnd: end, periodType: 'duration' as const };
        const fact = { elementId: element, ...period, value: null, unit: null, provenance };
        await facts.addFacts(tx, set, [{ ...fact, text: { value: text, contentType: 'text/markdown' } }], now);
      });
    await bind('Old.', '2026-03-01', '2026-03-31');
    await bind('When delivered.', '2026-04-01', '2026-04-30');
    await bind('A whole year.', '2026-01-01', '2026-12-31');
    await bind('Of the other.', '2026-04-01', '2026-04-30', second);
    const report = await createReport(books);
    const notes = await notesOf(books, report.id);
    expect(notes['Occupancy acme']).toEqual({ OperatingLeaseExpense: 250 });
    expect(notes['Policies acme']).toEqual({ 'acme:Policies': 'When delivered.' });
    expect(notes['Policies beta']).toEqual({ 'beta:Policies': 'Of the other.' });
    const { reportPackage } = await books.query(`{ reportPackage(reportId: "${report.id}") { items { block { name
      factSet { factsetType provenance } } } } }`);
    const copied = reportPackage.items.find(({ block }: Loose) => block.name === 'Policies acme').block.factSet;
    expect(copied).toMatchObject({ factsetType: 'report', provenance: { origin: 'document', document_id: 'doc_1' } });

    const ofSecond = await createReport(books, { taxonomy_id: second.id });
    expect(Object.keys(await notesOf(books, ofSecond.id)).toSorted()).toEqual(['Occupancy beta', 'Policies beta']);

    // Texts of a filed report stay, those of a new generation are the current ones (P-16).
    await books.done('file-report', { report_id: ofSecond.id });
    await bind('Changed.', '2026-04-02', '2026-04-30', second);
    await books.done('regenerate-report', { report_id: report.id });
    expect((await notesOf(books, report.id))['Policies beta']).toEqual({ 'beta:Policies': 'Changed.' });
    expect((await notesOf(books, ofSecond.id))['Policies beta']).toEqual({ 'beta:Policies': 'Of the other.' });
  });
});
