import { describe, expect, it } from 'vitest';
import type { Frameworks } from '../vocabulary/framework-types.ts';
import { readShippedFrameworks } from './framework-files.ts';
import { createLibraryCatalog, lazyLibraryCatalog } from './library-catalog.ts';

describe('library-catalog', () => {
  it('reads the frameworks once, on the first look-up', () => {
    let reads = 0;
    const catalog = lazyLibraryCatalog((): Frameworks => {
      reads += 1;
      return readShippedFrameworks();
    });
    expect(reads).toBe(0);
    expect(catalog.elementByQname('rs-gaap:Assets')?.name).toBe('Assets');
    expect(catalog.rows.elements.length).toBe(catalog.elements.length);
    expect(reads).toBe(1);
  });

  it('returns the same results whether it was indexed eagerly or lazily', () => {
    const lazy = lazyLibraryCatalog(readShippedFrameworks);
    const indexed = createLibraryCatalog(readShippedFrameworks());
    expect(Object.keys(lazy).sort()).toEqual(Object.keys(indexed).sort());
    expect(lazy.frameworks).toEqual(indexed.frameworks);
    expect(lazy.rows).toEqual(indexed.rows);
    expect(lazy.search('cash', 5)).toEqual(indexed.search('cash', 5));
    for (const { id } of indexed.rows.taxonomies) expect(lazy.taxonomyById(id)).toEqual(indexed.taxonomyById(id));
    for (const { id } of indexed.elements) expect(lazy.elementById(id)).toEqual(indexed.elementById(id));
    for (const { id, key } of indexed.rows.structures) {
      expect(lazy.structureById(id)).toEqual(indexed.structureById(id));
      expect(lazy.structureByKey(key)).toEqual(indexed.structureByKey(key));
      expect(lazy.associationsOf(id)).toEqual(indexed.associationsOf(id));
    }
  });
});
