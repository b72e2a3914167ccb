import { maskStatement } from '@pacioli/core/ports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameColumns } from './return-clause.ts';

describe('return-clause', () => {
  it.each([
    ['MATCH (n) RETURN n.name', ['n.name']],
    ['MATCH (n) RETURN n.name AS a, count(*) ORDER BY a LIMIT 3', ['a', 'count(*)']],
    ['MATCH (n) RETURN DISTINCT n.a, n.a', ['n.a', 'n.a_2']],
    ["RETURN 'a, b' AS x, [1, 2] AS y, {k: 1, l: 2}", ['x', 'y', '{k: 1, l: 2}']],
    ['MATCH (n) WHERE EXISTS { MATCH (n) RETURN 1 } RETURN n /* the node */', ['n']],
    ['MATCH (n) RETURN n.`return` AS `my name`', ['my name']],
    ['RETURN 1 AS `a``b`, 2 AS ````, 3 AS `a``b`', ['a`b', '`', 'a`b_2']],
    ['RETURN 1 AS limit_of, n.limit SKIP 2', ['limit_of', 'n.limit']],
  ])('names the columns of %s by alias or source text (graphs Q-40)', (statement, names) => {
    expect(nameColumns(statement).names).toEqual(names);
  });

  it.each(['MATCH (n) RETURN *', 'RETURN 1 AS x UNION RETURN 2 AS x', 'CALL show_tables()'])(
    'leaves %s unchanged, because its columns cannot be told for certain',
    (statement) => {
      expect(nameColumns(statement)).toMatchObject({ text: statement, names: undefined });
    },
  );

  it('keeps the quotes of a name with a backtick, so that it can be ordered by', () => {
    const text = 'RETURN 1 AS `a``b` ORDER BY `a``b`';
    expect(nameColumns(text)).toMatchObject({ text, names: ['a`b'] });
  });

  it('casts only the requested columns to text', () => {
    const named = nameColumns('MATCH (n) RETURN n.a AS a, sum(n.b) ORDER BY a');
    expect(named.withText([1])).toBe('MATCH (n) RETURN n.a AS `a`, CAST(sum(n.b) AS STRING) AS `sum(n.b)` ORDER BY a');
  });
});

describe('mask of literals and comments', () => {
  it('keeps the length of every statement whose literals are closed (graphs 9.2)', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { text: masked, complete } = maskStatement(text);
        expect(complete ? masked.length : text.length).toBe(text.length);
      }),
    );
  });

  it('masks every character of a literal, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string(), (content) => {
        const quoted = `'${content.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
        expect(maskStatement(`RETURN ${quoted} AS x`)).toEqual({
          text: `RETURN ${"'".repeat(quoted.length)} AS x`,
          complete: true,
        });
      }),
    );
  });
});
