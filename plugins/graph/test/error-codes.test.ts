import { standardErrors } from '@pacioli/core/assembly';
import { describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

/** The parts that declare errors. */
const parts = [...graph.operations, ...graph.views, ...graph.routes, ...graph.runs];

describe('the error codes of the plugin', () => {
  it('have one kind each, so that a code has one status wherever it is met (platform E-8a)', () => {
    const kinds = new Map(standardErrors.map(({ code, kind }) => [code, new Set<string>([kind])]));
    for (const { errors = {} } of parts)
      for (const [code, error] of Object.entries(errors)) {
        const known = kinds.get(code) ?? new Set();
        kinds.set(code, known.add(typeof error === 'string' ? 'undeclared' : error.kind));
      }
    const several = [...kinds].filter(([, known]) => known.size > 1).map(([code, known]) => [code, ...known]);
    expect(several).toEqual([]);
  });
});
