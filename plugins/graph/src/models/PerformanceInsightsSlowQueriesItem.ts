import { openModel } from '@pacioli/core';

export default openModel('PerformanceInsightsSlowQueriesItem');
