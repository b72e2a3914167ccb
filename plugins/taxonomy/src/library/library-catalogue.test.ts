import { describe, expect, it } from 'vitest';
import type { Frameworks } from '../vocabulary/framework-types.ts';
import { readShippedFrameworks } from './framework-files.ts';
import { createLibraryCatalogue, lazyLibraryCatalogue } from './library-catalogue.ts';

describe('library-catalogue', () => {
  it('reads the frameworks when something is looked up, and then once', () => {
    let reads = 0;
    const catalogue = lazyLibraryCatalogue((): Frameworks => {
      reads += 1;
      return readShippedFrameworks();
    });
    expect(reads).toBe(0);
    expect(catalogue.elementByQname('rs-gaap:Assets')?.name).toBe('Assets');
    expect(catalogue.rows.elements.length).toBe(catalogue.elements.length);
    expect(reads).toBe(1);
  });

  it('answers the same whether it was indexed at once or by its first use', () => {
    const lazy = lazyLibraryCatalogue(readShippedFrameworks);
    const indexed = createLibraryCatalogue(readShippedFrameworks());
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
