/**
 * @module-tag sessions
 * @module-tag full-run
 */
// Goal: the JSON-LD of a report means what we say to other readers, conforms to the shapes, and breaks them when it should.
// Method: one report of the worked example, read by other libraries, and by pySHACL where Python is installed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsonld from 'jsonld';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentParts, nodeTexts, sortNodes } from '../src/serialization/json-ld/document.ts';
import { writeJsonLd } from '../src/serialization/json-ld/index.ts';
import { reportShapes } from '../src/serialization/shapes/index.ts';
import { createReport, type Loose, openExampleBooks, postExample, startReporting } from './example-books.ts';
import { areToolsRequired, installTools, runTool } from './python-tools.ts';
import { downloadText, readJsonLdText, textOf } from './report-files.ts';
import { validateJsonLd } from './validate-json-ld.ts';

let text: string;
let holon: string;
beforeAll(async () => {
  const reporting = await startReporting();
  const books = await openExampleBooks(reporting.user);
  await postExample(books);
  const { id } = await createReport(books);
  await books.done('file-report', { report_id: id });
  text = await downloadText(books, id);
  holon = await downloadText(books, id, 'HOLON_JSONLD');
  await reporting.service.close();
});

const noLoader = async (url: string): Promise<never> => {
  throw new Error(`The test loads nothing: ${url}`);
};

async function quadsOf(document: string): Promise<readonly string[]> {
  const options = { format: 'application/n-quads', documentLoader: noLoader } as const;
  return String(await jsonld.toRDF(JSON.parse(document), options))
    .trim()
    .split('\n')
    .sort();
}

/** The document after a change of its first node of a type. */
function changed(type: string, change: (node: Loose) => void, matches: (node: Loose) => boolean = () => true): string {
  const document = JSON.parse(text);
  change(document['@graph'].find((node: Loose) => [node.type].flat().includes(type) && matches(node)));
  return JSON.stringify(document);
}

