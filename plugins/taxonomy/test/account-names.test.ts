import { describe, expect, it } from 'vitest';
import { targetProblem } from '../src/checks/check-arcs.ts';
import { parts, readAccountNames } from './account-names.ts';
import { library } from './taxonomy-store.ts';

describe('the labelled account names', () => {
  const names = readAccountNames();

  it('are three hundred different ones in three parts, some of which have no answer', () => {
    expect(new Set(names.map(({ name }) => name)).size).toBe(300);
    for (const part of parts) expect(names.filter((row) => row.part === part)).toHaveLength(100);
    expect(names.filter(({ concepts }) => concepts.length === 0).length).toBeGreaterThan(10);
  });

  it('name only concepts that exist and to which such an account may be mapped (taxonomy 4.2)', () => {
    const problems = names.flatMap(({ name, trait, concepts }) =>
      concepts.flatMap((qname) => {
        const element = library.elementByQname(qname);
        if (element === undefined) return [`${name}: ${qname} does not exist`];
        const problem = targetProblem(element, trait, library);
        return problem === undefined ? [] : [`${name}: ${problem.message}`];
      }),
    );
    expect(problems).toEqual([]);
  });
});
