import { describe, expect, it } from 'vitest';
import { amountText, unitFor } from './amounts.ts';

describe('unitFor', () => {
  it.each([
    [['9999999.99', '-5'], 0],
    [['10000000'], 3],
    [['-10000000.01'], 3],
    [['9999999999.99'], 3],
    [['1', '10000000000'], 6],
    [[], 0],
  ])('shows the amounts %j in units of 10^%i (reporting G-7a)', (values, digits) => {
    expect(unitFor(values).digits).toBe(digits);
  });
});

describe('amountText', () => {
  it.each([
    ['1234567.50', 0, '1,234,567.50'],
    ['-12.00', 0, '(12.00)'],
    ['0', 0, '0'],
    ['12345678.90', 3, '12,346'],
    ['499.99', 3, '0'],
    ['500', 3, '1'],
    ['-500.00', 3, '(1)'],
    ['-499', 3, '0'],
    ['98765432109876543210.99', 6, '98,765,432,109,877'],
  ] as const)('writes %s in units of 10^%i as %s (reporting G-7a)', (value, digits, text) => {
    expect(amountText(value, { digits, prefix: '' })).toBe(text);
  });
});
