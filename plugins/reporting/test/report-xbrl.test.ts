/**
 * @module-tag sessions
 * @module-tag full-run
 */
// Goal: the XBRL package of a report is valid for another processor, tells our figures, and errors in it are found.
// Method: the worked example over HTTP and a hand-made report, loaded offline by Arelle where Python is installed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportBundle } from '../src/serialization/bundle/index.ts';
import { writeJsonLd } from '../src/serialization/json-ld/index.ts';
import { omittedFromPackage, packageFiles, writeXbrlJson, writeXbrlPackage } from '../src/serialization/xbrl/index.ts';
import { createReport, openExampleBooks, postExample, startReporting } from './example-books.ts';
import { handMadeBundle } from './hand-made-bundle.ts';
import { areToolsRequired, installTools, runTool } from './python-tools.ts';
import { askForDownload, downloadReport, downloadText, readJsonLdText, textOf } from './report-files.ts';
import { validateJsonLd } from './validate-json-ld.ts';

let bundle: ReportBundle;
let zip: Uint8Array;
let again: Uint8Array;
let omitted: readonly string[];
beforeAll(async () => {
  const reporting = await startReporting();
  const books = await openExampleBooks(reporting.user);
  await postExample(books);
  const { id } = await createReport(books);
  bundle = await readJsonLdText(await downloadText(books, id));
  zip = await downloadReport(books, id, 'XBRL_2_1');
  again = await downloadReport(books, id, 'XBRL_2_1');
  omitted = (await askForDownload(books, id, ', format: XBRL_2_1')).omittedContent;
  await reporting.service.close();
});

const neverIncluded = ['ib_envelopes', 'filing_lifecycle', 'fact_sets'];

/** The bundle with other arcs in its first structure. */
function withArcs(change: (arcs: ReportBundle['structures'][number]['arcs']) => readonly object[]): ReportBundle {
  const [first, ...others] = bundle.structures;
  if (first === undefined) throw new Error('The report has no structure.');
  return { ...bundle, structures: [{ ...first, arcs: change(first.arcs) as typeof first.arcs }, ...others] };
}

describe('the XBRL package of a report', () => {
  it('has the same bytes at any time, and says what it leaves out (reporting G-2, G-3, G-5)', async () => {
    expect(Buffer.from(again).equals(zip)).toBe(true);
    expect((await buffer(writeXbrlPackage(bundle))).equals(zip)).toBe(true);
    expect(omitted).toEqual(neverIncluded);
  });

  it('has one top folder with a name that is safe everywhere (reporting X-20)', () => {
    const paths = [...packageFiles(bundle), ...packageFiles(handMadeBundle)].map(({ path }) => path);
    expect([...new Set(paths.map((path) => path.split('/')[0]))]).toEqual([
      'larkfield-tool-co-2026-04-30-g1',
      'united-tools-co-2026-04-30-g1',
    ]);
    for (const path of paths) expect(path).toMatch(/^[a-z0-9-]{1,60}\/[A-Za-z-]+\/[A-Za-z0-9.-]+$/);
  });

  it('has no dimensions unless facts have members (reporting X-32)', () => {
    const names = (of: ReportBundle) => packageFiles(of).map(({ path }) => path.split('/').at(-1));
    expect(names(bundle)).not.toContain('report-def.xml');
    expect(names(handMadeBundle)).toContain('report-def.xml');
  });

  it('escapes the markup of texts once more, so that a reader gets the same markup (reporting X-24)', () => {
    const instance = textOf(
      packageFiles(handMadeBundle)
        .find(({ path }) => path.endsWith('.xbrl'))
        ?.parts() ?? [],
    );
    expect(instance).toContain('&lt;h1&gt;Policy&lt;/h1&gt;\n&amp;lt;script&amp;gt;alert');
  });

  it('leaves out and names calculations that XBRL cannot state (reporting X-30, X-31)', () => {
    const half = withArcs((arcs) => {
      return arcs.map((arc) =>
        arc.to === 'rs-gaap:AssetsCurrent' && arc.weight === 1 ? { ...arc, weight: 0.5 } : arc,
      );
    });
    expect(omittedFromPackage(half)).toEqual([
      ...neverIncluded,
      'calculation_arc:rs-gaap:Assets>rs-gaap:AssetsCurrent',
    ]);
    const reversed = withArcs((arcs) => {
      return arcs.map((arc) => (arc.to === 'rs-gaap:AssetsCurrent' && arc.weight === 1 ? { ...arc, weight: -1 } : arc));
    });
    expect(omittedFromPackage(reversed)).toEqual(omittedFromPackage(half));
  });

  it('leaves out the calculation of a total with a direct amount (reporting X-29, S-32)', () => {
    const label = bundle.concepts.find(({ qname }) => qname === 'rs-gaap:Assets')?.label;
    const warning = `direct_total: accounts are mapped to ${label}, which is a total`;
    const direct = {
      ...altered('rs-gaap:Assets'),
      structures: bundle.structures.map((structure) => ({ ...structure, warnings: [warning] })),
    };
    expect(omittedFromPackage(direct).filter((item) => item.includes('rs-gaap:Assets>'))).toHaveLength(2);
    expect(packageFiles(direct)).not.toEqual([]);
  });

  it('is refused if a subtotal does not add up, or a fact has two values (reporting X-37, X-42)', () => {
    expect(() => packageFiles(altered('rs-gaap:AssetsCurrent'))).toThrow(/2 problem\(s\).*rs-gaap:AssetsCurrent/);
    const [fact] = bundle.facts;
    if (fact === undefined) throw new Error('The report has no fact.');
    const twice = { ...bundle, facts: [...bundle.facts, { ...fact, id: 'fact_other', value: '1.00' }] };
    expect(() => packageFiles(twice)).toThrow('duplicate inconsistent facts');
  });

  it('is refused if a fact has another kind of period than its concept (reporting X-42)', () => {
    const concepts = bundle.concepts.map((concept) => {
      return concept.qname === 'rs-gaap:Assets' ? { ...concept, periodType: 'duration' as const } : concept;
    });
    expect(() => packageFiles({ ...bundle, concepts })).toThrow(/rs-gaap:Assets is a duration/);
    // Before its first byte, so that no part of it is sent.
    expect(() => writeXbrlPackage({ ...bundle, concepts })).toThrow(/rs-gaap:Assets is a duration/);
  });
});

