/**
 * Drives a browser.
 * @module-tag sessions
 * @module-tag full-run
 */
// Goal: the holdings of a portfolio have exact totals, and their page is readable, safe and complete by itself.
// Method: hostile names and several currencies over HTTP; the page in a real browser at two widths and in print.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, type Loose, openFund, startInvestor } from './investor-service.ts';

const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));

const hostile = `<script>alert(1)</script> & "Sons" <img src=x onerror='alert(2)'>`;

let run: InvestorService;
let fund: Fund;
let portfolioId: string;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
  const northwind = await fund.share('kg0123456789abcdef0001', 'Northwind Inc');
  const aster = await fund.share('kg0123456789abcdef0002', hostile);
  const held = [
    ['Northwind Series A', 'preferred_stock', northwind, 40_000, 'shares', 10_000_000, 14_500_000, 'USD'],
    ['Northwind Bridge Note', 'convertible_note', northwind, 250_000, 'principal', 25_000_000, null, 'USD'],
    ['Bluefin SAFE', 'safe', null, 1, 'units', 5_000_000, null, 'USD'],
    ['Aster LP', 'lp_interest', aster, 2.5, 'percentage', 30_000_000, 31_200_050, 'USD'],
    ['Nordlicht Anleihe', 'bond', null, 1_000, 'principal', 95_000, 98_000, 'EUR'],
    [hostile, 'royalty_unit', null, 3, 'units', 1, 2, 'USD'],
  ] as const;
  const positions = [];
  for (const [name, securityType, entityId, quantity, quantityType, costBasis, currentValue, currency] of held) {
    const securityId = await fund.security(name, { security_type: securityType, entity_id: entityId });
    positions.push({
      security_id: securityId,
      quantity,
      quantity_type: quantityType,
      cost_basis: costBasis,
      current_value: currentValue,
      currency,
    });
  }
  portfolioId = (await fund.run('create-portfolio-block', { portfolio: { name: hostile }, positions })).id;
});
afterAll(() => run.service.close());

const pathOf = (graph: string, id: string) => `/v1/graphs/${graph}/portfolios/${id}/holdings`;

function get(accept: string, { client = run.owner, graph = fund.graph, id = portfolioId } = {}): Promise<Response> {
  return fetch(`${client.url}${pathOf(graph, id)}`, { headers: { ...client.headers, accept } });
}

const bodyOf = (response: Response): Promise<Loose> => response.json();

/** The number of statements that the service sends in the scope of a graph. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const { store } = run.service;
  const { transaction } = store;
  let statements = 0;
  store.transaction = (scope, inside, options) =>
    transaction.call(
      store,
      scope,
      (tx) => {
        if (scope === 'kernel') return inside(tx);
        const counting: typeof tx = Object.create(tx, {
          query: {
            value: (statement: Parameters<typeof tx.query>[0]) => {
              statements += 1;
              return tx.query(statement);
            },
          },
        });
        return inside(counting);
      },
      options,
    ) as ReturnType<typeof inside>; // The call resolves to the result of `inside`, which `call` does not infer.
  try {
    await work();
  } finally {
    store.transaction = transaction;
  }
  return statements;
}

describe('get-portfolio-holdings', () => {
  it('returns holdings by issuer and by kind with exact totals, and what is in none (investor R-13, R-27)', async () => {
    const response = await get('application/json');
    const body = await bodyOf(response);
    expect([response.status, response.headers.get('vary'), response.headers.get('cache-control')]).toEqual([
      200,
      'Accept',
      'no-store',
    ]);
    expect(body).toMatchObject({
      portfolio_id: portfolioId,
      base_currency: 'USD',
      position_count: 6,
      total_cost_basis: '700000.01',
      total_current_value: '457000.52',
      omitted: [{ currency: 'EUR', position_count: 1, cost_basis: '950.00', current_value: '980.00' }],
    });
    const rows = body.issuers.map((issuer: Record<string, unknown>) => [
      issuer['entity_name'],
      issuer['position_count'],
      issuer['total_cost_basis'],
      issuer['total_current_value'],
    ]);
    expect(rows).toEqual([
      [hostile, 1, '300000.00', '312000.50'],
      ['Northwind Inc', 2, '350000.00', '145000.00'],
      ['Unlinked Securities', 3, '50000.01', '0.02'],
    ]);
    expect(body.kinds.map((kind: Record<string, unknown>) => [kind['title'], kind['total_cost_basis']])).toEqual([
      ['Limited partner interest in a fund', '300000.00'],
      ['Convertible note', '250000.00'],
      ['Preferred stock', '100000.00'],
      ['Simple agreement for future equity', '50000.00'],
      ['Royalty unit', '0.01'],
      ['Bond or note of fixed income', '0.00'],
    ]);
    const { holdings } = await fund.query(`{ holdings(portfolioId: "${portfolioId}") { totalEntities totalPositions
      holdings { entityName totalCostBasisDollars totalCurrentValueDollars } } }`);
    expect(holdings.holdings.map((each: { entityName: string }) => each.entityName)).toEqual(
      rows.map((row: string[]) => row[0]),
    );
    expect(holdings.holdings.map((each: { totalCostBasisDollars: number }) => each.totalCostBasisDollars)).toEqual(
      rows.map((row: string[]) => Number(row[2])),
    );
  });

  it.each([
    ['text/html', 'text/html; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/json, text/html;q=0.5', 'application/json'],
    ['text/html;q=0', 'application/json'],
    ['*/*', 'application/json'],
  ])('answers Accept: %s with %s (investor R-27)', async (accept, type) => {
    const response = await get(accept);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
  });

  it('sends a page that loads and runs nothing, with all texts escaped (investor R-27)', async () => {
    const response = await get('text/html');
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page).not.toMatch(/<script|<img|<link|https?:|url\(/i);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Sons&quot;');
    expect(page).toContain('<td class="number">700,000.01</td>');
    expect(page).toContain('<td class="number">950.00 EUR</td>');
    expect(page).toContain('<li>1 in EUR: cost 950.00, value 980.00</li>');
    expect(page.match(/<svg/g)).toHaveLength(1);
  });

  it('refuses other tenants, unknown portfolios and graphs without the extension (investor I-22)', async () => {
    const stranger = await run.service.newUser('Eve');
    const other = await openFund(stranger);
    const foreign = await get('application/json', { client: stranger });
    expect([403, 404]).toContain(foreign.status);
    expect((await get('application/json', { client: stranger, graph: other.graph })).status).toBe(404);
    expect((await get('text/html', { id: 'port_none' })).status).toBe(404);
    expect((await get('text/html', { client: run.service.anonymous })).status).toBe(401);
    const books = await run.owner.createGraph('Books', ['roboledger']);
    const refused = await get('application/json', { graph: books });
    expect([refused.status, (await bodyOf(refused)).detail]).toEqual([404, 'Investor module not initialized.']);
  });

  it('reads portfolios of any size with the same number of statements (investor R-27)', async () => {
    const securities = await Promise.all(Array.from({ length: 40 }, (_, index) => fund.security(`Fund ${index}`)));
    const made = async (count: number) => {
      const positions = securities.slice(0, count).map((securityId) => ({ security_id: securityId, quantity: 1 }));
      return (await fund.run('create-portfolio-block', { portfolio: { name: 'Many' }, positions })).id;
    };
    const [few, many] = [await made(2), await made(40)];
    const lists = (id: string) =>
      fund.query(`{ holdings(portfolioId: "${id}") { holdings { entityName securities { securityName } } }
        portfolioBlock(portfolioId: "${id}") { positions { security { name issuer { name } } } }
        positions(portfolioId: "${id}") { positions { securityName } } }`);
    for (const read of [(id: string) => get('text/html', { id }), lists]) {
      const counts = [await statementsOf(() => read(few)), await statementsOf(() => read(many))];
      expect(counts[0]).toBeGreaterThan(1);
      expect(counts[1]).toBe(counts[0]);
    }
  });

  it('shows a portfolio without positions (investor R-27)', async () => {
    const empty = await fund.run('create-portfolio-block', { portfolio: { name: 'Empty' } });
    const page = await (await get('text/html', { id: empty.id })).text();
    expect(page).toContain('no position has a value');
    expect(page).not.toContain('<svg');
    const body = await bodyOf(await get('application/json', { id: empty.id }));
    expect(body).toMatchObject({ position_count: 0, total_cost_basis: '0.00', total_current_value: null, issuers: [] });
  });
});

