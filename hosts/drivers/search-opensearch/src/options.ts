export interface OpenSearchOptions {
  /** The address of the cluster, such as `https://search.example.com:9200`, without user or password. */
  readonly url: string;
  readonly credentials?: { readonly user: string; readonly password: string };
  /** The names of all indexes begin with it; deployments that share a cluster have different ones. */
  readonly prefix?: string;
  /** The time limit of one request, by default 30 seconds; a request without an answer is repeated twice. */
  readonly timeoutMs?: number;
}

export const standardPrefix = 'pacioli-';
export const standardTimeoutMs = 30_000;
export const maxRetries = 2;
/** The most dimensions of a vector: each has a field, and an index has a limit of fields. */
export const maxDimensions = 4096;
