import { openModel } from '../schema/model.ts';

export default openModel('DetailedTransactionsResponseDateRange') /* CHECK additionalProperties {"type": "string"} */;
