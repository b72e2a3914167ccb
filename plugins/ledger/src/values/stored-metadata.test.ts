import { describe, expect, it } from 'vitest';
import { metadataOfStored, storedMetadata } from './stored-metadata.ts';

const line = (debit: unknown, credit: unknown, more: object = {}) => ({
  element_id: 'elem_1',
  debit_amount: debit,
  credit_amount: credit,
  ...more,
});

describe('stored metadata', () => {
  it('holds lines of only an account and an amount as a list of both (ledger L-76a)', () => {
    const metadata = { memo: 'Sale', line_items: [line(700, 0), line(0, 700)], posting_date: '2026-03-31' };
    const stored = storedMetadata(metadata);
    expect(stored).toEqual({
      memo: 'Sale',
      posting_date: '2026-03-31',
      dispatch_lines: ['elem_1', 700, 'elem_1', -700],
    });
    expect(metadataOfStored(stored)).toEqual(metadata);
  });

  it('is read with its keys in the order of jsonb, as if it had been stored whole (ledger L-76a)', () => {
    const stored = {
      a: 1,
      '\u00e9': 2,
      status: 'posted',
      description: null,
      posting_date: 'x',
      dispatch_lines: ['e', -5],
    };
    expect(JSON.stringify(metadataOfStored(stored))).toBe(
      '{"a":1,"\u00e9":2,"status":"posted","line_items":[{"element_id":"e","debit_amount":0,"credit_amount":5}],' +
        '"description":null,"posting_date":"x"}',
    );
  });

  it.each([
    ['a further field', [line(1, 0, { description: 'x' })]],
    ['no credit', [{ element_id: 'elem_1', debit_amount: 1, description: 'x' }]],
    ['two fields', [{ element_id: 'elem_1', debit_amount: 1 }]],
    ['both sides', [line(1, 1)]],
    ['no amount', [line(0, 0)]],
    ['a negative amount', [line(-1, 0)]],
    ['a fraction', [line(1.5, 0)]],
    ['an amount that is not exact', [line(2 ** 53, 0)]],
    ['an amount as text', [line('1', 0)]],
    ['an account that is no text', [line(1, 0, { element_id: 7 })]],
    ['one short and one long line', [line(1, 0), line(0, 1, { description: 'x' })]],
    ['no line', []],
    ['a line that is null', [null]],
    ['lines that are no list', { 0: line(1, 0) }],
  ])('holds lines with %s as they were sent (ledger L-76a)', (_, lines) => {
    const metadata = { line_items: lines };
    expect(storedMetadata(metadata)).toBe(metadata);
    expect(metadataOfStored(metadata)).toBe(metadata);
  });

  it('reads the lines that were written last where both forms are stored (ledger L-76a)', () => {
    const lines = [line(1, 0)];
    expect(metadataOfStored({ line_items: lines, dispatch_lines: ['elem_2', 5] })).toEqual({ line_items: lines });
  });
});
