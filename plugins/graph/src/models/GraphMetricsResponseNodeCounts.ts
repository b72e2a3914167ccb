import { openModel } from '@pacioli/core';

export default openModel('GraphMetricsResponseNodeCounts') /* CHECK additionalProperties {"type": "integer"} */;
