import { isServiceError } from '../errors/service-error.ts';
import { toServiceError } from '../errors/to-wire.ts';
import { isSensitiveName } from '../schema/sensitive-names.ts';
import type { ToolResult } from './catalog.ts';
import { masked } from './masked-values.ts';

/** The longest text of a result, in characters (ai-surface 5.4). */
export const maxTextCharacters = 200_000;

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
  const known = new Map<string, boolean>();
  const isSensitive = (name: string): boolean => {
    const answer = known.get(name) ?? isSensitiveName(name);
    known.set(name, answer);
    return answer;
  };
  const written = (name: string, field: unknown): unknown => {
    if (isSensitive(name)) return masked(field);
    return typeof field === 'bigint' ? field.toString() : field;
  };
  return JSON.stringify(value ?? null, written, 2);
}
