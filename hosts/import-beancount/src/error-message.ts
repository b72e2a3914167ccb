import { field, listField, textField } from './json-fields.ts';

/** The most violations shown, the same number as in the service. */
const maxIssues = 3;
const maxPageCharacters = 200;
/** The deepest level of an error body that is searched for a message. */
const maxDepth = 3;

/** Describes a response that is not JSON, such as a proxy's own page. */
export function pageSentence(text: string): string {
  const words = text.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const shown = words.trim().slice(0, maxPageCharacters);
  return shown === '' ? 'The answer is empty.' : `The answer is not JSON; it reads "${shown}".`;
}

/** Extracts the reason from an error body of any shape as a sentence, never as JSON. */
export function reasonOf(body: unknown): string {
  const reason = reasonIn(body) ?? 'No reason was given.';
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

function reasonIn(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (Array.isArray(value)) return issuesSentence(value);
  if (depth === maxDepth) return null;
  for (const name of ['detail', 'message', 'error', 'errors']) {
    const found = reasonIn(field(value, name), depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function issuesSentence(issues: readonly unknown[]): string | null {
  const sentences = issues.flatMap((issue) => {
    const text = textField(issue, 'msg') ?? reasonIn(issue, maxDepth);
    const [, ...path] = listField(issue, 'loc'); // Its first part is "body", "query" or "path".
    if (text === null) return [];
    return path.length === 0 ? text : `${path.join('.')}: ${text}`;
  });
  if (sentences.length === 0) return null;
  const more = sentences.length > maxIssues ? ` (and ${sentences.length - maxIssues} more)` : '';
  return `${sentences.slice(0, maxIssues).join('; ')}${more}`;
}

const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'the request timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the request timed out',
};

/** The reason why a request got no response, as part of a sentence. */
export function networkReason(error: Error): string {
  if (error.name === 'TimeoutError') return 'the request timed out';
  const { cause } = error; // fetch hides the reason there.
  const code = textField(cause, 'code') ?? '';
  return networkReasons[code] ?? (cause instanceof Error && cause.message !== '' ? cause.message : error.message);
}
