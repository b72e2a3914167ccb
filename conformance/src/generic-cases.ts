import { type CaseContext, type ConformanceCase, defineCase } from './define-case.ts';
import type { DocumentedOperation } from './diff-openapi.ts';
import { expectRefusedInput, valueAt } from './expectations.ts';
import { idempotencyCase, keyLengthCase } from './generic-idempotency.ts';
import {
  authorized,
  caseOf,
  fillPath,
  pathOf,
  type Subject,
  send,
  subjectOf,
  unknownGraph,
} from './generic-subject.ts';
import { listOf, objectOf, textsOf } from './json.ts';
import type { Served } from './served.ts';

/** A well-formed key that no deployment issues. */
const unknownKey = `rfs${'0'.repeat(64)}`;
const maxBodyBytes = 10 * 1024 * 1024;
const triedMethods = ['PATCH', 'PUT', 'DELETE', 'POST', 'GET'];

/** The checks that every operation must pass, derived from the served document. */
export function genericCases(served: Served): readonly ConformanceCase[] {
  const subjects = served.operations.filter(isRest).map((operation) => subjectOf(served.openapi, operation));
  const paths = new Set(subjects.map(({ operation }) => operation.path));
  return [
    ...subjects.flatMap((subject) => casesOf(subject)),
    ...[...paths].flatMap((path) => methodCase(served, path)),
  ];
}

/** GraphQL has its own rules (platform E-20, E-21), and a probe has no errors. */
function isRest({ path }: DocumentedOperation): boolean {
  return !path.endsWith('/graphql') && (path.startsWith('/v1/') || path.startsWith('/extensions/'));
}

function casesOf(subject: Subject): readonly ConformanceCase[] {
  const { operation, isSignedIn, body, refusal } = subject;
  const hasGraph = operation.path.includes('{graph_id}');
  const takesKey = listOf(operation.definition['parameters']).some(
    (parameter) => String(objectOf(parameter)['name']).toLowerCase() === 'idempotency-key',
  );
  const isJson = body !== undefined && refusal !== undefined;
  return [
    ...(isSignedIn ? [anonymousCase(subject), badKeyCase(subject)] : []),
    ...(isSignedIn && hasGraph ? [strangerCase(subject), unknownGraphCase(subject)] : []),
    ...(isSignedIn && hasGraph && refusal !== undefined ? [grammarCase(subject, refusal)] : []),
    ...(isJson ? [malformedCase(subject, refusal), contentTypeCase(subject), tooLargeCase(subject)] : []),
    ...(isJson && textsOf(body['required']).length > 0 ? [incompleteCase(subject, refusal)] : []),
    ...(takesKey && body !== undefined ? [idempotencyCase(subject, body), keyLengthCase(subject, body)] : []),
  ];
}

function anonymousCase(subject: Subject): ConformanceCase {
  return caseOf(subject, {
    number: 'GEN-001',
    title: 'a request without credentials is rejected',
    clause: 'platform A-2',
    run: async (context) => {
      const answer = await send(subject, context.anonymous, pathOf(subject, undefined));
      context.expectError(401, answer, 'UNAUTHORIZED');
      context.expectHeader('www-authenticate', '^Bearer, ApiKey$', answer);
    },
  });
}

function badKeyCase(subject: Subject): ConformanceCase {
  return caseOf(subject, {
    number: 'GEN-002',
    title: 'an unknown API key is rejected',
    clause: 'platform K-6',
    run: async (context) => {
      const client = context.anonymous.withHeaders({ 'x-api-key': unknownKey });
      const answer = await send(subject, client, pathOf(subject, undefined));
      context.expectError(401, answer);
      context.expectHeader('www-authenticate', '^ApiKey$', answer);
    },
  });
}

function strangerCase(subject: Subject): ConformanceCase {
  return caseOf(subject, {
    number: 'GEN-003',
    title: 'a user of another tenant is rejected',
    clause: 'platform P-8',
    run: async (context) => {
      const tenants = await context.tenants();
      context.expectError(403, await send(subject, tenants.stranger.client, pathOf(subject, tenants)));
    },
  });
}

function unknownGraphCase(subject: Subject): ConformanceCase {
  const title = 'an unknown graph gets the same error as a graph of another tenant';
  return caseOf(subject, {
    number: 'GEN-004',
    title,
    clause: 'platform P-8',
    run: async (context) => {
      const tenants = await context.tenants();
      const path = pathOf(subject, { ...tenants, graphId: unknownGraph });
      context.expectError(403, await send(subject, tenants.stranger.client, path));
    },
  });
}

