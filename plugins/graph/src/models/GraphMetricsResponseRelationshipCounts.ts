import { openModel } from '@pacioli/core';

export default openModel('GraphMetricsResponseRelationshipCounts') /* CHECK additionalProperties {"type": "integer"} */;
