import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import backupLimits from './BackupLimits.ts';
import contentLimits from './ContentLimits.ts';
import copyOperationLimits from './CopyOperationLimits.ts';
import creditLimits from './CreditLimits.ts';
import documentLimits from './DocumentLimits.ts';
import instanceUsage from './InstanceUsage.ts';
import queryLimits from './QueryLimits.ts';
import rateLimits from './RateLimits.ts';
import storageLimits from './StorageLimits.ts';
import subgraphLimits from './SubgraphLimits.ts';

export default model('GraphLimitsResponse', {
  graph_id: Type.String(),
  subscription_tier: Type.String(),
  graph_tier: Type.String(),
  is_shared_repository: Type.Boolean(),
  storage: storageLimits,
  queries: queryLimits,
  copy_operations: copyOperationLimits,
  backups: backupLimits,
  rate_limits: rateLimits,
  credits: Type.Optional(nullable(creditLimits)),
  documents: Type.Optional(nullable(documentLimits)),
  subgraphs: Type.Optional(nullable(subgraphLimits)),
  content: Type.Optional(nullable(contentLimits)),
  instance: Type.Optional(nullable(instanceUsage)),
});
