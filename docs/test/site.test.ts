/**
 * Goal: the documentation site can be read and searched offline. Method: it is built, its files are served from this
 * process, and a browser opens them; every link of every page is followed in the files.
 * @module-tag full-run
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './documents.ts';

const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));
const why = executablePath === undefined ? ' (skipped: Chromium is not installed here)' : '';
const maxBuildMs = 300_000;
const maxWaitMs = 60_000;
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

let folder: string;
let server: Server;
let origin: string;

/** The file of a path on the site; pages have addresses without an ending. */
function fileOf(path: string): string | undefined {
  const plain = join(folder, path);
  return [plain, `${plain}.html`, join(plain, 'index.html')].find(
    (file) => existsSync(file) && statSync(file).isFile(),
  );
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-site-'));
  const words = [join(root, 'scripts/run.mjs'), 'docs', '--outDir', folder];
  execFileSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  server = createServer((request, response) => {
    const file = fileOf(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A listening TCP server has one.
}, maxBuildMs);
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('requirements of PACIOLI_TEST_REQUIRE_ALL', () => {
  it('include an installed Chromium', () => {
    expect(executablePath, 'Install the package chromium.').toEqual(expect.any(String));
  });
});

describe('the documentation site', () => {
  it('has the page and the heading of every link', () => {
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(60);
    const texts = new Map(pages.map((file) => [join(folder, file), readFileSync(join(folder, file), 'utf8')]));
    const ids = new Map(
      [...texts].map(([file, text]) => [file, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const broken = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/<a\b[^>]* href="([^"]*)"/g)].flatMap(([, href = '']) => {
        if (/^https?:/.test(href)) return [];
        const [path = '', anchor = ''] = href.split('#');
        const target = path === '' ? file : fileOf(path);
        const isThere = target !== undefined && (anchor === '' || ids.get(target)?.has(decodeURIComponent(anchor)));
        return isThere ? [] : [`${file.slice(folder.length)}: ${href}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});

describe.runIf(executablePath !== undefined).each([1440, 390])(
  `the documentation site in a window of %i pixels${why}`,
  (width) => {
    let browser: Browser;
    let page: Page;
    let complaints: string[];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
      page = await browser.newPage({ viewport: { width, height: 844 } });
      page.setDefaultTimeout(maxWaitMs);
      complaints = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin)) complaints.push(request.url());
      });
    });
    afterAll(() => browser.close());

    it('finds an operation by its name, and opens its section', async () => {
      await page.goto(origin);
      expect(await page.textContent('h1')).toContain('Pacioli');
      await page.click('.DocSearch-Button, .VPNavBarSearchButton, #local-search button');
      await page.fill('.VPLocalSearchBox input', 'close-period');
      const result = page.locator('.VPLocalSearchBox .result', { hasText: 'Operations and views' }).first();
      await result.click();
      await page.waitForURL(/\/reference\/operations#close-period$/);
      // The address changes before the page does.
      await page.waitForSelector('h3#close-period', { state: 'visible' });
    });

    it.each(['/overview', '/reference/services', '/spec/ledger', '/guide/01-first-plugin'])(
      'shows %s without scrolling sideways',
      async (path) => {
        await page.goto(origin + path);
        await page.waitForSelector('.vp-doc h1');
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      },
    );

    it('requests nothing from elsewhere, and logs no error', () => {
      expect(complaints).toEqual([]);
    });
  },
);
