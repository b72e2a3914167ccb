import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disguised, disguises } from '../../test/statement-disguises.ts';
import { type GateOptions, gateStatement } from './cypher-gate.ts';

interface Attack {
  readonly kind: string;
  readonly statement: string;
}

function fixture<T>(name: string): readonly T[] {
  const text = readFileSync(new URL(`./fixtures/cypher-gate/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text) as readonly T[]; // Our own file; its README describes the format.
}

const options: GateOptions = {
  readProcedures: ['show_tables', 'table_info'],
  functionNamespaces: ['duration'],
  maxRows: 10_000,
  parameters: { n: 5_000_000 },
  writes: { refusal: 'Graphs are read-only here.' },
};
const gate = (statement: string): string => {
  const verdict = gateStatement(statement, options);
  return verdict.isAllowed ? 'allowed' : verdict.refusal.kind;
};

describe('the Cypher gate', () => {
  it('refuses attacks in every disguise (graphs 9.2)', () => {
    const attacks = fc.constantFrom(...fixture<Attack>('attacks').map(({ statement }) => statement));
    fc.assert(
      fc.property(attacks, disguises, (statement, marks) => {
        expect(gate(disguised(statement, marks))).not.toBe('allowed');
      }),
      { numRuns: 3_000 },
    );
  });

  it('refuses attacks that are hidden behind a read or a comment (graphs 9.2)', () => {
    const words = ['write', 'bulk', 'administration', 'schema'];
    const attacks = fixture<Attack>('attacks').filter(({ kind }) => words.includes(kind));
    const reads = fc.constantFrom('MATCH (n) RETURN n; ', 'RETURN 1 AS x;\n', '/* read */ ', '// read\n', '\n\t ');
    const any = fc.constantFrom(...attacks.map(({ statement }) => statement));
    fc.assert(
      fc.property(reads, any, (read, attack) => {
        expect(gate(`${read}${attack}`)).not.toBe('allowed');
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(fixture<Attack>('attacks'))('refuses as $kind (graphs Q-10 to Q-18): $statement', ({ kind, statement }) => {
    expect(gate(statement)).toBe(kind);
  });

  it.each(fixture<string>('legitimate'))('accepts a read (graphs Q-19): %s', (statement) => {
    expect(gate(statement)).toBe('allowed');
  });

  it('requests one row more than it delivers, only if the last RETURN has no limit (graphs E-13)', () => {
    const statementOf = (text: string): string => {
      const verdict = gateStatement(text, { ...options, maxRows: 10 });
      return verdict.isAllowed ? verdict.statement : verdict.refusal.message;
    };
    expect(statementOf('MATCH (n) RETURN n; // all')).toBe('MATCH (n) RETURN n\nLIMIT 11');
    expect(statementOf('MATCH (n) RETURN n // all')).toBe('MATCH (n) RETURN n // all\nLIMIT 11');
    expect(statementOf('MATCH (n) RETURN n LIMIT 3')).toBe('MATCH (n) RETURN n LIMIT 3');
    expect(statementOf('MATCH (n) WITH n LIMIT 3 RETURN n')).toBe('MATCH (n) WITH n LIMIT 3 RETURN n\nLIMIT 11');
    expect(statementOf('RETURN 1 AS x UNION RETURN 2 AS x')).toBe('RETURN 1 AS x UNION RETURN 2 AS x');
  });

  it('allows functions of the namespaces of the engine, and of no other (graphs E-5)', () => {
    expect(gate("RETURN duration.between(date('2026-01-01'), date('2026-02-01')) AS d")).toBe('allowed');
    expect(gate('RETURN duration . between (1, 2) AS d, n.name AS name, size(n.`a.b`) AS s')).toBe('allowed');
    expect(gate("RETURN apoc.util.md5(['x']) AS d")).toBe('write');
    expect(gate("RETURN `apoc` . `util`.md5(['x']) AS d")).toBe('write');
  });

  it('does not treat string data as code, however long it is', () => {
    expect(gate(`RETURN '${'DELETE '.repeat(10_000)}' AS text`)).toBe('allowed');
    expect(gate(`RETURN '${'x'.repeat(100_000)}' AS text`)).toBe('not-analyzed');
  });
});
