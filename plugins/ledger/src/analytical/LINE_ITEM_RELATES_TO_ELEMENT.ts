import { defineRelationship, sql } from '@pacioli/core';
import { Element } from '@pacioli/taxonomy';
import type { LedgerLineItem } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { LineItem } from './LineItem.ts';

export const LINE_ITEM_RELATES_TO_ELEMENT = defineRelationship('LINE_ITEM_RELATES_TO_ELEMENT', LineItem, Element, {
  extension: 'ledger',
  rows: ({ tx }) =>
    tx.stream(
      sql<{
        readonly from: LedgerLineItem['id'];
        readonly to: LedgerLineItem['element_id'];
      }>`SELECT id AS "from", element_id AS "to" FROM ledger_line_item ORDER BY entry_id, line_order`,
      rowsPerBatch,
    ),
});
