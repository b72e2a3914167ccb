import { provide } from '@pacioli/core';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import taxonomy from '../src/index.ts';
import { readFrameworkFiles } from '../src/library/framework-files.ts';
import { createShippedLibrary } from '../src/library-upgrades/shipped-library.ts';
import { shippedLibrary } from '../src/providers.ts';
import { library } from '../src/tokens.ts';

const files = readFrameworkFiles();
const [someFile] = Object.keys(files);

let disk = files;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    plugins: [taxonomy],
    override: [provide(shippedLibrary, { create: () => createShippedLibrary(() => disk) })],
  });
});
afterAll(() => service.close());

describe('library catalog', () => {
  it('builds the catalog from the files seeded at start, and rejects files replaced since then', () => {
    const catalog = service.service.services.resolve(library);
    disk = { ...files, [String(someFile)]: `${Object.values(files)[0]}\n` };
    expect(() => catalog.elementByQname('rs-gaap:Assets')).toThrow('Restart the service');
    disk = files;
    expect(catalog.elementByQname('rs-gaap:Assets')?.name).toBe('Assets');
  });
});
