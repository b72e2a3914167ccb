import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowObject, rowWriter, toJson } from './json-values.ts';

describe('json-values (graphs Q-45)', () => {
  it.each([
    [2n ** 53n + 1n, '9007199254740993'],
    [3n, 3],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [{ valueKind: 'decimal', text: '12.50' } as const, '12.50'],
    [{ valueKind: 'date', text: '2026-01-31' } as const, '2026-01-31'],
    [new Uint8Array([1, 2, 255]), 'AQL/'],
    [{ valueKind: 'map', entries: [['a', 1n]] } as const, { a: 1 }],
    [{ valueKind: 'map', entries: [[1, 'a']] } as const, [{ key: 1, value: 'a' }]],
    [
      {
        valueKind: 'relationship',
        id: '3:1',
        label: 'OWNS',
        source: '0:1',
        target: '0:2',
        properties: { share: 0.5 },
      } as const,
      { share: 0.5, _label: 'OWNS', _id: '3:1', _src: '0:1', _dst: '0:2' },
    ],
    [{ valueKind: 'path', nodes: [], relationships: [] } as const, { _nodes: [], _rels: [] }],
  ])('writes value %# as in the table', (value, json) => {
    expect(toJson(value)).toEqual(json);
  });

  it('writes the same row as text and as an object, for arbitrary names and values', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.bigInt(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string(), value), { selector: ([name]) => name, minLength: 1 }),
        (cells) => {
          const columns = cells.map(([name]) => name);
          const row = cells.map(([, content]) => content);
          fc.pre(!columns.includes('__proto__'));
          expect(JSON.parse(rowWriter(columns)(row))).toEqual(JSON.parse(JSON.stringify(rowObject(columns, row))));
        },
      ),
    );
  });
});
