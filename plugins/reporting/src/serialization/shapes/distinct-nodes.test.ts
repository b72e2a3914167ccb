import { describe, expect, it } from 'vitest';
import { distinctNodes } from './distinct-nodes.mjs';

const space = 'https://vocab.example.org/report/1/';
const context = {
  fin: 'https://vocab.example.org/fin/v1#',
  r: space,
  id: '@id',
  type: '@type',
  factType: 'fin:factType',
  unit: { '@id': 'fin:unit', '@type': '@id' },
  numericValue: { '@id': 'fin:numericValue', '@type': 'xsd:decimal' },
  stringValue: 'fin:stringValue',
};
const others = [
  { id: `${space}usd`, type: 'fin:Unit' },
  { id: `${space}entity`, type: 'fin:Entity' },
];
const first = {
  id: `${space}first`,
  type: 'fin:Fact',
  factType: 'Numeric',
  unit: `${space}usd`,
  numericValue: '1.50',
};

/** The names of the nodes that remain of the first fact and more nodes. */
function kept(more: readonly object[], contextChange: object = {}): readonly string[] {
  const document = { '@context': { ...context, ...contextChange }, '@graph': [...others, first, ...more] };
  const { '@graph': nodes } = distinctNodes(document) as { readonly '@graph': readonly { readonly id: string }[] };
  return nodes.map(({ id }) => id.split(/[/:]/).at(-1) ?? '');
}

const all = ['usd', 'entity', 'first', 'other'];

describe('distinct-nodes', () => {
  it('keeps one of two facts that differ only in their values', () => {
    const other = { ...first, id: `${space}other`, numericValue: '-20000.25' };
    expect(kept([other])).toEqual(['usd', 'entity', 'first']);
    const texts = [1, 2].map((number) => ({ id: `${space}text${number}`, type: 'fin:Fact', stringValue: `${number}` }));
    expect(kept(texts)).toEqual(['usd', 'entity', 'first', 'text1']);
  });

  it.each([
    ['another code', { factType: 'Number' }],
    ['a value that is no decimal', { numericValue: 'many' }],
    ['a value of another type', { numericValue: 1.5 }],
    ['two values', { numericValue: ['1.5', '2.5'] }],
    ['a text for a value', { numericValue: undefined, stringValue: '1.50' }],
    ['no unit', { unit: undefined }],
    ['a unit that is no unit', { unit: `${space}entity` }],
    ['a unit that is not in the document', { unit: `${space}eur` }],
    ['a property of its own', { status: 'draft' }],
    ['another class besides', { type: ['fin:Fact', 'fin:Period'] }],
    ['an id that is no address', { id: 'https://vocab.example.org/report 1/other' }],
  ])('keeps a fact with %s', (_what, change) => {
    const fact = Object.entries({ ...first, id: `${space}other`, ...change }).filter(
      ([, value]) => value !== undefined,
    );
    expect(kept([Object.fromEntries(fact)])).toEqual(all);
  });

  it('keeps facts that other nodes of the document say more about', () => {
    const other = { ...first, id: `${space}other` };
    expect(kept([other, { id: 'r:other', type: 'fin:Fact' }])).toEqual([...all, 'other']);
    expect(kept([other, { id: `${space}box`, type: 'fin:Box', inside: { ...other } }])).toEqual([...all, 'box']);
    expect(kept([other], { inside: { '@reverse': 'fin:part' } })).toEqual(all);
  });
});
