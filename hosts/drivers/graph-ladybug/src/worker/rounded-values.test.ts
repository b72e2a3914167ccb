import { describe, expect, it } from 'vitest';
import { hasFraction, roundedValue } from './rounded-values.ts';

const properties = new Map([
  [
    'Node',
    new Map([
      ['id', 'INT64'],
      ['price', 'DECIMAL(9, 2)'],
      ['share', 'DOUBLE'],
      ['my count', 'UINT8'],
    ]),
  ],
]);
const check = (text: string, isWrite: boolean, parameters: Readonly<Record<string, unknown>> = {}) =>
  hasFraction(text, parameters) ? roundedValue(text, parameters, { properties, isWrite })?.property : undefined;

describe('values that a property would round', () => {
  it.each([
    ['MATCH (n:Node {id: 2.4}) RETURN n', false, {}, 'id'],
    ['MATCH (n:Node {share: 0.5, id: $k}) RETURN n', false, { k: 0.6 }, 'id'],
    ['MATCH (n:Node {`my count`: 1e-1}) RETURN n', false, {}, 'my count'],
    ['MATCH (n:Node) SET n.price = $p', true, { p: 1.239 }, 'price'],
    ['CREATE (:Node {id: 1, price: -1.005})', true, {}, 'price'],
    ['CREATE (:Node {id: 1, price: 1e-3})', true, {}, 'price'],
  ] as const)('are found in %s (graphs T-6)', (text, isWrite, parameters, property) => {
    expect(check(text, isWrite, parameters)).toBe(property);
  });

  it.each([
    ['MATCH (n:Node) WHERE n.id = 2.4 RETURN n', false, {}],
    ['MATCH (n:Node {share: $s}) RETURN n', false, { s: 0.1 }],
    ['CREATE (:Node {id: 2.0, price: 1.25, share: 1.239})', true, {}],
    ['MATCH (n:Node {id: $k}) RETURN "{id: 2.4}"', false, { k: 2, unused: 2.4 }],
    ['MATCH (n:Node {id: $k}) RETURN 0.5', false, { k: '2.4' }],
  ] as const)('are none in %s', (text, isWrite, parameters) => {
    expect(check(text, isWrite, parameters)).toBeUndefined();
  });
});
