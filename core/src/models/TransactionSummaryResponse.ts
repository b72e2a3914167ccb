import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('TransactionSummaryResponse', {
  operation_type: Type.String(),
  total_amount: Type.Number(),
  transaction_count: Type.Integer(),
  average_amount: Type.Number(),
  first_transaction: Type.Optional(nullable(Type.String())),
  last_transaction: Type.Optional(nullable(Type.String())),
});
