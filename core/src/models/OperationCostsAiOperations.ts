import { openModel } from '../schema/model.ts';

export default openModel('OperationCostsAiOperations') /* CHECK additionalProperties {"type": "number"} */;
