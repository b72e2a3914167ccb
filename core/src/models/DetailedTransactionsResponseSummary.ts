import { mapModel } from '../schema/model.ts';
import transactionSummaryResponse from './TransactionSummaryResponse.ts';

export default mapModel('DetailedTransactionsResponseSummary', transactionSummaryResponse);
