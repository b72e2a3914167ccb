/** How a result is given back, and how much of it (graphs 9.3). */
export interface AnswerForm {
  /** `decide` answers JSON when the first rows are all rows, and a stream when they are not (graphs Q-32). */
  readonly kind: 'json' | 'stream' | 'decide';
  readonly rows_max: number;
  readonly rows_per_chunk: number;
  readonly timeout_ms_max: number;
}

export const json_rows_max = 10_000;
const stream_rows_max = 1_000_000;
/** Results up to this size are one JSON answer, when the caller leaves the choice to us. */
const small_rows_max = 1_000;
const interactive_ms_max = 30_000;
const direct_ms_max = 300_000;
const interactive = /postman|insomnia|swagger|openapi|curl|httpie/i;

/** Chooses the form from what the caller says and who it is. */
export function answerForm(request: {
  readonly mode: 'async' | 'auto' | 'stream' | 'sync';
  readonly isTest: boolean;
  readonly userAgent: string;
  readonly chunk_size: number | undefined;
  /** What the graph's tier allows (platform T-1). */
  readonly tier: { readonly seconds_max: number; readonly stream_chunk_rows: number };
}): AnswerForm {
  const rows_per_chunk = request.chunk_size ?? request.tier.stream_chunk_rows;
  const isInteractive = request.isTest || interactive.test(request.userAgent);
  const timeout_ms_max = Math.min(isInteractive ? interactive_ms_max : direct_ms_max, request.tier.seconds_max * 1_000);
  if (request.mode === 'stream') return { kind: 'stream', rows_max: stream_rows_max, rows_per_chunk, timeout_ms_max };
  if (request.mode === 'auto' && !isInteractive) {
    const first = request.chunk_size ?? small_rows_max;
    return { kind: 'decide', rows_max: stream_rows_max, rows_per_chunk: first, timeout_ms_max };
  }
  return { kind: 'json', rows_max: json_rows_max, rows_per_chunk: small_rows_max, timeout_ms_max };
}
