/** The format of a result and its limits (graphs 9.3). */
export interface AnswerForm {
  /** `decide` answers with JSON if the first chunk contains all rows, and with a stream otherwise (graphs Q-32). */
  readonly kind: 'json' | 'stream' | 'decide';
  readonly maxRows: number;
  readonly rowsPerChunk: number;
  readonly maxTimeoutMs: number;
}

export const maxJsonRows = 10_000;
const maxStreamRows = 1_000_000;
/** Results up to this size are a single JSON response if the caller states no preference. */
const maxSmallRows = 1_000;
const maxInteractiveMs = 30_000;
const maxDirectMs = 300_000;
const interactive = /postman|insomnia|swagger|openapi|curl|httpie/i;

/** Chooses the format from the caller’s preference and identity. */
export function answerForm(request: {
  readonly mode: 'async' | 'auto' | 'stream' | 'sync';
  readonly isTest: boolean;
  readonly userAgent: string;
  readonly chunk_size: number | undefined;
  /** Limits of the graph’s tier (platform T-1). */
  readonly tier: { readonly maxSeconds: number; readonly streamChunkRows: number };
}): AnswerForm {
  const rowsPerChunk = request.chunk_size ?? request.tier.streamChunkRows;
  const isInteractive = request.isTest || interactive.test(request.userAgent);
  const maxTimeoutMs = Math.min(isInteractive ? maxInteractiveMs : maxDirectMs, request.tier.maxSeconds * 1_000);
  if (request.mode === 'stream') return { kind: 'stream', maxRows: maxStreamRows, rowsPerChunk, maxTimeoutMs };
  if (request.mode === 'auto' && !isInteractive) {
    const first = request.chunk_size ?? maxSmallRows;
    return { kind: 'decide', maxRows: maxStreamRows, rowsPerChunk: first, maxTimeoutMs };
  }
  return { kind: 'json', maxRows: maxJsonRows, rowsPerChunk: maxSmallRows, maxTimeoutMs };
}
