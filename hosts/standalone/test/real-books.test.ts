/**
 * Imports six books and validates their reports with outside processors.
 * @module-tag full-run
 */
// Goal: real books become two annual reports whose figures are those of the journal, in every format, without
// omissions. Method: each book is imported, mapped as a user would do it, and closed for a year; the facts of its report
// are compared with sums over the lines of the source, to the cent, and Arelle, pySHACL and openpyxl read the files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import blocks from '@pacioli/blocks';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportShapes } from '../../../plugins/reporting/src/serialization/shapes/index.ts';
import { areToolsRequired, installTools, runTool } from '../../../plugins/reporting/test/python-tools.ts';
import { isReady, why } from '../../import-beancount/test/bean-query.ts';
import { conceptsOf, expensesOfDetails, type Figures, sectionsOf, totalsOf, yearOf } from './journal-figures.ts';
import { realBooks } from './real-books.ts';
import { type Loose, type ReportedBook, reportBook } from './reported-book.ts';

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'pacioli-real-books-'));
const reported: ReportedBook[] = [];

beforeAll(async () => {
  if (!isReady) return;
  service = await startTestService({
    plugins: [graph, taxonomy, blocks, ledger, reporting],
    aliases: { ledger: ['roboledger'] },
    clock: fixedClock('2026-03-02T09:00:00Z'),
  });
  for (const book of realBooks) reported.push(await reportBook(book, service, folder));
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const reportNamed = (name: string): ReportedBook => {
  const found = reported.find(({ book }) => book.name === name);
  if (found === undefined) throw new Error(`The book ${name} has no report.`);
  return found;
};

/** The facts of the JSON-LD of a report in cents, by local name and date. */
function factsOf({ files }: ReportedBook): Figures {
  const { '@graph': nodes } = JSON.parse(files.jsonld.toString('utf8'));
  const facts = nodes.filter(({ type, numericValue }: Loose) => type === 'fin:Fact' && numericValue !== undefined);
  return Object.fromEntries(
    facts.map(({ element, period, numericValue }: Loose) => {
      const dates = period.split('/period/')[1].slice(2);
      const window = /^(\d{4}-\d\d-\d\d)-(\d{4}-\d\d-\d\d)$/.exec(dates);
      const when = window === null ? dates : `${window[1]}/${window[2]}`;
      return [`${element.replace('rs-gaap:', '')} ${when}`, BigInt(numericValue.replace('.', ''))];
    }),
  );
}

function balancesOf({ files }: ReportedBook): ReadonlyMap<string, 'debit' | 'credit'> {
  const { '@graph': nodes } = JSON.parse(files.jsonld.toString('utf8'));
  return new Map(
    nodes
      .filter(({ type }: Loose) => type === 'fin:Element')
      .map(({ identifier, balance }: Loose) => [identifier.replace('rs-gaap:', ''), balance]),
  );
}

/** The concepts with a line of their own in the balance sheet or the income statement, or with payments. */
function shownConcepts({ statements, concepts }: ReportedBook): ReadonlySet<string> {
  const rows = statements.filter(({ blockType }) => /balance_sheet|income_statement/.test(blockType));
  const names = rows.flatMap(({ rows: own }) =>
    own.map(({ elementQname }: Loose) => elementQname.replace('rs-gaap:', '')),
  );
  return new Set([...names, ...[...concepts.values()].filter((concept) => concept.startsWith('Payments'))]);
}

/** Adds up the expenses that an income statement has only as details of others; a balance sheet has totals for its own. */
function withoutDetails(expected: Figures, shown: ReadonlySet<string>): Figures {
  const isShown = ([key]: readonly [string, bigint]): boolean => {
    const concept = key.split(' ')[0] ?? '';
    return shown.has(concept) && !expensesOfDetails.includes(concept);
  };
  const all = Object.entries(expected);
  const expenses = all.filter((figure) => !isShown(figure) && figure[0].includes('/'));
  const details = expenses.reduce((sum, [, cents]) => sum + cents, 0n);
  return { ...Object.fromEntries(all.filter(isShown)), details };
}

const names = realBooks.map(({ name }) => name);

describe.runIf(isReady)(`two annual reports of real books${why}`, () => {
  it.each(names)('tie and leave no account out: %s (reporting S-31, S-36, P-13)', (name) => {
    const { summary, statements, omitted, book } = reportNamed(name);
    expect(summary).toMatchObject({ fail: 0, error: 0 });
    expect(summary.pass).toBeGreaterThan(20);
    for (const { blockType, unmappedCount, validation } of statements) {
      const { status, failures, warnings } = validation;
      expect([blockType, unmappedCount, status, failures]).toEqual([blockType, 0, 'passed', []]);
      const open = warnings.filter((text: string) => /^period \d{4}-\d\d is open$/.test(text));
      expect([open.length, open[0]]).toEqual([12, `period ${book.firstYear + 1}-01 is open`]);
    }
    expect(omitted).toEqual(['ib_envelopes', 'filing_lifecycle', 'fact_sets']);
  });

  it.each(names)('have the figures of the journal lines, to the cent: %s (reporting F-7, S-2, S-12, S-16b)', (name) => {
    const report = reportNamed(name);
    const { book, imported, concepts } = report;
    const facts = factsOf(report);
    const balances = balancesOf(report);
    for (const year of [yearOf(book.firstYear), yearOf(book.firstYear + 1)]) {
      const { details, ...shown } = withoutDetails(
        conceptsOf(imported.lines, concepts, balances, year),
        shownConcepts(report),
      );
      const ofDetails = expensesOfDetails.map((concept) => facts[`${concept} ${year.start}/${year.end}`] ?? 0n);
      expect(ofDetails.reduce((sum, cents) => sum + cents, 0n)).toBe(details);
      const expected = {
        ...shown,
        ...totalsOf(imported.lines, concepts, year),
        ...sectionsOf(book, imported.lines, concepts, year),
      };
      for (const [key, cents] of Object.entries(expected)) expect([key, facts[key] ?? 0n]).toEqual([key, cents]);
    }
  });

  it.each(names)('show the same figures in statements, as CSV and as a page: %s (reporting G-7, P-22)', (name) => {
    const report = reportNamed(name);
    const facts = factsOf(report);
    const rows = report.files.csv.toString('utf8').trim().split('\r\n').slice(1);
    const page = report.files.html.toString('utf8');
    const { end } = yearOf(report.book.firstYear + 1);
    const numbers = rows.filter((row) => /,-?\d+\.\d\d,"USD",/.test(row));
    expect(numbers).toHaveLength(Object.keys(facts).length);
    for (const { structureName, blockType, rows: shown } of report.statements) {
      expect(page).toContain(`<h2>${structureName}`);
      if (blockType !== 'balance_sheet') continue;
      for (const { elementQname, values } of shown) {
        const key = `${elementQname.replace('rs-gaap:', '')} ${end}`;
        expect([key, Math.round((values[0] ?? 0) * 100)]).toEqual([key, Number(facts[key] ?? 0n)]);
      }
    }
  });
});

describe.runIf(isReady && areToolsRequired)(`outside processors${why}`, () => {
  beforeAll(installTools, 600_000);

  const fileOf = (name: string, extension: string, content: Uint8Array | string): string => {
    const file = join(folder, `${name}.${extension}`);
    writeFileSync(file, content);
    return file;
  };

  it('find no error and no warning in the XBRL packages with Arelle (reporting X-42)', { timeout: 300_000 }, () => {
    const packages = reported.map(({ stem, files }) => fileOf(stem, 'zip', files['xbrl-2.1']));
    const instances = reported.map(({ stem }, at) => `${packages[at]}/${stem}/reports/${stem}.xbrl`);
    const { status, output } = runTool('arelleCmdLine', [
      ...['--internetConnectivity=offline', '--disablePersistentConfig', '--validate', '--utr', '--calc', 'c11r'],
      ...['--packages', packages.join('|'), '--file', instances.join('|')],
    ]);
    const lines = output.split('\n').filter((line) => line.trim() !== '');
    expect(lines.filter((line) => !line.startsWith('[info]'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('[info] validated in'))).toHaveLength(realBooks.length);
    expect(status).toBe(0);
  });

  it('find that all documents conform to the shapes with pySHACL (reporting X-10)', { timeout: 300_000 }, () => {
    const shapes = fileOf('shapes', 'ttl', reportShapes('https://vocab.example.org'));
    const documents = reported.flatMap(({ stem, files }) => [
      fileOf(stem, 'jsonld', files.jsonld),
      fileOf(`${stem}.holon`, 'jsonld', files['holon-jsonld']),
    ]);
    const program = `import sys, pyshacl, rdflib
shapes = rdflib.Graph().parse(sys.argv[1])
for name in sys.argv[2:]:
  data = rdflib.Dataset(default_union=True).parse(name, format="json-ld")
  facts = list(data.triples((None, rdflib.RDF.type, rdflib.URIRef("https://vocab.example.org/fin/v1#Fact"))))
  conforms, _, text = pyshacl.validate(data, shacl_graph=shapes)
  print("conforms" if conforms and len(facts) > 50 else name + text)`;
    const { output } = runTool('python', ['-c', program, shapes, ...documents]);
    expect(output.trim().split('\n')).toEqual(documents.map(() => 'conforms'));
  });

  it('read the totals of the workbooks with openpyxl (reporting G-7)', { timeout: 120_000 }, () => {
    const books = reported.map(({ stem, files }) => fileOf(stem, 'xlsx', files.xlsx));
    const program = `import json, openpyxl, sys
for name in sys.argv[1:]:
  book = openpyxl.load_workbook(name)
  print(json.dumps([book.sheetnames, [row[3].value for row in book["Ties"].iter_rows()]]))`;
    const { output } = runTool('python', ['-c', program, ...books]);
    const answers = output.split('\n').filter((line) => line.startsWith('['));
    expect(answers).toHaveLength(realBooks.length);
    for (const [at, answer] of answers.entries()) {
      const [sheets, totals] = JSON.parse(answer);
      const report = reported[at];
      if (report === undefined) throw new Error('A workbook has no report.');
      const facts = factsOf(report);
      const assets = [report.book.firstYear + 1, report.book.firstYear].map(
        (year) => facts[`Assets ${year}-12-31`] ?? 0n,
      );
      expect([sheets.slice(0, 3), sheets.at(-1)]).toEqual([
        report.statements.slice(0, 3).map(({ structureName }) => structureName),
        'Ties',
      ]);
      for (const cents of assets) if (cents !== 0n) expect(totals).toContain(Number(cents) / 100);
    }
  });
});
