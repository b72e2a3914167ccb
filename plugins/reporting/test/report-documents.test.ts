/**
 * @module-tag sessions
 * @module-tag full-run
 */
// Goal: documents for people tell the figures of a report with the signs that people expect, and run nothing.
// Method: the worked example over HTTP and a hand-made report with hostile texts; workbooks are read by openpyxl.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCsv, writeHtml, writeText, writeXlsx } from '../src/serialization/documents/index.ts';
import { shownStatements } from '../src/serialization/documents/shown-statement.ts';
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
import { handMadeBundle } from './hand-made-bundle.ts';
import { areToolsRequired, installTools, runTool } from './python-tools.ts';

let reporting: ReportingService;
let books: ExampleBooks;
let reportId: string;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
  reportId = (await createReport(books)).id;
});
afterAll(() => reporting.service.close());

/** Totals of the income statement that are one line, or the same as the net income. */
const incomeTotalsLeftOut: readonly string[] = [
  'Revenues',
  'Cost of Revenue',
  'Nonoperating Income (Expense)',
  'Income (Loss) from Continuing Operations before Income Taxes, Noncontrolling Interest',
  'Income (Loss) from Continuing Operations, Including Portion Attributable to Noncontrolling Interest',
  'Net Income (Loss), Including Portion Attributable to Noncontrolling Interest',
  'Net Income (Loss) Available to Common Stockholders, Basic',
];

function get(format: string, { client = reporting.user, graph = books.graph, id = reportId } = {}): Promise<Response> {
  const path = `/v1/graphs/${graph}/reports/${id}/download${format === '' ? '' : `?format=${format}`}`;
  return fetch(`${client.url}${path}`, { headers: client.headers });
}

