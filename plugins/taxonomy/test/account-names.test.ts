import { describe, expect, it } from 'vitest';
import { targetProblem } from '../src/checks/check-arcs.ts';
import { parts, readAccountNames } from './account-names.ts';
import { library } from './taxonomy-store.ts';

describe('labeled account names', () => {
  const names = readAccountNames();

  it('contains three hundred distinct names in three parts, some of them without an answer', () => {
    expect(new Set(names.map(({ name }) => name)).size).toBe(300);
    for (const part of parts) expect(names.filter((row) => row.part === part)).toHaveLength(100);
    expect(names.filter(({ concepts }) => concepts.length === 0).length).toBeGreaterThan(10);
  });

  it('contains only existing concepts that such an account may be mapped to (taxonomy 4.2)', () => {
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
