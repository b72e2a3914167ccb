import { consolePages, explorerPage } from '@pacioli/console';
import { statusService } from '@pacioli/core/assembly';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';

const chromeAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const graphId = 'kg0123456789abcdef';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    plugins,
    aliases,
    worker: false,
    explorer: explorerPage(),
    host: {
      pages: consolePages({
        hasExplorer: true,
        status: () => service.service.services.resolve(statusService).report(),
      }),
    },
  });
});
afterAll(() => service.close());

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
  const paths = (): readonly string[] => ['/', '/docs', '/explorer', `/extensions/${graphId}/graphql`];

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
    expect(files.size).toBe(10);
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
