import { isServiceError } from '../errors/service-error.ts';
import { toServiceError } from '../errors/to-wire.ts';
import type { ToolResult } from './catalog.ts';

/** The longest text of a result, in characters (ai-surface 5.4). */
export const maxTextCharacters = 200_000;

/** Fields with bank account numbers and tax ids (ai-surface PX-10). */
const sensitiveName = /^(?:ein|ssn|tin|iban|tax_?id|tax_?number|account_?number|routing_?number)$/i;

/** The result of a call that succeeded: JSON, or a text as it is (ai-surface M-37). */
export function resultOfValue(value: unknown, { isStructured }: { readonly isStructured: boolean }): ToolResult {
  if (typeof value === 'string') return { ...shortened(value), isError: false };
  const text = textOf(value);
  return { ...shortened(text), isError: false, ...(isStructured ? { structured: JSON.parse(text) } : {}) };
}

/** A refusal or failure as a result that a model can act on (ai-surface M-34). */
export function resultOfError(error: unknown): ToolResult {
  const failure = toServiceError(error);
  if (failure.kind === 'internal') {
    return errorResult(
      'command_failed',
      'The command failed. Try it again later, and tell the user if it fails again.',
    );
  }
  return errorResult(failure.code.toLowerCase(), failure.message, failure.details);
}

/** An error result with a code in snake_case. */
export function errorResult(
  code: string,
  message: string,
  details?: Readonly<Record<string, unknown>> | undefined,
): ToolResult {
  return { ...shortened(textOf({ error: code, message, details })), isError: true, code };
}

/** A refusal in one sentence for calls that reach no tool (ai-surface M-35). */
export function plainRefusal(code: string, text: string): ToolResult {
  return { text, isError: true, code };
}

/** True for a failure of the service rather than of the call, which opens the circuit breaker (ai-surface M-14). */
export function isOutage(error: unknown): boolean {
  const { kind } = isServiceError(error) ? error : toServiceError(error);
  return ['internal', 'upstream', 'unavailable', 'statement_timeout', 'timeout'].includes(kind);
}

function shortened(text: string): Pick<ToolResult, 'text' | 'truncated'> {
  if (text.length <= maxTextCharacters) return { text };
  return { text: `${text.slice(0, maxTextCharacters)}… [truncated; ${text.length} chars total]`, truncated: true };
}

/** Pretty JSON: sensitive numbers keep their last four characters, and big integers are written in digits. */
function textOf(value: unknown): string {
  return JSON.stringify(value ?? null, masked, 2);
}

function masked(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if ((typeof value !== 'string' && typeof value !== 'number') || !sensitiveName.test(name)) return value;
  const text = String(value);
  return text.length <= 4 ? text : `…${text.slice(-4)}`;
}
