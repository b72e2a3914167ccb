/** The response to an operation or view (platform N-1). */
export interface Envelope {
  readonly operation: string;
  readonly operationId: string;
  readonly status: 'completed' | 'pending' | 'failed';
  readonly result: unknown;
  readonly at: string;
  readonly createdBy: string;
  readonly idempotentReplay: boolean;
}

/** Formats an instant with second precision (platform N-2). */
export function atSecond(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}
