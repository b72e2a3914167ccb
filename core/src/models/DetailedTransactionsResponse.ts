import { Type } from 'typebox';
import { mapOf, model } from '../schema/model.ts';
import enhancedCreditTransactionResponse from './EnhancedCreditTransactionResponse.ts';
import transactionSummaryResponse from './TransactionSummaryResponse.ts';

export default model('DetailedTransactionsResponse', {
  transactions: Type.Array(enhancedCreditTransactionResponse),
  summary: mapOf(transactionSummaryResponse),
  total_count: Type.Integer(),
  filtered_count: Type.Integer(),
  date_range: mapOf(Type.String()),
});
