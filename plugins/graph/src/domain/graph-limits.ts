import { gigabytes, kernelCategories, requestsPerMinute, type TierNumbers, type TypeOf } from '@pacioli/core';
import type graphLimitsResponse from '../models/GraphLimitsResponse.ts';
import { json_rows_max } from './answer-form.ts';
import { isApproaching, type StoredBytes, storageStatus } from './storage-status.ts';

type GraphLimits = TypeOf<typeof graphLimitsResponse>;

/** What was counted and measured for the limits of a graph. */
export interface LimitFacts {
  readonly graphId: string;
  readonly tier: TierNumbers;
  /** A shared repository has no owner whose use could be counted. */
  readonly isShared: boolean;
  /** Undefined for a subgraph, which has none of its own. */
  readonly subgraphs: number | undefined;
  readonly statementsPerGraph_max: number;
  readonly storage: StoredBytes;
  readonly credits: { readonly monthly_allocation: number; readonly current_balance: number } | undefined;
}

/** Formats that imports take (graphs H-20). */
const supported_formats = ['parquet', 'csv', 'json'];

/** Every limit of a graph from the one table of tiers and the limiter's own (platform T-5). */
export function graphLimits(facts: LimitFacts): GraphLimits {
  const { tier, isShared, storage } = facts;
  const durable_gb = gigabytes(storage.durable_bytes);
  const graphReads = kernelCategories.get('graph_read');
  const perMinute = graphReads === undefined ? 0 : requestsPerMinute(graphReads, tier.tier);
  return {
    graph_id: facts.graphId,
    subscription_tier: tier.tier,
    graph_tier: tier.tier,
    is_shared_repository: isShared,
    storage: {
      max_storage_gb: tier.storage_gb_max ?? -1,
      approaching_limit: !isShared && isApproaching(durable_gb, tier.storage_gb_max),
      current_usage_gb: isShared ? null : gigabytes(storage.total_bytes),
    },
    queries: {
      max_timeout_seconds: tier.query.seconds_max,
      chunk_size: tier.query.stream_chunk_rows,
      max_rows_per_query: json_rows_max,
      concurrent_queries: facts.statementsPerGraph_max,
    },
    copy_operations: {
      max_file_size_gb: tier.import.file_gb_max,
      timeout_seconds: tier.import.seconds_max,
      concurrent_operations: tier.import.parallel_max,
      max_files_per_operation: tier.import.files_max,
      daily_copy_operations: tier.import.per_day_max,
      supported_formats,
    },
    backups: {
      max_backup_size_gb: tier.backup.size_gb_max,
      backup_retention_days: tier.backup.retention_days,
      max_backups_per_day: tier.backup.per_day_max,
    },
    // The limiter counts in a sliding minute and allows no bursts above it (graphs H-21).
    rate_limits: {
      requests_per_minute: perMinute,
      requests_per_hour: perMinute * 60,
      burst_capacity: perMinute,
    },
    ...ownLimits(facts, durable_gb),
  };
}

/** The limits that only graphs of customers have. */
function ownLimits(
  { graphId, tier, isShared, storage, credits, subgraphs }: LimitFacts,
  durable_gb: number,
): Pick<GraphLimits, 'content' | 'credits' | 'documents' | 'instance' | 'subgraphs'> {
  if (isShared) return { credits: null, documents: null, subgraphs: null, content: null, instance: null };
  const cap_gb = tier.storage_gb_max;
  const most = tier.subgraphs_max < 0 ? null : tier.subgraphs_max;
  return {
    credits:
      credits === undefined
        ? null
        : {
            monthly_ai_credits: Math.floor(credits.monthly_allocation),
            current_balance: Math.floor(credits.current_balance),
          },
    // No loaded plugin keeps documents.
    documents: { current_count: 0, approaching_limit: false, max_documents: tier.documents_max },
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
      max_rows_per_copy: tier.rows.per_copy_max,
      max_single_table_rows: tier.rows.per_table_max,
      chunk_size_rows: tier.rows.per_chunk,
    },
    instance:
      cap_gb === null
        ? null
        : {
            limit_gb: cap_gb,
            status: storageStatus(durable_gb, cap_gb),
            node_count: null,
            total_storage_gb: gigabytes(storage.total_bytes),
            usage_percentage: Math.round((durable_gb / cap_gb) * 10_000) / 100,
            databases: [{ graph_id: graphId, is_parent: true, size_mb: storage.total_bytes / 1024 ** 2 }],
            items: [...storage.items],
          },
  };
}
