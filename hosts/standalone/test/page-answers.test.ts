import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { consolePages, explorerPage } from '@pacioli/console';
import { contribute, definePlugin, pluginPages } from '@pacioli/core';
import { statusService } from '@pacioli/core/assembly';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';

const chromeAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const graphId = 'kg0123456789abcdef';

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-page-'));
  const script = join(folder, 'claims.js');
  const style = join(folder, 'claims.css');
  await writeFile(script, `// ${'A script of a page. '.repeat(10)}`);
  await writeFile(style, `/* ${'A style of a page. '.repeat(10)} */`);
  const pages = [
    contribute(pluginPages, 'claims', {
      create: () => ({
        title: 'Claims & costs',
        summary: 'The claims of a graph.',
        script: pathToFileURL(script),
        style: pathToFileURL(style),
        body: async () => '<p>Choose a graph.</p>',
      }),
    }),
    contribute(pluginPages, 'notice', {
      create: () => ({ title: 'Notice', summary: 'A notice.', body: () => '<p>Closed on Sunday.</p>' }),
    }),
  ];
  const claims = definePlugin({ name: 'claims', title: 'Claims', version: '1.0.0', kernel: '*', contributions: pages });
  service = await startTestService({
    plugins: [...plugins, claims],
    aliases,
    worker: false,
    explorer: explorerPage(),
    host: {
      pages: consolePages({
        hasExplorer: true,
        pages: () => service.service.services.resolve(pluginPages),
        status: () => service.service.services.resolve(statusService).report(),
      }),
    },
  });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, accept?: string, more: RequestInit = {}) =>
  fetch(`${service.url}${path}`, { ...more, headers: accept === undefined ? {} : { accept } });

describe('/', () => {
  it('serves browsers a page that describes the service', async () => {
    const answer = await get('/', chromeAccept);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    const text = await answer.text();
    for (const part of ['Pacioli', '0.1.0', 'ledger', 'href="docs"', 'href="explorer"', 'href="v1/status"'])
      expect(text).toContain(part);
  });

  it('answers other clients like an unknown path, and sends Vary for caches', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const answer = await get('/', accept);
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
      expect(answer.headers.get('vary')).toContain('Accept');
    }
    expect((await get('/', chromeAccept, { method: 'POST' })).status).toBe(404);
  });
});

describe('HTML pages', () => {
  const paths = (): readonly string[] => [
    '/',
    '/docs',
    '/explorer',
    `/extensions/${graphId}/graphql`,
    '/console/claims',
    '/console/notice',
  ];

  it('allow only their own files, and no embedding in other pages (platform E-14)', async () => {
    for (const path of paths()) {
      const answer = await get(path, chromeAccept);
      expect([path, answer.status]).toEqual([path, 200]);
      const policy = answer.headers.get('content-security-policy') ?? '';
      for (const directive of ["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
        expect(policy.split('; ')).toContain(directive);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=| style=|https?:\/\//);
    }
  });

  it('load only listed files, which browsers may cache', async () => {
    const files = new Set<string>();
    for (const path of paths()) {
      for (const [, url = ''] of (await (await get(path, chromeAccept)).text()).matchAll(
        /(?:src|href)="([^"]*assets[^"]*)"/g,
      ))
        files.add(new URL(url, `${service.url}${path}`).pathname);
    }
    expect(files.size).toBe(12);
    for (const file of files) {
      const answer = await get(file);
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
      const head = await get(file, undefined, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type')]).toEqual([200, answer.headers.get('content-type')]);
      const plain = await fetch(`${service.url}${file}`, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      await plain.body?.cancel();
      expect((await get(file.replace(/assets\/[^/]+/, 'assets/0.0.0'))).status).toBe(404);
    }
    for (const name of ['package.json', '..%2fconsole.css', '%2e%2e/%2e%2e/package.json', '', 'x/y/z', 'toString'])
      expect([name, (await get(`/console/assets/1.0.0/${name}`)).status]).toEqual([name, 404]);
  });
});

describe('the page of a plugin', () => {
  it('has its title, body and files, and is on the front page (platform X-15)', async () => {
    const text = await (await get('/console/claims', chromeAccept)).text();
    expect(text).toContain('<h1>Claims &amp; costs</h1>');
    expect(text).toContain('<p>Choose a graph.</p>');
    expect(text).toMatch(/src="\.\.\/console\/assets\/[0-9a-f]{12}\/page-claims\.js"/);
    expect(text).toMatch(/href="\.\.\/console\/assets\/[0-9a-f]{12}\/page-claims\.css"/);
    const front = await (await get('/', chromeAccept)).text();
    expect(front).toContain('<a href="console/claims">Claims &amp; costs</a><span>The claims of a graph.</span>');
    expect((await get('/console/others', chromeAccept)).status).toBe(404);
  });

  it('runs no script and calls no API without a script of its own', async () => {
    const policyOf = async (path: string) => (await get(path, chromeAccept)).headers.get('content-security-policy');
    expect(await policyOf('/console/claims')).toContain("script-src 'self'; connect-src 'self'");
    expect(await policyOf('/console/notice')).not.toMatch(/script-src|connect-src/);
  });
});
