import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handMadeBundle } from '../../../test/hand-made-bundle.ts';
import { builtInFormats } from './built-in-formats.ts';
import { serialized } from './serializer.ts';

// Goal: a stored file that is made again has the bytes of the first time, also after the service was updated.
// Method: the digests of a report with all kinds of facts, as the first version of each format wrote it.
const digests: Readonly<Record<string, string>> = {
  jsonld: 'a391dcf31b039057e22a16dd18d57602a87714750cc81d595341c361a9c69dc8',
  'holon-jsonld': '1c999bbc96c6f0247db101e1bf842cc38ac48d46e0bf96162106a6184681bb32',
  'xbrl-2.1': '47184921dfc641246d8cd580182d15092f1b719d0583c016b436f5e95ef1a8a4',
  'xbrl-json': 'cfb47e394a01fa0ce4202ef6b0423044fa4393292df3bb170a796990f644d22f',
  csv: 'f2dde6bef4ce4bf7e43dc0c19e5a2eedfec54c8a523af92195ec0a7f950a6e3b',
};

describe('the formats of reports', () => {
  it.each(Object.entries(digests))('write %s with the same bytes as ever (reporting G-3, G-5)', async (key, digest) => {
    const format = builtInFormats[key];
    if (format === undefined) throw new Error(`There is no format ${key}.`);
    const hash = createHash('sha256');
    for await (const part of await serialized({ key, ...format }, handMadeBundle)) hash.update(part);
    expect(hash.digest('hex')).toBe(digest);
  });
});
