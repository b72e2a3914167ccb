import { expect, it } from 'vitest';
import { StatementNames } from './statement-names.ts';

it('gives a statement the same name from its third use on', () => {
  const names = new StatementNames();
  expect([1, 2, 3, 4].map(() => names.nameOf('SELECT 1'))).toEqual([undefined, undefined, 'p1_0', 'p1_0']);
});

it('assigns at most 200 names', () => {
  const names = new StatementNames();
  const given = Array.from({ length: 201 }, (_, n) => [1, 2, 3].map(() => names.nameOf(`SELECT ${n}`))[2]);
  expect(new Set(given.slice(0, 200)).size).toBe(200);
  expect(given[200]).toBeUndefined();
});

it('assigns new names after migrations', () => {
  const names = new StatementNames();
  const third = (): string | undefined => [1, 2, 3].map(() => names.nameOf('SELECT 1'))[2];
  const before = third();
  names.forget();
  expect(third()).not.toBe(before);
});