describe('the xBRL-JSON of a report', () => {
  it('states each fact of the package once, with its id and exact value (reporting G-7, X-43)', () => {
    const { documentInfo, facts } = JSON.parse(textOf(writeXbrlJson(handMadeBundle)));
    expect(documentInfo).toEqual({
      documentType: 'https://xbrl.org/2021/xbrl-json',
      namespaces: {
        ex: 'https://example.org/taxonomy',
        iso4217: 'http://www.xbrl.org/2003/iso4217',
        own: 'https://vocab.example.org/concept/own',
        scheme: 'https://vocab.example.org/entity',
        xbrli: 'http://www.xbrl.org/2003/instance',
      },
      taxonomy: ['https://vocab.example.org/report/rpt_1/1/report.xsd'],
    });
    expect(Object.keys(facts)).toHaveLength(handMadeBundle.facts.length);
    const april = '2026-04-01T00:00:00/2026-05-01T00:00:00';
    const common = { entity: 'scheme:ent_1', period: april };
    expect(Object.values(facts)).toEqual(
      expect.arrayContaining([
        {
          value: '1.00',
          decimals: 2,
          dimensions: {
            ...common,
            concept: 'ex:Sales',
            unit: 'iso4217:USD',
            'ex:RegionAxis': 'ex:North',
            'ex:OrderAxis': 'A-1 <&>',
          },
        },
        { value: '0.144444', decimals: 6, dimensions: { ...common, concept: 'own:Margin' } },
        {
          value: '6.50',
          decimals: 2,
          dimensions: { ...common, concept: 'own:EarningsPerShare', unit: 'iso4217:USD/xbrli:shares' },
        },
        {
          value: '1000',
          dimensions: {
            ...common,
            period: '2026-05-01T00:00:00',
            concept: 'own:SharesIssued',
            unit: 'xbrli:shares',
          },
        },
      ]),
    );
  });
});

describe('a report with dimensions, texts and reversed signs', () => {
  it('is the same after it was written as JSON-LD and read, and conforms (reporting X-9, X-10)', async () => {
    const text = textOf(writeJsonLd(handMadeBundle));
    expect(await readJsonLdText(text)).toEqual(handMadeBundle);
    expect(await validateJsonLd(text)).toEqual({ ran: true, conforms: true, violations: [] });
  });
});

/** The bundle with one more cent in the newest fact of a concept. */
function altered(concept: string): ReportBundle {
  const facts = bundle.facts.map((fact) => {
    const isNewest = 'instant' in fact.period && fact.period.instant === '2026-04-30';
    return fact.concept === concept && isNewest ? { ...fact, value: `${fact.value?.slice(0, -2)}01` } : fact;
  });
  return { ...bundle, facts };
}

