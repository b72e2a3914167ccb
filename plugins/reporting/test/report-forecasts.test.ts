// Goal: a report for people shows the months of a forecast after its own, marked as such and with the stored amounts.
// Method: a real service over HTTP with the books and the figures of the worked example.
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withFixedTimes } from '../src/serialization/zip/index.ts';
import { createReport, type Loose, openExampleBooks, type ReportingService } from './example-books.ts';
import { createForecast, type ForecastBooks, openForecastBooks, startForecasts } from './forecast-books.ts';

let reporting: ReportingService;
let books: ForecastBooks;
let reportId: string;
let scenarioId: string;
beforeAll(async () => {
  reporting = await startForecasts();
  books = await openForecastBooks(reporting);
  reportId = (await createReport(books)).id;
  scenarioId = await computed();
});
afterAll(() => reporting.service.close());

async function computed(plan: object = {}): Promise<string> {
  const { id } = await createForecast(books, plan);
  await books.done('compute-forecast', { structure_id: id });
  return id;
}

function get(format: string, scenario = scenarioId, report = reportId): Promise<Response> {
  const path = `/v1/graphs/${books.graph}/reports/${report}/download?format=${format}&scenario_id=${scenario}`;
  return fetch(`${reporting.user.url}${path}`, { headers: reporting.user.headers });
}

async function refused(response: Promise<Response>): Promise<readonly [number, string]> {
  const { status, body } = await response.then(async (answer) => ({
    status: answer.status,
    body: await answer.text(),
  }));
  return [status, body];
}

const command = async (options: object): Promise<string> => {
  const found = reporting.service.service.commands.find(({ name }) => name === 'report');
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  await found?.run({ options: { graph: books.graph, report: reportId, ...options }, print });
  return `${lines.join('\n')}\n`;
};

const pages = new Map<string, Promise<string>>();
const pageOf = (scenario: string): Promise<string> => {
  const page = pages.get(scenario) ?? get('html', scenario).then((response) => response.text());
  pages.set(scenario, page);
  return page;
};

/** The cells of a row of a statement, actual and forecast ones. */
async function cellsOf(
  statement: string,
  label: string,
  scenario = scenarioId,
): Promise<readonly (readonly string[])[]> {
  const page = await pageOf(scenario);
  const section = page.slice(page.indexOf(`<h2>${statement}`)).split('</section>')[0] ?? '';
  const row = section.split('<tr ').find((each) => each.includes(`>${label}</th>`)) ?? '';
  const cells = (kind: string) => [...row.matchAll(new RegExp(`<td class="number ${kind}">([^<]*)`, 'g'))];
  return [cells('actual'), cells('forecast')].map((found) => found.map(([, text = '']) => text));
}

describe('a page with a forecast', () => {
  it('shows the months after the report next to the actual columns, in each of the three statements (reporting G-7b, 15.7)', async () => {
    expect(await cellsOf('Balance Sheet', 'Assets')).toEqual([
      ['112,450.00', '105,450.00'],
      ['119,708.00', '126,437.52', '133,545.99'],
    ]);
    expect(await cellsOf('Income Statement', 'Net Income (Loss)')).toEqual([
      ['6,500.00', '5,150.00'],
      ['6,142.00', '6,509.20', '6,883.74'],
    ]);
    expect(await cellsOf('Cash Flow', 'Increase (Decrease) in Accounts Receivable')).toEqual([
      ['(1,000.00)', '(2,500.00)'],
      ['(1,450.00)', '(459.00)', '(468.18)'],
    ]);
    expect(await cellsOf('Statement of Changes in Equity', 'Dividends, Common Stock')).toEqual([
      ['(2,000.00)', '0.00'],
      [],
    ]);
  });

  it('heads the columns and the bars as forecast, and names it (reporting B-24, G-7b)', async () => {
    const page = await pageOf(scenarioId);
    expect(page).toContain('Forecast: <bdi>Plan 2026</bdi>.');
    expect(page).toContain('<th class="number forecast" scope="col">May 2026 (forecast)<br>');
    expect(page.match(/stroke-dasharray/g)?.length).toBeGreaterThan(15);
    const [, figures = ''] = /<desc id="chart-description">([^<]*)<\/desc>/.exec(page) ?? [];
    expect(figures).toContain('Jul 2026 (forecast) 47,754.36');
    expect(figures).not.toContain(' none');
    const response = await get('html');
    expect(response.headers.get('content-disposition')).toContain('-g1-forecast.html"');
  });

  it('sums seven to eighteen months in threes, and shows the balances of their last day (reporting G-7b)', async () => {
    const [six, seven] = [await computed({ horizon_months: 6 }), await computed({ horizon_months: 7 })];
    expect((await cellsOf('Income Statement', 'Net Income (Loss)', six))[1]).toHaveLength(6);
    const [, income = []] = await cellsOf('Income Statement', 'Net Income (Loss)', seven);
    // 6,142.00 + 6,509.20 + 6,883.74 of the example.
    expect([income.length, income[0]]).toEqual([3, '19,534.94']);
    const [, assets = []] = await cellsOf('Balance Sheet', 'Assets', seven);
    expect(assets[0]).toBe('133,545.99');
    const page = await pageOf(seven);
    for (const label of ['May to Jul 2026 (forecast)', 'Aug to Oct 2026 (forecast)', '>Nov 2026 (forecast)']) {
      expect(page).toContain(label);
    }
    expect(page).toContain('movements are their sums, balances those of the last day.');
  });

  it('sums more than eighteen months in twelves (reporting G-7b)', async () => {
    const page = await pageOf(await computed({ horizon_months: 19 }));
    expect(page).toContain('>May 2026 to Apr 2027 (forecast)<br>');
    expect(page).toContain('>May to Nov 2027 (forecast)<br>');
  });

  it('has a line that only the forecast has in its place of the statement (reporting G-7b)', async () => {
    const asserted = { qname: 'rs-gaap:ResearchAndDevelopmentExpense', value: 300 };
    const plan = await computed({ line_assertions: [asserted] });
    const [actual, forecast] = await cellsOf('Income Statement', 'Research and Development Expense', plan);
    expect([actual, forecast]).toEqual([
      ['', ''],
      ['300.00', '300.00', '300.00'],
    ]);
    const page = await pageOf(plan);
    const place = (label: string) => page.indexOf(`>${label}</th>`, page.indexOf('<h2>Income Statement'));
    expect(place('Research and Development Expense')).toBeLessThan(place('Operating Expenses'));
  });
});

