/** @module-tag sessions */
// Goal: a file of positions becomes a portfolio whole, or not at all with a line for each wrong row.
// Method: the command on a service; results through GraphQL; totals of a real file by an independent calculation.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, type Loose, openFund, startInvestor } from './investor-service.ts';

const fixture = new URL('./fixtures/public-portfolio/positions.csv', import.meta.url);

let run: InvestorService;
let folder: string;
beforeAll(async () => {
  run = await startInvestor();
  folder = await mkdtemp(join(tmpdir(), 'pacioli-positions-'));
});
afterAll(async () => {
  await run.service.close();
  await rm(folder, { recursive: true, force: true });
});

async function importFile(fund: Pick<Fund, 'graph'>, file: string, more: object = {}) {
  const command = run.service.service.commands.find(({ name }) => name === 'import-portfolio');
  const lines: string[] = [];
  const options = { file, graph: fund.graph, name: 'Public markets', ...more };
  const code = await command?.run({ options, print: (line: string) => lines.push(line) });
  return { code, lines };
}

async function importText(fund: Pick<Fund, 'graph'>, text: string | Uint8Array, more: object = {}) {
  const file = join(folder, 'positions.csv');
  await writeFile(file, text);
  return importFile(fund, file, more);
}

const blockOf = async (fund: Fund, portfolioId: string) =>
  (
    await fund.query(`{ portfolioBlock(portfolioId: "${portfolioId}") { name baseCurrency activePositionCount
      totalCostBasisDollars totalCurrentValueDollars
      positions { quantity quantityType costBasisDollars currentValueDollars valuationDate acquisitionDate valuationSource
        notes security { id name securityType securitySubtype } } } }`)
  ).portfolioBlock;

const portfolioIdIn = (lines: readonly string[]): string => /port_\w+/.exec(lines.join('\n'))?.[0] ?? '';

