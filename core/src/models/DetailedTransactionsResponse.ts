import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import detailedTransactionsResponseDateRange from './DetailedTransactionsResponseDateRange.ts';
import detailedTransactionsResponseSummary from './DetailedTransactionsResponseSummary.ts';
import enhancedCreditTransactionResponse from './EnhancedCreditTransactionResponse.ts';

export default model('DetailedTransactionsResponse', {
  transactions: Type.Array(enhancedCreditTransactionResponse),
  summary: detailedTransactionsResponseSummary,
  total_count: Type.Integer(),
  filtered_count: Type.Integer(),
  date_range: detailedTransactionsResponseDateRange,
});
