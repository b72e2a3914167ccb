import { describe, expect, it } from 'vitest';
import { readJournal, readReversal } from './journal-metadata.ts';

const line = { element_id: 'elem_1', debit_amount: 5 };
const flat = {
  posting_date: '2026-03-31',
  memo: 'rent',
  line_items: [line, { element_id: 'elem_2', credit_amount: 5, description: 'd' }],
};

describe('the metadata of a journal event', () => {
  it('describes one entry or a list of entries (ledger L-87)', () => {
    const one = readJournal({ ...flat, status: 'posted', transaction_id: 'txn_1', anything: 'kept elsewhere' });
    expect(one).toMatchObject({
      status: 'posted',
      transactionId: 'txn_1',
      entries: [{ postingDate: '2026-03-31', memo: 'rent', type: 'standard' }],
    });
    expect(one.entries[0]?.lines[1]).toEqual({
      externalId: null,
      elementId: 'elem_2',
      debit: 0n,
      credit: 5n,
      description: 'd',
      metadata: null,
    });
    expect(readJournal({ entries: [flat, { ...flat, type: 'closing' }] }).entries.map((entry) => entry.type)).toEqual([
      'standard',
      'closing',
    ]);
    expect(readJournal(flat).status).toBe('draft');
  });

  it.each([
    [{}, 'not both and not neither'],
    [{ ...flat, entries: [flat] }, 'not both and not neither'],
    [{ entries: [] }, 'at least one entry'],
    [{ ...flat, status: 'done' }, 'metadata.status'],
    [{ ...flat, posting_date: '2026-02-30' }, 'metadata.posting_date'],
    [{ ...flat, posting_date: undefined }, 'metadata.posting_date'],
    [{ ...flat, type: 'odd' }, 'metadata.type'],
    [{ ...flat, line_items: 'none' }, 'metadata.line_items: must be a list'],
    [{ ...flat, line_items: [7] }, 'metadata.line_items.0: must be an object'],
    [{ ...flat, publish_to_source: 'yes' }, 'publish_to_source'],
    [{ ...flat, line_items: [{ element_external_id: '12', element_id: 'e', debit_amount: 1 }] }, 'not both'],
  ])('is refused when it is %j', (metadata, message) => {
    expect(() => readJournal(metadata)).toThrow(message);
  });

  it.each([12.5, '1200', true, 9007199254740992, Number.NaN])(
    'is refused when an amount is %j (ledger L-2)',
    (amount) => {
      expect(() => readJournal({ ...flat, line_items: [{ element_id: 'elem_1', debit_amount: amount }] })).toThrow(
        'whole number of minor units',
      );
    },
  );
});

describe('the metadata of a reversal', () => {
  it('requires the id of the entry and defaults to the current date (ledger L-60)', () => {
    expect(readReversal({ entry_id: 'je_1' }, '2026-11-21')).toEqual({
      entryId: 'je_1',
      postingDate: '2026-11-21',
      memo: null,
    });
    expect(() => readReversal({}, '2026-11-21')).toThrow('entry_id');
    expect(() => readReversal({ entry_id: 'je_1', posting_date: 'soon' }, '2026-11-21')).toThrow('posting_date');
  });
});
