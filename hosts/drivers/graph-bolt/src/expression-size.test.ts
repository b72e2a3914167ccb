import { isGraphStoreError, type QueryParameters } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { boltStatement } from './statement.ts';

function failureOf(text: string, parameters: QueryParameters = {}): string {
  try {
    boltStatement(text, [], parameters);
  } catch (error) {
    if (isGraphStoreError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('the size of what one expression builds (graphs E-38)', () => {
  it.each([
    'RETURN size([x IN range(1, 1000000) | toString(x)]) AS s',
    'RETURN [x IN range(1, 1000) | [y IN range(1, 1000) | x * y]] AS s',
    'MATCH p = (a)-[*1..3]->(b) RETURN [r IN relationships(p) | reduce(s = 0, x IN r.parts | s + x)] AS s',
    'WITH 5000000 AS n UNWIND range(1, n) AS x RETURN count(x) AS s',
    'WITH [1, 2] AS l UNWIND range(0, size(l) - 1) AS i RETURN l[i] AS x',
    'WITH [1, 2] AS l RETURN [i IN range(0, size(l) - 1) | l[i]] AS x',
    'MATCH (a) WITH collect(a.d) AS l RETURN [i IN range(0, size(l) - 1) | [x IN l | x - l[i]]] AS s',
    'MATCH (a) WITH collect(a.d) AS l RETURN [i IN range(0,size(l)-1) | reduce(s=0.0, x IN l[0..i+1] | s+x)] AS s',
    'MATCH (a) WITH collect({v: [a.d]}) AS g RETURN [q IN g | {s: reduce(s=0, x IN q.v|s+x), n: size([x IN q.v|x])}] AS s',
    'RETURN reduce(most = 0, x IN [1, 2] | CASE WHEN most + x > most THEN most + x ELSE most END) AS most',
    "RETURN reduce(text = '', x IN range(1, 1000) | text + ',' + x) AS text",
    "RETURN reduce(text = 'ab', x IN range(1, 20) | text + text) AS text",
    "RETURN '[x IN range(1, n) | x]' AS text, [1 IN [1, 2], 3] AS list",
  ])('is bounded in %s', (text) => {
    expect(failureOf(text)).toBe('accepted');
  });

  it.each([
    'RETURN size([x IN range(1, 1000000) | [y IN range(1, 100) | toString(y * x)]]) AS s',
    'RETURN size([x IN range(1, 1000000) WHERE any(y IN range(1, 100) WHERE y = x)]) AS s',
    'RETURN [x IN range(1, 1000) | reduce(s = 0, y IN range(1, 10000) | s + y)] AS s',
    'RETURN toStringList(range(1, 6000000)) AS s',
    'WITH range(1, 100000) AS l RETURN [x IN l | [y IN l | x * y]] AS s',
    'UNWIND range(1, 10000) AS i WITH collect(i) AS l RETURN [x IN l | [y IN l | x * y]] AS s',
    'RETURN {s:reduce(s = 0, x IN range(1, 10000) | s + size([y IN range(1, 1000) | x]))} AS s',
    'WITH [1] AS l RETURN [x IN l | [y IN l | [z IN l | x * y * z]]] AS s',
  ])('is beyond the limit in %s', (text) => {
    expect(failureOf(text)).toMatch(/^runtime: The lists of one expression may have at most 5000000 elements together/);
  });

  it('counts the lists of parameters', () => {
    const text = 'RETURN [x IN $list | [y IN $list | x * y]] AS s';
    expect(failureOf(text, { list: Array(1_000).fill(1) })).toBe('accepted');
    const handedOn = 'WITH $list AS l RETURN [x IN l | [y IN l | x * y]] AS s';
    expect(failureOf(handedOn, { list: Array(8_000).fill(1) })).toMatch(/^runtime: The lists/);
    expect(failureOf(text, { list: Array(3_000).fill(1) })).toMatch(/^runtime: The lists/);
    expect(failureOf('RETURN [x IN range(1, $n) | x] AS s', { n: 6_000_000 })).toMatch(/^runtime: The lists/);
  });

  it.each([
    'WITH 50000000 AS n RETURN size([x IN range(1, n) | toString(x)]) AS s',
    'WITH 50000000 AS n WITH range(1, n) AS l RETURN size([x IN l | toString(x)]) AS s',
    'WITH 50000000 AS n RETURN -1 IN range(1, n) AS s',
    'WITH 50000000 AS n RETURN reduce(s = 0, x IN range(1, n * 2) | s + x) AS s',
  ])('refuses a range whose size is not known, in %s', (text) => {
    expect(failureOf(text)).toMatch(/^runtime: The bounds of range\(\) are whole numbers, parameters, or/);
  });

  it.each([
    "RETURN size(reduce(s = 'ab', i IN range(1, 40) | s + s)) AS x",
    'RETURN size(reduce(l = [1], i IN range(1, 40) | (l) + l)) AS x',
    "RETURN size(reduce(s = 'ab', i IN range(1, 40) | s + 'x' + s)) AS x",
  ])('refuses a text or list that doubles, in %s', (text) => {
    expect(failureOf(text)).toBe(
      'runtime: reduce() may add its result to itself only if it is a number: a text or list would double.',
    );
  });
});
