import { type ErrorKind, errorKinds } from '../../core/src/errors/kinds.ts';
import type { Plugin } from '../../core/src/index.ts';
import { code, linkTo, type Page, page, prose, table } from './markdown.ts';
import type { Callable } from './reference-set.ts';

/** The kind of each standard code (platform 1.2): a definition that declares one of them need not repeat it. */
const standardKinds: Readonly<Record<string, ErrorKind>> = {
  ALREADY_EXISTS: 'conflict',
  CONCURRENCY_LIMIT: 'rate_limited',
  CONFLICT: 'conflict',
  FORBIDDEN: 'forbidden',
  INVALID_INPUT: 'invalid_input',
  INVALID_STATE: 'conflict',
  NOT_FOUND: 'not_found',
};

/** Errors that the kernel answers for any part (platform section 1). */
const ofEveryRequest: readonly (readonly [kind: ErrorKind, code: string, meaning: string])[] = [
  ['unauthenticated', 'UNAUTHORIZED', 'The request has no credential, or one that is not valid.'],
  ['forbidden', 'FORBIDDEN', 'The role or the scope of the credential does not allow it, or the graph is unknown.'],
  ['not_found', 'NOT_FOUND', 'No route has this path.'],
  ['method_not_allowed', 'METHOD_NOT_ALLOWED', 'The path has other methods; `Allow` names them.'],
  ['conflict', 'IDEMPOTENCY_KEY_REUSED', 'The idempotency key was used for another body.'],
  ['conflict', 'IDEMPOTENCY_IN_PROGRESS', 'The request with this idempotency key has not ended yet.'],
  ['conflict', 'WRITE_CONFLICT', 'Another process is writing the same rows; send the request again.'],
  ['too_large', 'PAYLOAD_TOO_LARGE', 'The body is larger than the limit, which the message names.'],
  ['unsupported_media_type', 'UNSUPPORTED_MEDIA_TYPE', 'The body is not JSON.'],
  ['invalid_input', 'INVALID_INPUT', 'The body does not match the schema; `errors` lists every issue.'],
  ['rate_limited', 'RATE_LIMIT_EXCEEDED', 'The rate limit is reached; `Retry-After` has the seconds to wait.'],
  ['internal', 'INTERNAL_ERROR', 'A defect; the log has it under the `request_id` of the answer.'],
  ['unavailable', 'SERVICE_UNAVAILABLE', 'The store cannot be reached; `Retry-After` has the seconds to wait.'],
  ['statement_timeout', 'STATEMENT_TIMEOUT', 'A statement reached its time limit; narrow the request.'],
];

export interface DeclaredError {
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
}

/** The errors of a part with their statuses, by status and code. */
export function declaredErrors({ errors = {} }: Pick<Callable, 'errors'>): readonly DeclaredError[] {
  return Object.entries(errors)
    .flatMap(([errorCode, declared]) => {
      const kind = kindOf(errorCode, declared);
      if (kind === undefined) return []; // Reported by `errorsWithoutKind`.
      const meaning = typeof declared === 'string' ? declared : declared.meaning;
      return { code: errorCode, status: errorKinds[kind], meaning };
    })
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}

/** The codes that a part declares without a kind, and that are not standard. */
export function errorsWithoutKind({ errors = {} }: Pick<Callable, 'errors'>): readonly string[] {
  return Object.entries(errors).flatMap(([errorCode, declared]) =>
    kindOf(errorCode, declared) === undefined ? [errorCode] : [],
  );
}

function kindOf(errorCode: string, declared: string | { readonly kind: ErrorKind }): ErrorKind | undefined {
  return typeof declared === 'string' ? standardKinds[errorCode] : declared.kind;
}

/** The page of all codes that a part declares, and of those that any request may get. */
export function errorsPage(plugins: readonly Plugin[]): Page {
  const found = new Map<string, { readonly statuses: Set<number>; readonly parts: Map<string, string[]> }>();
  for (const part of plugins.flatMap(callables)) {
    for (const { code: errorCode, status, meaning } of declaredErrors(part)) {
      const { statuses, parts } = found.get(errorCode) ?? { statuses: new Set(), parts: new Map<string, string[]>() };
      parts.set(meaning, [...(parts.get(meaning) ?? []), linkOf(part)]);
      found.set(errorCode, { statuses: statuses.add(status), parts });
    }
  }
  const rows = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return page('errors', 'Errors', [
    'An error answer is JSON with `detail`, `code`, `request_id` and `timestamp`. `detail` is a sentence for people,',
    '`code` is for programs and stays the same. Some errors add fields, such as `details` or `errors`.',
    '',
    '## Errors of every request',
    '',
    ...table(
      ['Status', 'Code', 'When'],
      ofEveryRequest.map(([kind, errorCode, meaning]) => [`${errorKinds[kind]}`, code(errorCode), prose(meaning)]),
    ),
    '## Errors of single parts',
    '',
    ...table(
      ['Code', 'Status'],
      rows.map(([name, { statuses }]) => [linkTo('', name), [...statuses].sort().join(', ')]),
    ),
    ...rows.flatMap(([name, { parts }]) => [
      `### ${name}`,
      '',
      ...[...parts].map(([meaning, links]) => `- ${prose(meaning)} ${links.join(', ')}`),
      '',
    ]),
  ]);
}

function callables({ operations, views, routes }: Plugin): readonly Callable[] {
  return [...operations, ...views, ...routes];
}

function linkOf({ kind, name }: Callable): string {
  return kind === 'route' ? `[${code(name)}](routes.md)` : linkTo('operations', name);
}
