import { kernelCategories, requestsPerMinute, type TierNumbers, type TypeOf } from '@pacioli/core';
import { maxJsonRows, maxQueriesPerUser } from '../cypher/index.ts';
import type graphLimitsResponse from '../models/GraphLimitsResponse.ts';
import { isApproaching, knownGigabytes, type StoredBytes, storageStatus } from './storage-status.ts';

type GraphLimits = TypeOf<typeof graphLimitsResponse>;

/** The usage measured for the limits of a graph. */
export interface LimitFacts {
  readonly graphId: string;
  readonly tier: TierNumbers;
  /** True for a shared repository, which has no owner whose usage could be counted. */
  readonly isShared: boolean;
  /** Undefined for a subgraph, which cannot have subgraphs. */
  readonly subgraphs: number | undefined;
  /** Undefined where no plugin stores documents. */
  readonly documents: number | undefined;
  readonly storage: StoredBytes;
  readonly credits: { readonly monthly_allocation: number; readonly current_balance: number } | undefined;
}

/** The formats that imports accept (graphs H-20). */
const supportedFormats = ['parquet', 'csv', 'json'];

/** All limits of a graph, from the table of tiers and the rate limiter (platform T-5). */
export function graphLimits(facts: LimitFacts): GraphLimits {
  const { tier, isShared, storage } = facts;
  const durableGb = knownGigabytes(storage.durableBytes);
  const graphReads = kernelCategories.get('graph_read');
  const perMinute = graphReads === undefined ? 0 : requestsPerMinute(graphReads, tier.tier);
  return {
    graph_id: facts.graphId,
    subscription_tier: tier.tier,
    graph_tier: tier.tier,
    is_shared_repository: isShared,
    storage: {
      max_storage_gb: tier.maxStorageGb ?? -1,
      approaching_limit: !isShared && isApproaching(durableGb, tier.maxStorageGb),
      current_usage_gb: isShared ? null : knownGigabytes(storage.total_bytes),
    },
    queries: {
      max_timeout_seconds: tier.query.maxSeconds,
      chunk_size: tier.query.streamChunkRows,
      max_rows_per_query: maxJsonRows,
      concurrent_queries: maxQueriesPerUser,
    },
    copy_operations: {
      max_file_size_gb: tier.import.maxFileGb,
      timeout_seconds: tier.import.maxSeconds,
      concurrent_operations: tier.import.maxParallel,
      max_files_per_operation: tier.import.maxFiles,
      daily_copy_operations: tier.import.maxPerDay,
      supported_formats: supportedFormats,
    },
    backups: {
      max_backup_size_gb: tier.backup.maxSizeGb,
      backup_retention_days: tier.backup.retention_days,
      max_backups_per_day: tier.backup.maxPerDay,
    },
    // The limiter uses a sliding minute and allows no bursts beyond it (graphs H-21).
    rate_limits: {
      requests_per_minute: perMinute,
      requests_per_hour: perMinute * 60,
      burst_capacity: perMinute,
    },
    ...ownLimits(facts, durableGb),
  };
}

/** The limits that apply only to customers’ graphs. */
function ownLimits(
  { graphId, tier, isShared, storage, credits, subgraphs, documents }: LimitFacts,
  durableGb: number | null,
): Pick<GraphLimits, 'content' | 'credits' | 'documents' | 'instance' | 'subgraphs'> {
  if (isShared) return { credits: null, documents: null, subgraphs: null, content: null, instance: null };
  const capGb = tier.maxStorageGb;
  const most = tier.maxSubgraphs < 0 ? null : tier.maxSubgraphs;
  return {
    credits:
      credits === undefined
        ? null
        : {
            monthly_ai_credits: Math.floor(credits.monthly_allocation),
            current_balance: Math.floor(credits.current_balance),
          },
    documents:
      documents === undefined
        ? null
        : {
            current_count: documents,
            approaching_limit: isApproaching(documents, tier.maxDocuments),
            max_documents: tier.maxDocuments,
          },
    subgraphs:
      subgraphs === undefined
        ? null
        : {
            current_count: subgraphs,
            approaching_limit: isApproaching(subgraphs, most),
            max_allowed: most,
            remaining: most === null ? null : Math.max(0, most - subgraphs),
          },
    content: tier.rows && {
      max_rows_per_copy: tier.rows.maxPerCopy,
      max_single_table_rows: tier.rows.maxPerTable,
      chunk_size_rows: tier.rows.per_chunk,
    },
    instance:
      capGb === null
        ? null
        : {
            limit_gb: capGb,
            status: storageStatus(durableGb, capGb),
            node_count: null,
            total_storage_gb: knownGigabytes(storage.total_bytes),
            usage_percentage: durableGb === null ? null : Math.round((durableGb / capGb) * 10_000) / 100,
            databases:
              storage.total_bytes === null
                ? []
                : [{ graph_id: graphId, is_parent: true, size_mb: storage.total_bytes / 1024 ** 2 }],
            items: [...storage.items],
          },
  };
}