/** The files of a workbook as one text. */
async function workbookOf(answer: Promise<Response>): Promise<string> {
  const workbook = new Uint8Array(await (await answer).arrayBuffer());
  const parts: string[] = [];
  await withFixedTimes(workbook, (file) => {
    parts.push(Buffer.from(file.content).toString('utf8'));
    return file;
  });
  return parts.join('');
}

describe('months that a document lacks', () => {
  it('are named if they lie between the report and the forecast (reporting G-7b)', async () => {
    const march = { period_start: '2026-03-01', period_end: '2026-03-31', comparative: false };
    const { id } = await createReport(books, march);
    const note = 'Not shown, because neither the report nor the forecast has them: Apr 2026.';
    for (const format of ['text', 'html']) expect(await (await get(format, scenarioId, id)).text()).toContain(note);
    expect(await workbookOf(get('xlsx', scenarioId, id))).toContain(note);
    expect(await pageOf(scenarioId)).not.toContain('Not shown');
  });

  it('are named if the books have actual amounts for a month of the forecast by now (reporting G-7b)', async () => {
    const early = await computed({ base_anchor: 'fixed', base_period: '2026-02' });
    const { id } = await createReport(books, {
      period_start: '2026-02-01',
      period_end: '2026-02-28',
      comparative: false,
    });
    const text = await (await get('text', early, id)).text();
    expect(text).toContain(
      'Shown as forecast although the books have actual amounts: Mar to Apr 2026. Compute the forecast again',
    );
    expect(text).not.toContain('Not shown');
  });
});

describe('names', () => {
  it('move no cursor and turn no line (reporting G-7)', async () => {
    const named = await computed({ name: 'a\nb \u001b[31mred\u001b[0m \u202ednE' });
    const clean = 'Forecast: a b [31mred [0m dnE.';
    const text = await command({ scenario: named });
    expect(text).toContain(clean);
    expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
    expect(await pageOf(named)).toContain('Forecast: <bdi>a b [31mred [0m dnE</bdi>.');
    const workbook = await workbookOf(get('xlsx', named));
    expect(workbook).toContain(clean);
    for (const control of ['\u001b', '\u202e']) expect(workbook).not.toContain(control);
  });
});

