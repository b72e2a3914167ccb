import { provide } from '@pacioli/core';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import taxonomy from '../src/index.ts';
import { readFrameworkFiles } from '../src/library/framework-files.ts';
import { createShippedLibrary, shippedLibrary } from '../src/library-upgrades/shipped-library.ts';
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

describe('the library catalogue', () => {
  it('is made of the files that the database got at start, and refused when they were replaced since', () => {
    const catalogue = service.service.services.resolve(library);
    disk = { ...files, [String(someFile)]: `${Object.values(files)[0]}\n` };
    expect(() => catalogue.elementByQname('rs-gaap:Assets')).toThrow('Start the service again');
    disk = files;
    expect(catalogue.elementByQname('rs-gaap:Assets')?.name).toBe('Assets');
  });
});
