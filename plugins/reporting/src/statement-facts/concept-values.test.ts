import { describe, expect, it } from 'vitest';
import { shippedStyle } from '../../test/shipped-statements.ts';
import { ConceptValues } from './concept-values.ts';

const { incomeStatement, balanceSheet, cashFlowStatement, equityStatement } = shippedStyle('BSC-PART-IS02-CF1');
const depreciation = 'rs-gaap:DepreciationDepletionAndAmortization';
const netIncome = 'rs-gaap:ProfitLoss';
const capital = 'rs-gaap:PartnersCapital';

describe('ConceptValues', () => {
  it('keeps the value of the first statement and names a different one of a later statement (reporting F-7)', () => {
    const values = new ConceptValues(2);
    const income = [new Map([[depreciation, 900n]]), new Map([[depreciation, 700n]])];
    expect(values.add(incomeStatement, income)).toEqual([]);
    const cashFlow = [new Map([[depreciation, 900n]]), new Map([[depreciation, 600n]])];
    const conflict = { column: 1, qname: depreciation, own: 600n, known: 700n };
    expect(values.add(cashFlowStatement, cashFlow)).toEqual([conflict]);
    expect(values.get(1, depreciation)).toBe(700n);
  });

  it('finds a flow that the later statement lacks, or that the earlier one lacks (reporting F-7)', () => {
    const lacking = new ConceptValues(1);
    lacking.add(incomeStatement, [new Map([[depreciation, 900n]])]);
    expect(lacking.add(cashFlowStatement, [new Map()])).toEqual([
      { column: 0, qname: depreciation, own: 0n, known: 900n },
    ]);
    const added = new ConceptValues(1);
    added.add(incomeStatement, [new Map()]);
    expect(added.add(cashFlowStatement, [new Map([[depreciation, 900n]])])).toEqual([
      { column: 0, qname: depreciation, own: 900n, known: 0n },
    ]);
  });

  it('adds no zero to a line that an earlier statement leaves empty, and needs no balance twice (reporting S-26)', () => {
    const values = new ConceptValues(1);
    values.add(incomeStatement, [new Map()]);
    values.add(balanceSheet, [new Map([[capital, 500n]])]);
    expect(values.add(equityStatement, [new Map([[netIncome, 0n]])])).toEqual([]);
    expect(values.get(0, netIncome)).toBeUndefined();
    expect(values.get(0, capital)).toBe(500n);
  });
});
