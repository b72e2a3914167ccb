import { randomBytes } from 'node:crypto';

/** The header of W3C Trace Context: version, id of the trace, id of the caller's span, flags. */
const header = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;
const tracedId = /^trace_(?!0{32})([0-9a-f]{32})_(?!0{16})([0-9a-f]{16})_(0[01])$/;
/** The flag of a trace that its caller records. */
const sampled = 1;

/**
 * Makes the id of a request that continues a trace: `trace_`, the id of the trace, that of a new span, and whether the
 * caller records the trace. Audit rows, runs and log lines have the request id, so they can be found by the trace.
 * Returns undefined without a valid `traceparent` (platform E-13, ai-surface M-20g).
 */
export function tracedRequestId(traceparent: unknown): string | undefined {
  const [, version, trace, flags = '', more] = header.exec(typeof traceparent === 'string' ? traceparent : '') ?? [];
  // Only later versions may have more fields.
  if (trace === undefined || (version === '00' && more !== undefined)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & sampled) === sampled;
  return `trace_${trace}_${randomBytes(8).toString('hex')}_${isSampled ? '01' : '00'}`;
}

/** The `traceparent` of calls to other services for a request; undefined if the request continues no trace. */
export function traceparentOf(requestId: string): string | undefined {
  const [, trace, span, flags] = tracedId.exec(requestId) ?? [];
  return trace === undefined ? undefined : `00-${trace}-${span}-${flags}`;
}