describe('download-report', () => {
  it.each([
    ['', 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['xlsx', 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['csv', 'csv', 'text/csv; charset=utf-8'],
    ['html', 'html', 'text/html; charset=utf-8'],
    ['text', 'txt', 'text/plain; charset=utf-8'],
    ['xbrl-2.1', 'zip', 'application/zip'],
    ['xbrl-json', 'json', 'application/json'],
  ])(
    'sends the format "%s" with a name and as content that does nothing (reporting G-7)',
    async (format, end, type) => {
      const response = await get(format);
      const content = Buffer.from(await response.arrayBuffer());
      const again = Buffer.from(await (await get(format)).arrayBuffer());
      expect(content.length).toBeGreaterThan(1_000);
      expect(again.equals(content)).toBe(true);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="larkfield-tool-co-2026-04-30-g1.${end}"`,
      );
      expect(response.headers.get('content-security-policy')).toContain('sandbox');
    },
  );

  it('answers 404 for an unknown format and for a report of another graph (reporting G-1)', async () => {
    expect([(await get('pdf')).status, (await get('', { id: 'rpt_none' })).status]).toEqual([404, 404]);
    const other = await reporting.user.createGraph('Other books', ['ledger']);
    expect((await get('', { graph: other })).status).toBe(404);
    const stranger: TestClient = await reporting.service.newUser('Bob');
    expect((await get('', { client: stranger })).status).toBe(403);
  });

  it('lists every fact as CSV once, with its exact value (reporting G-7)', async () => {
    const lines = (await (await get('csv')).text()).trim().split('\r\n');
    expect(lines[0]).toBe(
      'concept,label,entity,period_start,period_end,value,unit,decimals,text,members,statements,fact_id',
    );
    const assets = lines.filter((line) => line.startsWith('"rs-gaap:Assets",'));
    expect(assets).toHaveLength(2);
    expect(assets.join()).toContain(
      ',,2026-04-30,112450.00,"USD",2,"","","Balance Sheet, Classified; Segment Reporting",',
    );
  });

  it.each([
    [
      'balance_sheet',
      [
        'Assets, Noncurrent',
        'Liabilities, Noncurrent',
        'Equity, Including Portion Attributable to Noncontrolling Interest',
      ],
    ],
    ['income_statement', incomeTotalsLeftOut],
  ])(
    'shows the rows of the %s in their order, without totals of one line (reporting G-7a, P-23)',
    async (type, left) => {
      const page = await (await get('html')).text();
      const { rows, structureName } = await statementOf(books, reportId, type);
      const section = page.slice(page.indexOf(`<h2>${structureName}`)).split('</section>')[0] ?? '';
      const shown = [...section.matchAll(/<tr class="(?:item|total)"><th[^>]*>([^<]*)<\/th><td[^>]*>([^<]*)<\/td>/g)];
      expect(shown.map(([, label, value]) => [label, Number(value?.replaceAll(/[,()]/g, ''))])).toEqual(
        rows
          .filter(({ elementName }: Loose) => !left.includes(elementName))
          .map(({ elementName, values }: Loose) => [elementName, Math.abs(values[0] ?? 0)]),
      );
    },
  );
});

describe('the page of a report', () => {
  it('names the dates and the currency, and draws the main lines with their figures (reporting G-7a)', async () => {
    const page = await (await get('html')).text();
    expect(page).toContain('Amounts in USD.');
    expect(page).toContain('Apr 1, 2026 to Apr 30, 2026');
    const [, figures = ''] = /<desc id="chart-description">([^<]*)<\/desc>/.exec(page) ?? [];
    for (const line of ['Gross Profit: ', 'Net Income (Loss): ', 'Assets: ']) expect(figures).toContain(line);
    expect(figures).toMatch(/Assets: \S+ 112,450\.00/);
  });
});

describe('pacioli report', () => {
  const command = async (options: object) => {
    const found = reporting.service.service.commands.find(({ name }) => name === 'report');
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const code = await found?.run({ options: { graph: books.graph, report: reportId, ...options }, print });
    return { code, text: lines.join('\n') };
  };

  it('prints the statements, and writes the same files as the route (reporting G-7)', async () => {
    const { code, text } = await command({});
    expect(code).toBe(0);
    expect(`${text}\n`).toBe(await (await get('text')).text());
    expect(text).toMatch(/^Net Income \(Loss\) +6,500\.00/m);
    const folder = mkdtempSync(join(tmpdir(), 'pacioli-report-'));
    const out = join(folder, 'report');
    try {
      for (const [options, format] of [[{ html: true }, 'html'] as const, [{ format: 'xlsx' }, 'xlsx'] as const]) {
        expect(await command({ ...options, out })).toEqual({ code: 0, text: '' });
        expect(readFileSync(out).equals(Buffer.from(await (await get(format)).arrayBuffer()))).toBe(true);
      }
      await expect(command({ out: join(folder, 'no', 'file') })).rejects.toThrow(/cannot be written/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each([
    [{ format: 'xlsx' }, 'The format xlsx is not text. Name a file with --out.'],
    [{ format: 'pdf' }, "This service does not write reports in the format 'pdf'."],
    [{ report: 'rpt_none' }, "has no report 'rpt_none'."],
    [{ graph: 'kg0000000000000000000f' }, "There is no graph 'kg0000000000000000000f'."],
  ])('refuses %j and says why (reporting G-7)', async (options, message) => {
    await expect(command(options)).rejects.toThrow(message);
  });
});

describe('documents of a report', () => {
  it('show large amounts of money in thousands, and other numbers as they are (reporting G-7a)', () => {
    const facts = handMadeBundle.facts.map((fact) =>
      fact.concept === 'ex:Sales' ? { ...fact, value: '12345678.90' } : fact,
    );
    for (const text of [writeHtml({ ...handMadeBundle, facts }), writeText({ ...handMadeBundle, facts })]) {
      expect(text).toContain('Amounts in thousands of USD. Rounded; totals are those of the exact amounts.');
      expect(text).toContain('12,346');
      expect(text).toContain('0.144444');
      expect(text).not.toContain('12,345,678');
    }
  });

  const shown = shownStatements(handMadeBundle);
  const rowsOf = (name: string) =>
    shown.find((statement) => statement.name === name)?.rows.map(({ kind, label, values }) => [kind, label, ...values]);

  it('show effects in the cash flow, and totals after their parts (reporting S-30)', () => {
    expect(rowsOf('Cash Flow')).toEqual([
      ['heading', 'CashFlowAbstract'],
      ['item', 'NetIncome', '6500.00'],
      ['item', 'IncreaseInReceivables', '-2000.00'],
      ['item', 'PaymentsOfDividends', '-2000.00'],
      ['total', 'NetChange', '2500.00'],
    ]);
    expect(shown[0]?.sums).toEqual([
      {
        total: 4,
        direct: [null],
        parts: [
          { row: 1, factor: 1 },
          { row: 2, factor: 1 },
          { row: 3, factor: 1 },
        ],
      },
    ]);
  });

  it('show a balance before and after its changes (reporting S-30)', () => {
    expect(rowsOf('Changes in Equity')).toEqual([
      ['heading', 'EquityAbstract'],
      ['item', 'Equity, beginning of period', '61550.00'],
      ['item', 'StockIssued', '5000.00'],
      ['item', 'Dividends', '-2000.00'],
      ['item', 'Equity, end of period', '64550.00'],
    ]);
  });

  it('list facts without a statement at the end (reporting P-25)', () => {
    expect(shown.at(-1)?.name).toBe('Other facts');
    expect(shown.at(-1)?.rows.map(({ kind, concept }) => [kind, concept])).toEqual([
      ['item', 'own:EarningsPerShare'],
      ['item', 'own:Margin'],
      ['text', 'own:Policy'],
      ['item', 'own:SharesIssued'],
    ]);
  });

  it('run nothing that a text contains (reporting G-7)', async () => {
    const page = writeHtml(handMadeBundle);
    expect(page).not.toMatch(/<script/i);
    expect(page).toContain('&lt;script&gt;alert');
    const entity = { ...handMadeBundle.entity, name: '=HYPERLINK("x")' };
    const csv = [...writeCsv({ ...handMadeBundle, entity })].join('');
    expect(csv).toContain(`,"'=HYPERLINK(""x"")",`);
    expect(csv).not.toMatch(/(^|,)"[=+@-]/m);
  });
});

describe.runIf(areToolsRequired)('openpyxl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pacioli-workbooks-'));
  beforeAll(installTools, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  type Sheets = Readonly<Record<string, readonly (readonly (string | number | null)[])[]>>;

  /** The cells of each sheet; formulas as text, or their stored results. */
  const read = (content: Uint8Array, formulas: 'as text' | 'as results' = 'as text'): Sheets => {
    const file = join(folder, 'report.xlsx');
    writeFileSync(file, content);
    const program = `import json, openpyxl, sys
book = openpyxl.load_workbook(sys.argv[1], data_only=sys.argv[2] == 'as results')
print(json.dumps({s.title: [[(("FORMULA" + c.value) if c.data_type == "f" else c.value) for c in r] for r in s.iter_rows()] for s in book}))`;
    const { output } = runTool('python', ['-c', program, file, formulas]);
    // Warnings follow the line of the program.
    return JSON.parse(output.split('\n')[0] ?? '');
  };

  /** The value of a cell; formulas of the service add and subtract cells. */
  const valueAt = (sheets: Sheets, sheet: string, cell: string): number => {
    const [, letters = '', row = ''] = /^([A-Z])(\d+)$/.exec(cell) ?? [];
    const value = sheets[sheet]?.[Number(row) - 1]?.[letters.charCodeAt(0) - 65] ?? 0;
    if (typeof value === 'number') return value;
    const terms = [...value.replace('FORMULA=', '').matchAll(/([+-]?)(?:'([^']+)'!)?([A-Z]\d+)/g)];
    return terms.reduce((sum, [, sign, other, next = '']) => {
      return sum + (sign === '-' ? -1 : 1) * valueAt(sheets, other ?? sheet, next);
    }, 0);
  };

  it('calculates every total as the report has it (reporting G-7)', { timeout: 60_000 }, async () => {
    const sheets = read(Buffer.from(await (await get('xlsx')).arrayBuffer()));
    const names = Object.keys(sheets);
    // Names of sheets have at most 31 characters.
    expect([...names.slice(0, 4), names.at(-1)]).toEqual([
      ...['Balance Sheet, Classified', 'Income Statement, Multi-Step', 'Cash Flow Statement, Indirect'],
      ...['Statement of Changes in Equity,', 'Ties'],
    ]);
    const ties = (sheets['Ties'] ?? []).map((row, index) => ({ row, calculated: `E${index + 1}` }));
    const totals = ties.filter(({ row }) => typeof row[3] === 'number');
    expect(totals.length).toBeGreaterThan(15);
    for (const { row, calculated } of totals)
      expect([row[1], row[3]]).toEqual([row[1], valueAt(sheets, 'Ties', calculated)]);
    const rows = Object.entries(sheets).flatMap(([sheet, cells]) => {
      return sheet === 'Ties'
        ? []
        : cells.map((row, index) => ({ row, value: valueAt(sheets, sheet, `B${index + 1}`) }));
    });
    const formulas = rows.filter(({ row }) => String(row[1]).startsWith('FORMULA'));
    expect(formulas.length).toBeGreaterThan(8);
    const assets = rows.filter(({ row }) => row[0] === 'Assets').map(({ value }) => value);
    // In the balance sheet and in the note on segments.
    expect(assets).toEqual([112_450, 112_450]);
  });

  it('shows the same numbers in viewers that calculate nothing (reporting G-7)', { timeout: 60_000 }, async () => {
    const content = Buffer.from(await (await get('xlsx')).arrayBuffer());
    const [formulas, results] = [read(content), read(content, 'as results')];
    let compared = 0;
    for (const [sheet, rows] of Object.entries(formulas)) {
      for (const [at, row] of rows.entries()) {
        for (const [column, cell] of row.entries()) {
          if (!String(cell).startsWith('FORMULA')) continue;
          const address = `${String.fromCharCode(65 + column)}${at + 1}`;
          // Differences round, which the reader of this test does not.
          const expected = String(cell).includes('ROUND') ? 0 : valueAt(formulas, sheet, address);
          expect([sheet, address, results[sheet]?.[at]?.[column]]).toEqual([sheet, address, expected]);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(60);
  });

  it('finds no formula in a text (reporting G-7)', { timeout: 60_000 }, async () => {
    const hostile = '=cmd|/C calc';
    const structures = handMadeBundle.structures.map((structure) => ({ ...structure, warnings: [hostile] }));
    const concepts = handMadeBundle.concepts.map((concept) => ({ ...concept, label: hostile }));
    const cells = Object.values(read(await writeXlsx({ ...handMadeBundle, structures, concepts }))).flat(2);
    expect(cells.filter((cell) => cell === hostile).length).toBeGreaterThan(10);
    expect(cells.filter((cell) => String(cell).startsWith('FORMULA') && String(cell).includes('cmd'))).toEqual([]);
  });
});
