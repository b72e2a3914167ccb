import { openModel } from '../schema/model.ts';

export default openModel(
  'DetailedTransactionsResponseSummary',
) /* CHECK additionalProperties {"$ref": "#/components/schemas/TransactionSummaryResponse"} */;