describe('holdings', () => {
  const command = async (options: object) => {
    const found = run.service.service.commands.find(({ name }) => name === 'holdings');
    const lines: string[] = [];
    const code = await found?.run({
      options: { graph: fund.graph, ...options },
      print: (line: string) => lines.push(line),
    });
    return { code, text: lines.join('\n') };
  };

  it('prints issuers and kinds with their totals, and writes the same page as the route (investor R-27)', async () => {
    const { code, text } = await command({ portfolio: portfolioId });
    expect(code).toBe(0);
    expect(text).toMatch(/Northwind Inc +2 +350,000\.00 +145,000\.00/);
    expect(text).toMatch(/Total +6 +700,000\.01 +457,000\.52/);
    expect(text).toContain('Not part of the totals, without an exchange rate: 1 in EUR with a cost of 950.00.');
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-holdings-'));
    try {
      const out = join(folder, 'holdings.html');
      expect(await command({ portfolio: portfolioId, html: true, out })).toEqual({ code: 0, text: '' });
      expect(await readFile(out, 'utf8')).toBe(await (await get('text/html')).text());
      expect(`${(await command({ portfolio: portfolioId, html: true })).text}\n`).toBe(await readFile(out, 'utf8'));
      await expect(command({ portfolio: portfolioId, out: join(folder, 'no', 'file') })).rejects.toThrow(
        /cannot be written/,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('says which graph or portfolio does not exist (investor R-27)', async () => {
    await expect(command({ portfolio: 'port_none' })).rejects.toThrow(/has no portfolio 'port_none'/);
    await expect(command({ portfolio: portfolioId, graph: 'kg0000000000000000000f' })).rejects.toThrow(
      /There is no graph/,
    );
  });
});

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('requirements of PACIOLI_TEST_REQUIRE_ALL', () => {
  it('include an installed Chromium', () => {
    expect(executablePath, 'Install the package chromium.').toEqual(expect.any(String));
  });
});

describe.runIf(executablePath !== undefined)('the page of holdings in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  it.each([1280, 390])(
    'fits a window of %i pixels, prints, and complains about nothing (investor R-27)',
    async (width) => {
      const page = await browser.newPage({ viewport: { width, height: 844 } });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.setContent(await (await get('text/html')).text());
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await page.getByRole('img', { name: 'Cost basis by kind of security' }).isVisible()).toBe(true);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(hostile);
      expect(await page.getByRole('rowheader', { name: 'Northwind Series A' }).count()).toBe(1);
      const pdf = await page.pdf({ format: 'A4' });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});
