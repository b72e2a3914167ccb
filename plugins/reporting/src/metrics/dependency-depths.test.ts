import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dependencyDepths } from './dependency-depths.ts';

const graph = (edges: Readonly<Record<string, readonly string[]>>) => dependencyDepths(new Map(Object.entries(edges)));

describe('dependencyDepths', () => {
  it('counts from the nodes without dependencies, along the longest path (reporting M-4)', () => {
    const { depths, cyclic } = graph({ a: ['c', 'b'], b: ['c', 'elsewhere'], c: [], d: ['a', 'a'] });
    expect(Object.fromEntries(depths)).toEqual({ a: 2, b: 1, c: 0, d: 3 });
    expect(cyclic.size).toBe(0);
  });

  it('separates cycles from the nodes that depend on them (reporting M-4)', () => {
    const { depths, cyclic } = graph({ a: ['b'], b: ['a', 'd'], c: ['a'], d: [], e: ['e'], f: ['c'] });
    expect([...cyclic].sort()).toEqual(['a', 'b', 'e']);
    expect(depths.get('d')).toBe(0);
    expect([depths.has('c'), depths.has('f')]).toEqual([true, true]);
  });

  it('places every node of an acyclic graph after its dependencies', () => {
    const edges = fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(edges, (targets) => {
        // Edges to earlier nodes only, so there is no cycle.
        const acyclic = targets.map(
          (list, index) => [`${index}`, list.filter((to) => to < index).map(String)] as const,
        );
        const { depths, cyclic } = dependencyDepths(new Map(acyclic));
        expect(cyclic.size).toBe(0);
        for (const [id, list] of acyclic) {
          for (const to of list) expect(depths.get(to)).toBeLessThan(depths.get(id) ?? -1);
        }
      }),
    );
  });
});