/** Splits a line with quoted cells; the fixture has no line breaks inside cells. */
function cellsOf(line: string): readonly string[] {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  for (const [index, character] of [...line].entries()) {
    if (character === '"') {
      if (isQuoted && line[index - 1] === '"' && line[index + 1] !== '"' && cell.endsWith('"')) continue;
      isQuoted = !isQuoted;
    } else if (character === ',' && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
}

const centsOf = (amount: string): bigint => BigInt(amount === '' ? '0' : amount.replace('.', ''));

describe('import-portfolio', () => {
  it('imports the positions of a real file in 14 kinds with their exact amounts (investor P-35, R-11 to R-13)', async () => {
    const fund = await openFund(run.owner);
    const rows = (await readFile(fixture, 'utf8')).trim().split('\n').slice(1).map(cellsOf);
    expect(rows.length).toBeGreaterThanOrEqual(500);
    expect(new Set(rows.map((row) => row[1])).size).toBeGreaterThanOrEqual(12);
    const { code, lines } = await importFile(fund, fixture.pathname);
    expect([code, lines[0]]).toEqual([0, `${rows.length} positions, ${rows.length} new securities, 0 of the graph.`]);

    const block = await blockOf(fund, portfolioIdIn(lines));
    const dollars = rows.filter((row) => ['', 'USD'].includes(row[8] ?? ''));
    const sum = (column: number) => dollars.reduce((total, row) => total + centsOf(row[column] ?? ''), 0n);
    expect(block).toMatchObject({ name: 'Public markets', baseCurrency: 'USD', activePositionCount: rows.length });
    expect(BigInt(Math.round(block.totalCostBasisDollars * 100))).toBe(sum(7));
    expect(BigInt(Math.round(block.totalCurrentValueDollars * 100))).toBe(sum(9));
    type Position = (typeof block.positions)[number];
    const found = new Map<string, Position>(
      block.positions.map((each: Position) => [`${each.security.name}|${each.security.securityType}`, each]),
    );
    for (const row of rows) {
      const position = found.get(`${row[0]}|${row[1]}`);
      expect([position.quantity, position.costBasisDollars, position.currentValueDollars], row[0]).toEqual([
        Number(row[5]),
        Number(centsOf(row[7] ?? '')) / 100,
        row[9] === '' ? null : Number(row[9]),
      ]);
      expect(position.security.securitySubtype ?? '').toBe(row[2]);
      expect(position.acquisitionDate).toBe(row[12]);
    }
    const types = new Map(block.positions.map((each: Position) => [each.security.securityType, each.quantityType]));
    expect(types.get('bond')).toBe('principal');
    expect(types.get('option')).toBe('units');
  });

  it('uses securities of the graph, by id or by name, type and subtype, and keeps exact quantities (investor S-1, S-7)', async () => {
    const fund = await openFund(run.owner);
    const first = await fund.security('Northwind', { security_subtype: 'class_a' });
    const second = await fund.security('Bluefin', { security_type: 'safe' });
    const text = `\uFEFFQuantity,Security_Name,security_type,security_subtype,security_id,cost_basis,currency,notes
0.123456789012345678,Northwind,common_stock,class_a,,"1234.5",EUR,"A ""quoted"" note,
on two lines"
1,,,,${second},,,

2,Northwind,common_stock,class_b,,0,,
`;
    const { code, lines } = await importText(fund, text, { base_currency: 'eur' });
    expect([code, lines.slice(0, 2)]).toEqual([
      0,
      ['3 positions, 1 new security, 2 of the graph.', 'Cost basis: 1,234.50 EUR.'],
    ]);
    const block = await blockOf(fund, portfolioIdIn(lines));
    expect(block.positions.map((each: { security: { id: string } }) => each.security.id)).toEqual(
      expect.arrayContaining([first, second]),
    );
    expect(block).toMatchObject({ baseCurrency: 'EUR', totalCostBasisDollars: 1234.5 });
    expect(block.positions[0]).toMatchObject({ notes: 'A "quoted" note,\non two lines', quantityType: 'shares' });
    expect(block.positions[1]).toMatchObject({ quantityType: 'units', costBasisDollars: 0 });
    const path = `/v1/graphs/${fund.graph}/portfolios/${block.id ?? portfolioIdIn(lines)}/holdings`;
    const { body } = await run.owner.get(path);
    const quantities = body.issuers.flatMap((issuer: { securities: { quantity: string }[] }) =>
      issuer.securities.map(({ quantity }) => quantity),
    );
    expect(quantities.sort()).toEqual(['0.123456789012345678', '1', '2']);
  });

  it('links issuers by entity and by source graph as create-security does (investor S-2, S-5)', async () => {
    const fund = await openFund(run.owner);
    const source = 'kg0123456789abcdef0007';
    const issuer = await fund.share(source, 'Northwind Inc');
    const text = `security_name,security_type,entity_id,source_graph_id,quantity
Northwind A,common_stock,${issuer},,1
Northwind B,common_stock,,${source},1
Northwind C,common_stock,,kg0123456789abcdef0008,1
`;
    expect((await importText(fund, text)).code).toBe(0);
    const { securities } = await fund.query('{ securities { securities { name entityId sourceGraphId } } }');
    expect(securities.securities).toEqual([
      { name: 'Northwind A', entityId: issuer, sourceGraphId: null },
      { name: 'Northwind B', entityId: issuer, sourceGraphId: source },
      { name: 'Northwind C', entityId: null, sourceGraphId: 'kg0123456789abcdef0008' },
    ]);
  });

  it('finds issuers by exact name or CIK, and names those that the graph does not have (investor P-35, J-1)', async () => {
    const fund = await openFund(run.owner);
    const northwind = await fund.share('kg0123456789abcdef0007', 'Northwind Inc');
    for (const source of ['kg0123456789abcdef0008', 'kg0123456789abcdef0009']) await fund.share(source, 'Twin Co');
    const filer = await fund.share('kg0123456789abcdef0010', 'Filer Corp', '320193');
    const head = 'security_name,security_type,issuer_name,issuer_cik,entity_id,quantity';
    const rows = [
      'A,bond,Northwind Inc,,,1',
      'B,bond,Another name,0000320193,,1',
      'C,bond,Filer Corp,1,,1',
      'D,bond,northwind inc,,,1',
      'E,bond,,,,1',
    ];
    const { code, lines } = await importText(fund, [head, ...rows, ''].join('\n'));
    expect([code, lines[2]]).toEqual([
      0,
      'Not entities of the graph, so that their securities have no issuer: Filer Corp, northwind inc.',
    ]);
    const { securities } = await fund.query('{ securities { securities { name entityId } } }');
    expect(securities.securities.map(({ name, entityId }: Loose) => [name, entityId])).toEqual([
      ['A', northwind],
      ['B', filer],
      ['C', null],
      ['D', null],
      ['E', null],
    ]);
    const wrong = ['F,bond,Twin Co,,,1', `G,bond,Northwind Inc,,${northwind},1`, 'H,bond,,12x,,1'];
    const refused = await importText(fund, [head, ...wrong, ''].join('\n'), { name: 'Wrong' });
    expect(refused.lines.slice(0, 3)).toEqual([
      'Row 2: issuer_name: The graph has 2 such entities. Name one in entity_id instead.',
      'Row 3: entity_id: The row names its issuer twice. Empty one of the cells.',
      "Row 4: issuer_cik: '12x' is not a CIK. Write up to ten digits, such as 0000320193.",
    ]);
  });

  it('names every wrong row with its column and what to do, and writes nothing (investor P-35)', async () => {
    const fund = await openFund(run.owner);
    const twice = ['Twin', 'Twin'];
    for (const name of twice) await fund.security(name);
    const held = await fund.security('Held', { terms: { ticker: 'HLD' } });
    const gone = await fund.security('Gone');
    await fund.run('delete-security', { security_id: gone });
    const before = await fund.all();
    const head =
      'security_name,security_type,security_id,ticker,isin,terms,entity_id,source_graph_id,authorized_shares,outstanding_shares,quantity,quantity_type,cost_basis,currency,current_value,valuation_date,acquisition_date';
    const wrong: readonly (readonly [string, string])[] = [
      ['Good,bond,,,,,,,,,1,,,,,,', ''],
      [
        'A,bond,,,,,,,,,-1,,,,,,',
        `quantity: '-1' is not a quantity. Write a number of 0 or more, such as 250 or 0.125.`,
      ],
      ['B,bond,,,,,,,,,,,,,,,', 'quantity: The cell is empty. Fill it in.'],
      [
        ',,,,,,,,,,1,,,,,,',
        'security_name: The cell is empty. Fill it in. security_type: The cell is empty. Fill it in.',
      ],
      ['C,bond,,,,,,,,,1,,"1,234.50",,,,', `cost_basis: '1,234.50' is not an amount.`],
      ['D,bond,,,,,,,,,1,,12.345,dollar,-3,2026-02-30,2026-05-04', 'cost_basis:'],
      ['E,bond,,,us1,,,,,,1,,,,,,', 'isin:'],
      ['F,bond,,,,"{""coupon_rate_bps"":4.25}",,,,,1,,,,,,', 'terms: coupon_rate_bps: Must be of type integer.'],
      ['G,bond,,,,[],,,,,1,,,,,,', 'terms:'],
      ['H,bond,,X,,"{""ticker"":""Y""}",,,,,1,,,,,,', 'ticker: The terms have ticker, too.'],
      ['I,bond,,,,,ent_none,,,,1,,,,,,', `entity_id: The graph has no entity 'ent_none'.`],
      [`J,bond,,,,,,${fund.graph},,,1,,,,,,`, 'source_graph_id: source_graph_id cannot be this graph.'],
      ['K,common_stock,,,,,,,1,2,1,,,,,,', 'outstanding_shares:'],
      ['L,bond,sec_none,,,,,,,,1,,,,,,', 'security_name: The row has a security_id.'],
      [',,sec_none,,,,,,,,1,,,,,,', `security_id: The graph has no security 'sec_none'.`],
      [`,,${gone},,,,,,,,1,,,,,,`, 'security_id: '],
      ['Twin,common_stock,,,,,,,,,1,,,,,,', 'security_name: The graph has 2 such securities.'],
      ['Held,common_stock,,OTHER,,,,,,,1,,,,,,', 'terms: The graph has this security'],
      ['Held,common_stock,,HLD,,,,,,,1,,,,,,', ''],
      [`,,${held},,,,,,,,1,,,,,,`, 'The security stands in row 20, too.'],
      ['M,bond,,,,,,,,,1,Shares,,,,,', 'quantity_type:'],
      ['O\0,bond,,,,,,,,,1,,,,,,', 'security_name: The cell has the character U+0000'],
      ['P,bond,,,,"{""ticker"":""\\u0000""}",,,,,1,,,,,,', 'terms: A text has the character U+0000'],
      ['N,bond,,,,,,,,,1,,,,,,,extra', 'The row has 18 cells for 17 columns.'],
    ];
    const { code, lines } = await importText(fund, [head, ...wrong.map(([row]) => row), ''].join('\n'));
    expect(code).toBe(1);
    const expected = wrong.flatMap(([, message], index) => (message === '' ? [] : [`Row ${index + 2}: ${message}`]));
    expect(lines).toHaveLength(expected.length + 1);
    expected.forEach((start, index) => {
      expect(lines[index]).toContain(start);
    });
    expect(lines[5 - 1]).toMatch(
      /cost_basis:.* currency:.* current_value:.* valuation_date:.* acquisition_date: 2026-05-04/,
    );
    expect(lines.at(-1)).toBe('Nothing was imported. Correct the rows and run the command again.');
    expect(await fund.all()).toEqual(before);
  });

  it.each([
    ['', 'The file is empty.'],
    ['quantity\n', 'The file has no positions.'],
    ['quantity;security_name\n1;A\n', 'Separate columns by commas.'],
    ['quantity,amount\n1,2\n', `There is no column 'amount'.`],
    ['quantity,quantity\n1,2\n', 'The column quantity appears twice.'],
    ['quantity,\n1,\n', 'Column 2 has no name.'],
    ['security_name\nA\n', 'The column quantity is missing.'],
    ['quantity\n"1\n', 'Row 2: A quote is not closed.'],
    ['quantity\n"1"2\n', 'A cell with quotes must begin and end with one.'],
    [`quantity\n${'1\n'.repeat(5_001)}`, 'The file has 5001 positions. Split it: the limit is 5000.'],
  ])('refuses a file that is not a table of positions: %j (investor P-35)', async (text, message) => {
    const fund = { graph: (await openOnce()).graph };
    const { code, lines } = await importText(fund, text);
    expect([code, lines[0]]).toEqual([1, expect.stringContaining(message)]);
  });

  it('checks everything and writes nothing in a dry run (investor P-35)', async () => {
    const fund = await openFund(run.owner);
    const before = await fund.all();
    const { code, lines } = await importText(fund, 'security_name,security_type,quantity\nA,bond,1\n', {
      dry_run: true,
    });
    expect([code, lines.at(-1)]).toEqual([0, 'All rows are valid; nothing was imported.']);
    expect(await fund.all()).toEqual(before);
  });

  it('refuses graphs and files that it cannot use, with what to do (investor P-35)', async () => {
    const fund = await openOnce();
    const books = await run.owner.createGraph('Books', ['roboledger']);
    await expect(importText({ graph: 'kg0000000000000000000f' }, 'quantity\n1\n')).rejects.toThrow(/There is no graph/);
    await expect(importText({ graph: books }, 'quantity\n1\n')).rejects.toThrow(/has no investor extension/);
    await expect(importFile(fund, join(folder, 'none.csv'))).rejects.toThrow(/cannot be opened/);
    await expect(importFile(fund, folder)).rejects.toThrow(/cannot be read/);
    await expect(importText(fund, new Uint8Array([0xff, 0xfe, 0x41]))).rejects.toThrow(/is not UTF-8/);
    await expect(importText(fund, 'quantity\n1\n', { name: '  ' })).rejects.toThrow(/blank/);
    await expect(importText(fund, new Uint8Array(16 * 1_048_576 + 1).fill(0x61))).rejects.toThrow(/Split it/);
  });
});

let shared: Promise<Fund> | undefined;
/** One graph for the tests that write nothing. */
function openOnce(): Promise<Fund> {
  shared ??= openFund(run.owner);
  return shared;
}
