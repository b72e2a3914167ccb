/** The format of a result and its limits (graphs 9.3). */
export interface AnswerForm {
  /**
   * `queue` runs the statement in the background; `decide` answers with JSON if the first rows are all of them, and with
   * a stream otherwise (graphs Q-32).
   */
  readonly kind: 'json' | 'stream' | 'decide' | 'queue';
  /** The format of a stream, if it becomes one. */
  readonly stream: 'ndjson' | 'sse';
  /** An interactive client gets a short answer to a statement without a limit (graphs Q-34). */
  readonly isInteractive: boolean;
  readonly maxRows: number;
  readonly rowsPerChunk: number;
  readonly maxTimeoutMs: number;
}

export interface AnswerRequest {
  readonly mode: 'async' | 'auto' | 'stream' | 'sync';
  /** The rows of a write are never streamed (graphs Q-21). */
  readonly isWrite: boolean;
  readonly isTest: boolean;
  readonly userAgent: string;
  readonly accept: string;
  readonly prefer: string;
  readonly chunk_size: number | undefined;
  /** Limits of the graph’s tier (platform T-1). */
  readonly tier: { readonly maxSeconds: number; readonly streamChunkRows: number };
}

export const maxJsonRows = 10_000;
const maxStreamRows = 1_000_000;
/** Results up to this size are a single JSON response if the caller states no preference. */
const maxSmallRows = 1_000;
const maxInteractiveMs = 30_000;
const maxDirectMs = 300_000;
const maxQueuedMs = 600_000;
const interactive = /postman|insomnia|swagger|openapi|curl|httpie/i;

/** Chooses the format from the caller’s preference and identity. */
export function answerForm(request: AnswerRequest): AnswerForm {
  const { mode, accept, tier } = request;
  const isInteractive = request.isTest || interactive.test(request.userAgent);
  const longest = (limitMs: number): number => Math.min(limitMs, tier.maxSeconds * 1_000);
  const form = {
    stream: accept.includes('text/event-stream') ? ('sse' as const) : ('ndjson' as const),
    isInteractive,
    rowsPerChunk: request.chunk_size ?? tier.streamChunkRows,
    maxTimeoutMs: longest(isInteractive ? maxInteractiveMs : maxDirectMs),
  };
  const preferred = new Set(request.prefer.split(/[,;]/).map((word) => word.trim().toLowerCase()));
  const isFree = mode === 'auto' && !isInteractive;
  if (mode === 'async' || (isFree && preferred.has('respond-async'))) {
    return { ...form, kind: 'queue', maxRows: maxJsonRows, maxTimeoutMs: longest(maxQueuedMs) };
  }
  const json = { ...form, kind: 'json', maxRows: maxJsonRows, rowsPerChunk: maxSmallRows } as const;
  if (request.isWrite) return json;
  const canStream = form.stream === 'sse' || /application\/(?:x-ndjson|stream\+json)/.test(accept);
  if (mode === 'stream' || (isFree && preferred.has('stream') && canStream)) {
    return { ...form, kind: 'stream', maxRows: maxStreamRows };
  }
  if (isFree) {
    return { ...form, kind: 'decide', maxRows: maxStreamRows, rowsPerChunk: request.chunk_size ?? maxSmallRows };
  }
  return json;
}
