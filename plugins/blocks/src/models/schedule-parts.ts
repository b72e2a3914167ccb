import { model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';

export const entryTemplateRequest = model('EntryTemplateRequest', {
  debit_element_id: Type.String(),
  credit_element_id: Type.String(),
  entry_type: Type.Optional(oneOf(['adjusting', 'closing', 'reversing', 'standard'], { default: 'closing' })),
  memo_template: Type.Optional(Type.String({ default: '' })),
  auto_reverse: Type.Optional(Type.Boolean({ default: false })),
});

export const scheduleMetadataRequest = model('ScheduleMetadataRequest', {
  method: Type.Optional(Type.String({ default: 'straight_line' })),
  original_amount: Type.Optional(Type.Integer({ default: 0 })),
  residual_value: Type.Optional(Type.Integer({ default: 0 })),
  useful_life_months: Type.Optional(Type.Integer({ default: 0 })),
  asset_element_id: Type.Optional(nullable(Type.String())),
  periodic_amounts: Type.Optional(nullable(Type.Array(Type.Integer()))),
});

const lineItemMetadataPredicate = model('LineItemMetadataPredicate', {
  values: Type.Array(Type.String()),
  kind: Type.Optional(
    Type.Unsafe<'line_item_metadata_field'>({
      enum: ['line_item_metadata_field'],
      default: 'line_item_metadata_field',
    }),
  ),
  field: Type.Optional(Type.String({ default: 'transaction_description_code' })),
});

export const attributionFilter = model('AttributionFilter', {
  target_qname: Type.String(),
  predicate: lineItemMetadataPredicate,
  target_element_id: Type.Optional(nullable(Type.String())),
});
