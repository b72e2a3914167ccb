import type { Answer, Client } from './client.ts';
import { type CaseContext, type ConformanceCase, defineCase, type Tenants } from './define-case.ts';
import type { DocumentedOperation } from './diff-openapi.ts';
import { isObject, type JsonObject, listOf, objectOf } from './json.ts';
import { bodySchemaOf, resolve } from './sample-body.ts';

/** Well-formed ids that no deployment issues. */
export const unknownGraph = `kg${'0'.repeat(20)}`;
const unknownUlid = '00000000000000000000000000';

/** One documented operation with the properties that the cases need. */
export interface Subject {
  readonly operation: DocumentedOperation;
  readonly document: unknown;
  readonly isSignedIn: boolean;
  readonly body: JsonObject | undefined;
  /** The shape of this route's 422 (platform E-3); undefined if it declares none. */
  readonly refusal: 'list' | 'message' | undefined;
}

export function subjectOf(document: unknown, operation: DocumentedOperation): Subject {
  const { definition } = operation;
  return {
    operation,
    document,
    isSignedIn: listOf(definition['security']).length > 0,
    body: bodySchemaOf(document, definition),
    refusal: refusalOf(document, definition),
  };
}

function refusalOf(document: unknown, definition: JsonObject): Subject['refusal'] {
  const content = objectOf(objectOf(objectOf(definition['responses'])['422'])['content']);
  const schema = objectOf(content['application/json'])['schema'];
  if (!isObject(schema)) return undefined;
  const detail = objectOf(objectOf(resolve(document, schema)['properties'])['detail']);
  return detail['type'] === 'array' ? 'list' : 'message';
}

/** A generic case of one operation. */
export function caseOf(
  subject: Subject,
  spec: {
    readonly number: string;
    readonly title: string;
    readonly clause: string;
    run(context: CaseContext): Promise<void>;
  },
): ConformanceCase {
  const { number, ...rest } = spec;
  return defineCase({ id: `${number} ${subject.operation.name}`, level: 'MUST', ...rest });
}

/** A caller who may use the operation, with the path in their own tenant. */
export async function authorized(
  subject: Subject,
  context: CaseContext,
): Promise<{ readonly client: Client; readonly path: string }> {
  if (!subject.isSignedIn) return { client: context.anonymous, path: pathOf(subject, undefined) };
  const tenants = await context.tenants();
  return { client: tenants.owner.client, path: pathOf(subject, tenants) };
}

export function send(subject: Subject, client: Client, path: string, body?: unknown): Promise<Answer> {
  const given = body ?? (subject.body === undefined ? undefined : {});
  return client.request(subject.operation.method, path, given === undefined ? {} : { body: given });
}

/** The operation's path with ids of a tenant, or with unknown ids if none is given. */
export function pathOf(subject: Subject, tenants: Tenants | undefined): string {
  const query = listOf(subject.operation.definition['parameters'])
    .map(objectOf)
    .filter((parameter) => parameter['in'] === 'query' && parameter['required'] === true)
    .map((parameter) => `${encodeURIComponent(String(parameter['name']))}=conformance`);
  const path = fillPath(subject.operation.path, tenants);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

export function fillPath(path: string, tenants: Tenants | undefined): string {
  const ids: Readonly<Record<string, string>> = {
    graph_id: tenants?.graphId ?? unknownGraph,
    org_id: tenants?.orgId ?? `org_${unknownUlid}`,
    user_id: tenants?.userId ?? `user_${unknownUlid}`,
    operation_id: `op_${unknownUlid}`,
  };
  return path.replaceAll(/\{([^}]+)\}/g, (_match, name: string) => ids[name] ?? `conformance_${unknownUlid}`);
}
