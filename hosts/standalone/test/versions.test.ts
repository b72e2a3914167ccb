import { readFileSync } from 'node:fs';
import { kernelVersion } from '@pacioli/core/assembly';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';

/** Goal: clients see the API version where they look for it, and operators see the product version. */
const fileOf = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins, aliases });
});
afterAll(() => service.close());

describe('GET /openapi.json', () => {
  it('contains the version of the API and that of the product', async () => {
    const contract = fileOf('../../../conformance/contract/openapi.json');
    const { info } = (await service.anonymous.get('/openapi.json')).body;
    expect(info).toEqual({
      title: 'Pacioli',
      version: contract.info.version,
      'x-product-version': fileOf('../../../core/package.json').version,
    });
  });
});

describe('GET /v1/status', () => {
  it('contains the version of the product and of the API (platform H-1)', async () => {
    const { details } = (await service.anonymous.get('/v1/status')).body;
    expect(details).toMatchObject({ service: 'pacioli', version: kernelVersion, api_version: 'v1' });
    expect(details.plugins).toContainEqual({ name: 'kernel', version: kernelVersion, status: 'enabled' });
  });
});