describe('other formats', () => {
  it('prints the columns, the same by the command and by the route (reporting G-7b)', async () => {
    const text = await command({ scenario: scenarioId });
    expect(text).toBe(await (await get('text')).text());
    expect(text).toMatch(/^Assets +112,450.00 +105,450.00 +119,708.00 +126,437.52 +133,545.99/m);
    expect(await command({})).not.toContain('(forecast)');
  });

  it('writes the columns into the workbook, with formulas for their totals (reporting G-7b)', async () => {
    const workbook = await workbookOf(get('xlsx'));
    expect(workbook).toContain('Jul 2026 (forecast)');
    expect(workbook).toMatch(/<f>[^<]*F\d+[^<]*<\/f><v>133545\.99<\/v>/);
  });

  it('counts the amount that a total of the forecast has without a line below it (reporting S-32, Q-13 g, G-7)', async () => {
    const other = await openExampleBooks(reporting.user);
    await other.post('2026-02-10', [
      ['1100', 9_000, 0],
      ['5000', 4_000, 0],
      ['4000', 0, 9_000],
      ['1200', 0, 4_000],
    ]);
    await other.post('2026-03-10', [
      ['1100', 7_101, 0],
      ['4000', 0, 7_101],
    ]);
    for (const period of ['2026-02', '2026-03']) await other.done('close-period', { period });
    const levers = [{ qname: 'rs-driver:CostOfRevenueRate', value: 1.31 }];
    const plan = { levers, horizon_months: 1, line_growth: [], line_assertions: [] };
    const { id } = await createForecast(other, plan);
    await other.done('compute-forecast', { structure_id: id });
    const report = await createReport(other, { period_start: '2026-03-01', period_end: '2026-03-31' });
    const path = `/v1/graphs/${other.graph}/reports/${report.id}/download?format=xlsx&scenario_id=${id}`;
    const workbook = await workbookOf(fetch(`${reporting.user.url}${path}`, { headers: reporting.user.headers }));
    const differences = [...workbook.matchAll(/<f>ROUND\([^<]*<\/f><v>([^<]*)/g)].map(([, result]) => Number(result));
    expect(differences.length).toBeGreaterThan(10);
    expect(differences.filter((each) => each !== 0)).toEqual([]);
    // The sum on the sheet of ties is the line without an amount, and the amount of the total.
    expect(workbook).toMatch(/<f>'Income Statement, Multi-Step'!D\d+\+9302\.31<\/f><v>9302\.31<\/v>/);
  });

  it.each(['csv', 'jsonld', 'holon-jsonld', 'xbrl-2.1', 'xbrl-json'])(
    'refuses a forecast as %s, which has actuals only (reporting X-41)',
    async (format) => {
      const [status, body] = await refused(get(format));
      expect(status).toBe(422);
      expect(body).toContain(`The format '${format}' has actuals only. Choose html or text or xlsx`);
      await expect(command({ scenario: scenarioId, format })).rejects.toThrow('has actuals only');
    },
  );
});

describe('a forecast that cannot be shown', () => {
  it('is refused if the graph does not have it, or it is another block (reporting G-7b)', async () => {
    const [status, body] = await refused(get('html', 'struct_none'));
    expect([status, body]).toEqual([
      404,
      expect.stringContaining("The graph has no forecast 'struct_none'. Find the ids"),
    ]);
    const other = await reporting.user.createGraph('Other books', ['ledger']);
    const path = `/v1/graphs/${other}/reports/${reportId}/download?format=html&scenario_id=${scenarioId}`;
    expect((await reporting.user.get(path)).status).toBe(404);
    const [otherStatus, otherBody] = await refused(get('html', books.structures['balance_sheet']));
    expect([otherStatus, otherBody]).toEqual([
      422,
      expect.stringContaining('is a block of the type balance_sheet. Give the id'),
    ]);
  });

  it.each([
    ['struct_1&scenario_id=struct_2', 'Given more than once. Name one forecast.'],
    ['struct_%00', 'Contains U+0000, which no id has. Give the id of a forecast.'],
  ])('is refused as %s, which names no one forecast (reporting G-7b)', async (scenario, msg) => {
    const [status, body] = await refused(get('html', scenario));
    expect([status, JSON.parse(body).detail]).toEqual([
      422,
      [expect.objectContaining({ loc: ['query', 'scenario_id'], msg })],
    ]);
  });

  it('is refused without computed months, and without one after the report (reporting G-7b)', async () => {
    const { id } = await createForecast(books, { name: 'Not yet' });
    const [status, body] = await refused(get('html', id));
    expect([status, body]).toEqual([
      422,
      expect.stringContaining("'Not yet' has no computed months. Compute it with compute-forecast."),
    ]);
    const later = await createReport(books, {
      period_start: '2026-07-01',
      period_end: '2026-07-31',
      comparative: false,
    });
    const [laterStatus, laterBody] = await refused(get('html', scenarioId, later.id));
    expect([laterStatus, laterBody]).toEqual([
      422,
      expect.stringContaining('has no month after 2026-07-31, the last day of the report.'),
    ]);
  });

  it('begins with the month after the report (reporting G-7b)', async () => {
    const june: Loose = await createReport(books, {
      period_start: '2026-06-01',
      period_end: '2026-06-30',
      comparative: false,
    });
    const page = await (await get('html', scenarioId, june.id)).text();
    expect([...new Set(page.match(/\w+ \d{4} \(forecast\)/g))]).toEqual(['Jul 2026 (forecast)']);
  });

  it('is refused if it is about another company than the report (reporting G-7b)', async () => {
    const { id } = await createReport(books);
    await reporting.service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql`UPDATE reporting_report SET entity_id = 'ent_other' WHERE graph_id = ${books.graph} AND id = ${id}`),
    );
    const [status, body] = await refused(get('html', scenarioId, id));
    expect([status, body]).toEqual([422, expect.stringContaining('is about another company than the report.')]);
  });

  it('is refused if its statements are those of another style (reporting G-7b)', async () => {
    const { body } = await reporting.user.graphql('library', '{ libraryStructures { id name blockType } }');
    const style = body.data.libraryStructures.find(({ name, blockType }: Loose) => {
      return blockType === 'reporting_style' && name === 'Small Private Company';
    });
    await books.done('change-reporting-style', { reporting_style_id: style.id });
    const { id } = await createReport(books);
    const [status, text] = await refused(get('html', scenarioId, id));
    expect([status, text]).toEqual([422, expect.stringContaining('and the report have different statements. Compute')]);
    await books.done('compute-forecast', { structure_id: scenarioId });
    expect((await get('html', scenarioId, id)).status).toBe(200);
  });
});
