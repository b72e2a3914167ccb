/**
 * Drives a browser against a whole process.
 * @module-tag full-run
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPacioli, type Standalone, startStandalone } from './start-standalone.ts';

/**
 * Goal: the pages work in a browser under their content security policy.
 * Method: the program runs with its demo, and a real browser uses its pages. page-answers.test.ts checks the headers.
 */
const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));
const why = executablePath === undefined ? ' (skipped: Chromium is not installed here)' : '';
const maxWaitMs = 120_000;

let folder: string;
let server: Standalone;
let apiKey: string;
let graphId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-pages-'));
  server = await startStandalone({ DATA_DIR: folder, DEMO: 'on' });
  const deadline = Date.now() + maxWaitMs;
  while (!/query\/cypher/.test(server.output())) {
    if (Date.now() > deadline) throw new Error(`The demo is not there:\n${server.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  apiKey = /rfs[0-9a-f]{64}/.exec(server.output())?.[0] ?? '';
  graphId = /extensions\/(kg[0-9a-f]+)\//.exec(server.output())?.[1] ?? '';
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('requirements of PACIOLI_TEST_REQUIRE_ALL', () => {
  it('include an installed Chromium', () => {
    expect(executablePath, 'Install the package chromium.').toEqual(expect.any(String));
  });
});

describe.runIf(executablePath !== undefined).each([1280, 390])(
  `pages in a browser window of %i pixels${why}`,
  (width) => {
    let browser: Browser;
    let page: Page;
    let complaints: string[];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
      page = await browser.newPage({ viewport: { width, height: 844 } });
      page.setDefaultTimeout(maxWaitMs);
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(server.url))
          complaints.push(request.url());
      });
    }, maxWaitMs);
    afterAll(async () => {
      await browser.close();
    });

    async function open(path: string): Promise<void> {
      await page.goto('about:blank'); // Ends pending requests of the previous page.
      complaints = [];
      await page.goto(`${server.url}${path}`);
    }

    /** Expects no policy violation, no request to another host, and no content wider than the window. */
    async function expectSound(): Promise<void> {
      expect(complaints).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      // Each field and button has an accessible name.
      expect(await page.locator('.bar input:not([id]), .bar button:empty').count()).toBe(0);
    }

    it('links the front page to the reference, the explorer and the status', { timeout: maxWaitMs }, async () => {
      await open('/');
      await expectSound();
      for (const [name, path] of [
        ['API reference', '/docs'],
        ['Explorer', '/explorer'],
        ['Status', '/v1/status'],
      ] as const) {
        await page.goto(`${server.url}/`);
        await page.getByRole('link', { name, exact: true }).click();
        await page.waitForURL(`${server.url}${path}`);
      }
    });

    it('lists the operations in the reference, and shows one with its fields', { timeout: maxWaitMs }, async () => {
      await open('/docs');
      await page.locator('#operations-tag-extensions_robo_ledger').click();
      const operation = page.locator('#operations-extensions_robo_ledger-close_period');
      await operation.locator('.opblock-summary-control').click();
      await operation.getByText('Request body').waitFor();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByPlaceholder('graph_id').fill(graphId);
      await expectSound();
    });

    it('offers the graphs of an API key in the explorer, loads the schema and runs a query', {
      timeout: maxWaitMs,
    }, async () => {
      await open('/explorer');
      await page.getByLabel('API key').fill(apiKey);
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.locator('.graphiql-execute-button').click();
      await page.locator('.result-window').getByText('Larkspur Cycle Works').waitFor();
      expect(await page.getByLabel('Graph', { exact: true }).inputValue()).toBe(graphId);
      expect(await page.locator(`#graphs option[value="${graphId}"]`).count()).toBe(1);
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      await page.locator('.graphiql-doc-explorer').getByText('TrialBalance', { exact: true }).waitFor();
      await expectSound();
    });

    it('loads the schema in the explorer of one graph without an API key, and stores no key', {
      timeout: maxWaitMs,
    }, async () => {
      await open(`/extensions/${graphId}/graphql`);
      await page.locator('.graphiql-execute-button').click();
      await page.locator('.result-window').getByText('UNAUTHENTICATED').first().waitFor();
      await expectSound();
      expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(apiKey);
    });
  },
);

describe('pacioli import-journal', () => {
  it('prints the address of the explorer of the graph', { timeout: maxWaitMs }, async () => {
    const file = join(folder, 'books.beancount');
    await writeFile(file, '2024-02-01 * "Sale"\n  Assets:Cash  10.00 USD\n  Income:Sales\n');
    const words = ['import-journal', file, '--url', server.url, '--api-key', apiKey, '--graph-name', 'Books'];
    const { code, out } = await runPacioli(words);
    const [url = ''] = /http\S+graphql$/m.exec(out) ?? [];
    expect([code, out]).toEqual([0, expect.stringContaining('Explore the graph in a browser')]);
    expect(await (await fetch(url)).text()).toContain('<title>Pacioli explorer');
  });
});
