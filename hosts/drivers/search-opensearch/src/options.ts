export interface OpenSearchOptions {
  /** The address of the cluster, such as `https://search.example.com:9200`, without user or password. */
  readonly url: string;
  readonly credentials?: { readonly user: string; readonly password: string };
  /** The names of all indexes begin with it; deployments that share a cluster have different ones. */
  readonly prefix?: string;
  /** For one request; those that were not answered are repeated twice. */
  readonly timeoutMs?: number;
}

export const standardPrefix = 'pacioli-';
export const standardTimeoutMs = 30_000;
export const maxRetries = 2;
/** Of one vector: each has a field, and a cluster has a limit of fields. */
export const maxDimensions = 4096;
