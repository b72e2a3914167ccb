import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
  maxRows: 10_000,
  parameters: { n: 5_000_000 },
  writes: { refusal: 'Graphs are read-only here.' },
};
const gate = (statement: string): string => {
  const verdict = gateStatement(statement, options);
  return verdict.isAllowed ? 'allowed' : verdict.refusal.kind;
};

describe('the Cypher gate', () => {
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

  it('does not treat string data as code, however long it is', () => {
    expect(gate(`RETURN '${'DELETE '.repeat(10_000)}' AS text`)).toBe('allowed');
    expect(gate(`RETURN '${'x'.repeat(100_000)}' AS text`)).toBe('not-analyzed');
  });
});