describe('the JSON-LD of a report', () => {
  it('is read back into the same bytes, by us and by another processor (reporting G-5, X-9)', async () => {
    expect(textOf(writeJsonLd(await readJsonLdText(text)))).toBe(text);
    const expanded = await jsonld.expand(JSON.parse(text), { documentLoader: noLoader });
    const context = JSON.parse(text)['@context'];
    const compacted: Loose = await jsonld.compact(expanded, context, { documentLoader: noLoader });
    const nodes = sortNodes(compacted['@graph'] as Loose[]).map((node) => ({ ...node, make: () => node }));
    expect(textOf(documentParts(context, nodeTexts(nodes, 4)))).toBe(text);
  });

  it('tells total assets as the specification shows them (reporting 15.8, X-3, X-4)', () => {
    const { '@graph': nodes } = JSON.parse(text);
    const fact = nodes.find(
      ({ element, period }: Loose) => element === 'rs-gaap:Assets' && period.endsWith('/period/i-2026-04-30'),
    );
    expect(fact).toMatchObject({ type: 'fin:Fact', numericValue: '112450.00', decimals: '2', factType: 'Numeric' });
    expect(fact.unit).toMatch(/\/unit\/USD$/);
    expect(nodes.find(({ id }: Loose) => id === fact.unit)).toMatchObject({ measure: 'iso4217:USD' });
    expect(nodes.find(({ id }: Loose) => id === 'rs-gaap:Assets')).toMatchObject({
      balance: 'debit',
      periodType: 'instant',
    });
  });

  it('adds up by the stored weights (reporting X-5)', async () => {
    const { facts, structures } = await readJsonLdText(text);
    const cents = (value: string | null): bigint => BigInt((value ?? '0').replace('.', ''));
    const storedValues = new Map(
      facts.map((fact) => [`${fact.concept} ${JSON.stringify(fact.period)}`, cents(fact.value)]),
    );
    let sums = 0;
    for (const { arcs } of structures) {
      for (const total of new Set(arcs.filter(({ kind }) => kind === 'calculation').map(({ from }) => from))) {
        for (const { period } of facts.filter(({ concept }) => concept === total)) {
          const parts = arcs.filter(({ kind, from }) => kind === 'calculation' && from === total);
          const at = JSON.stringify(period);
          // Opening balances on the day before the first column stand without their parts.
          if (!parts.some(({ to }) => storedValues.has(`${to} ${at}`))) continue;
          const sum = parts.reduce(
            (all, { to, weight }) => all + BigInt(weight ?? 1) * (storedValues.get(`${to} ${at}`) ?? 0n),
            0n,
          );
          expect([total, at, sum]).toEqual([total, at, storedValues.get(`${total} ${at}`)]);
          sums += 1;
        }
      }
    }
    expect(sums).toBeGreaterThan(20);
  });

  it('has the same statements as a holon of three graphs (reporting X-8)', async () => {
    const graphs = JSON.parse(holon)['@graph'].map(({ id }: Loose) => id.split('#').at(-1));
    expect(graphs).toEqual(['boundary', 'projection', 'scene']);
    const triples = (await quadsOf(holon)).map((quad) =>
      quad.replace(/ <[^>]*#(boundary|projection|scene)> \.$/, ' .'),
    );
    expect(triples.sort()).toEqual(await quadsOf(text));
  });

  it('conforms to the shapes, also as a holon (reporting X-10)', async () => {
    const conforming = { ran: true, conforms: true, violations: [] };
    expect(await validateJsonLd(text)).toEqual(conforming);
    expect(await validateJsonLd(holon)).toEqual(conforming);
  });

  const isNumeric = ({ factType }: Loose): boolean => factType === 'Numeric';
  const broken: readonly (readonly [string, () => string])[] = [
    ['a numeric fact without a unit', () => changed('fin:Fact', (node) => delete node.unit, isNumeric)],
    ['a filed report without its time', () => changed('fin:Report', (node) => delete node.filedAt)],
    [
      'a period with an instant and a start',
      () =>
        changed(
          'fin:Period',
          (node) => Object.assign(node, { startDate: '2026-01-01' }),
          ({ instant }) => instant,
        ),
    ],
    ['a calculation without a weight', () => changed('fin:CalculationAssociation', (node) => delete node.weight)],
    [
      'a value that is a JSON number',
      () =>
        changed('fin:Fact', (node) => {
          node['fin:numericValue'] = 1.5;
          delete node.numericValue;
        }),
    ],
    [
      'a fact with a context node',
      () => changed('fin:Fact', (node) => Object.assign(node, { 'xbrli:contextRef': 'c1' })),
    ],
  ];
  it.each(broken)('is refused by the shapes with %s (reporting X-3, X-11)', async (_what, document) => {
    expect(await validateJsonLd(document())).toMatchObject({ conforms: false });
  });

  it('is refused with a remote context, which nobody fetches (reporting X-9)', async () => {
    const document = JSON.stringify({ ...JSON.parse(text), '@context': 'https://example.org/context' });
    await expect(validateJsonLd(document)).rejects.toThrow(/remote context|could not be retrieved|never fetched/);
  });

  describe.runIf(areToolsRequired)('judged by pySHACL', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pacioli-shacl-'));
    const judge = (document: string): readonly [number | null, string] => {
      writeFileSync(join(folder, 'report.jsonld'), document);
      writeFileSync(join(folder, 'shapes.ttl'), reportShapes('https://vocab.example.org'));
      const { status, output } = runTool('pyshacl', [
        '-s',
        join(folder, 'shapes.ttl'),
        '-df',
        'json-ld',
        join(folder, 'report.jsonld'),
      ]);
      return [status, /Conforms: (True|False)/.exec(output)?.[1] ?? output];
    };
    beforeAll(installTools, 600_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('conforms to the shapes, also as a holon (reporting X-10)', { timeout: 120_000 }, () => {
      expect(judge(text)).toEqual([0, 'True']);
      expect(judge(holon)).toEqual([0, 'True']);
    });

    it.each(broken)('is refused with %s (reporting X-3, X-11)', { timeout: 60_000 }, (_what, document) => {
      expect(judge(document())).toEqual([1, 'False']);
    });
  });
});
