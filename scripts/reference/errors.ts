import { type ErrorKind, errorKinds } from '../../core/src/errors/kinds.ts';
import { standardErrors } from '../../core/src/errors/standard-errors.ts';
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
      standardErrors.map(({ kind, code: name, meaning }) => [`${errorKinds[kind]}`, code(name), prose(meaning)]),
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