describe.runIf(areToolsRequired)('Arelle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pacioli-arelle-'));
  beforeAll(installTools, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The messages of Arelle about an instance other than that it worked. */
  const judge = (file: string, more: readonly string[]): readonly string[] => {
    const common = ['--internetConnectivity=offline', '--disablePersistentConfig', '--validate', '--utr'];
    const { status, output } = runTool('arelleCmdLine', [...common, '--file', file, ...more]);
    const said = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('[info]'));
    return status === 0 ? said : [...said, `ended with ${status}`];
  };

  const calculations = [['c10'], ['c11r']];

  const unpacked = (of: ReportBundle, name: string, change = (text: string): string => text): string => {
    let instance = '';
    for (const { path, parts } of packageFiles(of)) {
      const text = textOf(parts());
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, path.endsWith('.xbrl') ? change(text) : text);
      if (path.endsWith('.xbrl')) instance = file;
    }
    return instance;
  };

  it.each(calculations)(
    'finds no error and no warning in the package, with calculation %s (reporting X-42)',
    { timeout: 120_000 },
    async (calculation) => {
      for (const [name, content] of [
        ['example.zip', zip],
        ['hand-made.zip', await buffer(writeXbrlPackage(handMadeBundle))],
      ] as const) {
        const file = join(folder, name);
        writeFileSync(file, content);
        expect([name, judge(file, ['--packages', file, '--calc', calculation])]).toEqual([name, []]);
      }
    },
  );

  it.each(['example', 'hand-made'])(
    'reads every figure of the %s report as we have it',
    { timeout: 120_000 },
    (name) => {
      const own = name === 'example' ? bundle : handMadeBundle;
      const list = join(folder, `${name}.csv`);
      const columns = 'Name,Value,Dec,unitRef,Period';
      expect(judge(unpacked(own, name), ['--facts', list, '--factListCols', columns])).toEqual([]);
      const rows = readFileSync(list, 'utf8')
        .replace(/^\ufeff/, '')
        .trim()
        .split(/\r?\n/)
        .slice(1);
      const numbers = own.facts.filter(({ value }) => value !== null);
      const expected = numbers.map(({ concept, value, decimals, unit, period }) => {
        const dates = 'instant' in period ? `,${period.instant}` : `${period.start},${period.end}`;
        return `${concept},${value},${decimals},${unit?.replace('/', 'Per')},${dates}`;
      });
      expect(rows.filter((row) => expected.includes(row)).toSorted()).toEqual(expected.toSorted());
    },
  );

  it.each(['example', 'hand-made'])(
    'finds no error in the xBRL-JSON of the %s report, and the facts of its package (reporting X-43)',
    { timeout: 120_000 },
    async (name) => {
      const own = name === 'example' ? bundle : handMadeBundle;
      const [archive, json] = [join(folder, `${name}-taxonomy.zip`), join(folder, `${name}.json`)];
      writeFileSync(archive, await buffer(writeXbrlPackage(own)));
      writeFileSync(json, textOf(writeXbrlJson(own)));
      const columns = ['--factListCols', 'Name,Value,Dec,EntityScheme,EntityIdentifier,Period,Dimensions'];
      const listed = (list: string, file: string, more: readonly string[]): readonly string[] => {
        expect([list, judge(file, [...more, '--facts', join(folder, list), ...columns])]).toEqual([list, []]);
        const text = readFileSync(join(folder, list), 'utf8').replace(/^\ufeff/, '');
        return text.trim().split(/\r?\n/).toSorted();
      };
      const inPackage = listed(`${name}-package.csv`, unpacked(own, `${name}-equal`), []);
      const plugin = ['--plugins', 'loadFromOIM', '--packages', archive];
      expect(listed(`${name}-json.csv`, json, plugin)).toEqual(inPackage);
    },
  );

  it.each([
    ['c10', 'calcInconsistency'],
    ['c11r', 'inconsistentCalculationUsingRounding'],
  ])(
    'reports an altered subtotal once for each parent, with calculation %s',
    { timeout: 120_000 },
    (calculation, code) => {
      const instance = unpacked(bundle, `altered-${calculation}`, (text) => text.replace('>67500.00<', '>67501.00<'));
      const found = judge(instance, ['--calc', calculation]);
      expect(found.map((line) => [line.includes(code), /inconsistent from (\S+)/.exec(line)?.[1]])).toEqual([
        [true, 'rs-gaap:Assets'],
        [true, 'rs-gaap:AssetsCurrent'],
      ]);
    },
  );
});
