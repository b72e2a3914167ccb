import { defineRelationship, sql } from '@pacioli/core';
import type { LedgerLineItem } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Entry } from './Entry.ts';
import { LineItem } from './LineItem.ts';

export const ENTRY_HAS_LINE_ITEM = defineRelationship('ENTRY_HAS_LINE_ITEM', Entry, LineItem, {
  extension: 'ledger',
  rows: ({ tx }) =>
    tx.stream(
      sql<{
        readonly from: LedgerLineItem['entry_id'];
        readonly to: LedgerLineItem['id'];
      }>`SELECT entry_id AS "from", id AS "to" FROM ledger_line_item ORDER BY entry_id, line_order`,
      rowsPerBatch,
    ),
});
