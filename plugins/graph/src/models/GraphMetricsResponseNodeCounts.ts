import { mapModel } from '@pacioli/core';
import { Type } from 'typebox';

export default mapModel('GraphMetricsResponseNodeCounts', Type.Integer());