function grammarCase(subject: Subject, refusal: 'list' | 'message'): ConformanceCase {
  const title = 'a malformed graph id is rejected before anything else';
  return caseOf(subject, {
    number: 'GEN-005',
    title,
    clause: 'platform N-7',
    run: async (context) => {
      const tenants = await context.tenants();
      const path = pathOf(subject, { ...tenants, graphId: 'not-a-graph' });
      const answer = await send(subject, tenants.owner.client, path);
      expectRefusedInput(refusal, answer);
      const [place] = listOf(valueAt(answer, `${refusal === 'list' ? 'detail' : 'errors'}.0.loc`));
      context.expectThat(place === 'path', `Expected an issue in the path, got one in ${place}`);
    },
  });
}

function malformedCase(subject: Subject, refusal: 'list' | 'message'): ConformanceCase {
  return caseOf(subject, {
    number: 'GEN-006',
    title: 'a body that is not JSON is rejected',
    clause: 'platform E-3, E-6',
    run: async (context) => {
      const { client, path } = await authorized(subject, context);
      const answer = await send(subject, client, path, '{"name": ');
      expectRefusedInput(refusal, answer);
      const type = valueAt(answer, refusal === 'list' ? 'detail.0.type' : 'errors.0.type');
      context.expectThat(type === 'json_invalid', `Expected the type json_invalid, got ${type}`);
    },
  });
}

function contentTypeCase(subject: Subject): ConformanceCase {
  return caseOf(subject, {
    number: 'GEN-007',
    title: 'a body of another content type is rejected',
    clause: 'platform E-6',
    run: async (context) => {
      const { client, path } = await authorized(subject, context);
      const answer = await send(subject, client.withHeaders({ 'content-type': 'text/csv' }), path, 'a,b');
      context.expectError(415, answer, 'UNSUPPORTED_MEDIA_TYPE');
    },
  });
}

function tooLargeCase(subject: Subject): ConformanceCase {
  return caseOf(subject, {
    number: 'GEN-008',
    title: 'a body above the limit is rejected',
    clause: 'platform E-6',
    run: async (context) => {
      const { client, path } = await authorized(subject, context);
      const answer = await client.announceBody(subject.operation.method, path, maxBodyBytes + 1);
      context.expectError(413, answer, 'PAYLOAD_TOO_LARGE');
      const detail = String(valueAt(answer, 'detail'));
      context.expectThat(detail.includes(String(maxBodyBytes)), `Expected the limit in bytes in: ${detail}`);
    },
  });
}

function incompleteCase(subject: Subject, refusal: 'list' | 'message'): ConformanceCase {
  return caseOf(subject, {
    number: 'GEN-012',
    title: 'a body without its required fields is rejected',
    clause: 'platform E-3',
    run: async (context) => {
      const { client, path } = await authorized(subject, context);
      const answer = await send(subject, client, path, {});
      expectRefusedInput(refusal, answer);
      const found = listOf(valueAt(answer, refusal === 'list' ? 'detail' : 'errors')).map((issue) => objectOf(issue));
      context.expectThat(
        found.some((issue) => issue['type'] === 'missing' && listOf(issue['loc'])[0] === 'body'),
        `Expected an issue of type missing in the body, got ${JSON.stringify(found)}`,
      );
    },
  });
}

/** Each path with the first method that no operation of the same path pattern accepts. */
function methodCase(served: Served, path: string): readonly ConformanceCase[] {
  const taken = served.operations.filter((operation) => sameForm(operation.path, path)).map(({ method }) => method);
  const method = triedMethods.find((each) => !taken.includes(each));
  if (method === undefined) return [];
  const id = `GEN-009 ${path}`;
  const title = `${method} is rejected where no operation accepts it`;
  const run = async (context: CaseContext): Promise<void> => {
    const filled = fillPath(path, undefined);
    const answer = await (await context.user()).request(method, filled, method === 'GET' ? {} : { body: {} });
    context.expectError(405, answer);
    context.expectHeader('allow', `(^|, )(${taken.join('|')})`, answer);
  };
  return [defineCase({ id, level: 'MUST', title, clause: 'platform E-7', run })];
}

function sameForm(a: string, b: string): boolean {
  const [left, right] = [a.split('/'), b.split('/')];
  const isEqual = (part: string, index: number): boolean => {
    const other = right[index] ?? '';
    return part === other || part.startsWith('{') || other.startsWith('{');
  };
  return left.length === right.length && left.every(isEqual);
}
