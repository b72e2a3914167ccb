import { diffSchema, type SchemaPair, schemaPair } from './diff-schema.ts';
import type { Comparison, Difference } from './difference.ts';
import { canonicalText, isObject, type JsonObject, listOf, objectOf, textsOf } from './json.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** One method and path of a document. */
export interface DocumentedOperation {
  /** Method and path, such as `GET /v1/status`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly definition: JsonObject;
}

/** Every operation of an OpenAPI document, sorted by path and method. */
export function operationsOf(document: unknown): readonly DocumentedOperation[] {
  const found: DocumentedOperation[] = [];
  for (const [path, item] of Object.entries(objectOf(objectOf(document)['paths']))) {
    for (const [key, definition] of Object.entries(objectOf(item))) {
      if (!methods.includes(key) || !isObject(definition)) continue;
      const method = key.toUpperCase();
      const tag = textsOf(definition['tags'])[0] ?? '';
      found.push({ name: `${method} ${path}`, method, path, tag, definition });
    }
  }
  return found.sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
}

/**
 * Compares two OpenAPI documents by the requests and responses they describe: key order, prose and schema notation are
 * ignored. Schemas are compared when an operation of both documents uses them.
 */
export function diffOpenapi(expected: unknown, actual: unknown): Comparison {
  const pair = schemaPair(expected, actual);
  const wanted = operationsOf(expected);
  const given = new Map(operationsOf(actual).map((operation) => [operation.name, operation]));
  const ids = wanted.map((operation) => operationId(operation.name));
  const differences: Difference[] = [];
  for (const operation of wanted) {
    const other = given.get(operation.name);
    if (other === undefined) {
      const where = `operation ${operation.name}`;
      differences.push({ id: operationId(operation.name), kind: 'missing', where, expected: '', actual: '' });
    } else {
      differences.push(...diffOperation(pair, operation, other));
    }
  }
  const names = new Set(wanted.map((operation) => operation.name));
  for (const { name } of given.values()) {
    if (names.has(name)) continue;
    ids.push(operationId(name));
    differences.push({ id: operationId(name), kind: 'added', where: `operation ${name}`, expected: '', actual: '' });
  }
  differences.push(...diffSharedSchemas(pair, ids));
  return { ids, differences };
}

function operationId(name: string): string {
  return `openapi:${name}`;
}

/** Compares each schema that both documents name once; a comparison can add further names. */
function diffSharedSchemas(pair: SchemaPair, ids: string[]): Difference[] {
  const differences: Difference[] = [];
  // A Set may grow during iteration, and each name is still visited only once.
  for (const name of pair.shared) {
    const id = `openapi:schema ${name}`;
    ids.push(id);
    const [expected, actual] = [pair.expected.get(name), pair.actual.get(name)];
    if (expected === undefined || actual === undefined) {
      const kind = actual === undefined ? 'missing' : 'extra';
      if (expected !== actual) differences.push({ id, kind, where: `schema ${name}`, expected: '', actual: '' });
    } else {
      differences.push(...diffSchema(pair, id, name, { expected, actual }));
    }
  }
  return differences;
}

function diffOperation(pair: SchemaPair, expected: DocumentedOperation, actual: DocumentedOperation): Difference[] {
  const id = operationId(expected.name);
  const differences: Difference[] = [];
  for (const key of ['operationId', 'tags']) {
    const [wanted, given] = [expected.definition[key], actual.definition[key]].map((value) =>
      canonicalText(value ?? ''),
    );
    if (wanted !== given)
      differences.push({ id, kind: 'changed', where: key, expected: wanted ?? '', actual: given ?? '' });
  }
  differences.push(...diffParameters(pair, id, expected.definition, actual.definition));
  differences.push(...diffRequestBody(pair, id, expected.definition, actual.definition));
  differences.push(...diffResponses(pair, id, expected.definition, actual.definition));
  differences.push(...diffSecurity(id, expected.definition, actual.definition));
  return differences;
}

function diffParameters(pair: SchemaPair, id: string, expected: JsonObject, actual: JsonObject): Difference[] {
  const differences: Difference[] = [];
  const [wanted, given] = [parametersOf(expected), parametersOf(actual)];
  for (const [name, parameter] of wanted) {
    const where = `parameter ${name}`;
    const other = given.get(name);
    if (other === undefined) {
      differences.push({ id, kind: 'missing', where, expected: '', actual: '' });
      continue;
    }
    if (isRequired(parameter) !== isRequired(other))
      differences.push({ id, kind: 'changed', where, expected: demand(parameter), actual: demand(other) });
    differences.push(...diffSchema(pair, id, where, { expected: parameter['schema'], actual: other['schema'] }));
  }
  for (const name of given.keys())
    if (!wanted.has(name))
      differences.push({ id, kind: 'extra', where: `parameter ${name}`, expected: '', actual: '' });
  return differences;
}

function parametersOf(definition: JsonObject): ReadonlyMap<string, JsonObject> {
  const parameters = listOf(definition['parameters']).filter(isObject);
  return new Map(
    parameters.map((parameter) => {
      const name = String(parameter['name']);
      // Header names are case-insensitive.
      return [`${parameter['in']} ${parameter['in'] === 'header' ? name.toLowerCase() : name}`, parameter];
    }),
  );
}

function isRequired(value: JsonObject): boolean {
  return value['required'] === true;
}

function demand(value: JsonObject): string {
  return isRequired(value) ? 'required' : 'optional';
}

function diffRequestBody(pair: SchemaPair, id: string, expected: JsonObject, actual: JsonObject): Difference[] {
  const where = 'request body';
  const [wanted, given] = [expected['requestBody'], actual['requestBody']];
  if (!isObject(wanted) && !isObject(given)) return [];
  if (!isObject(given)) return [{ id, kind: 'missing', where, expected: '', actual: '' }];
  if (!isObject(wanted)) return [{ id, kind: 'extra', where, expected: '', actual: '' }];
  const differences = diffContent(pair, id, where, wanted, given);
  if (isRequired(wanted) !== isRequired(given))
    differences.push({ id, kind: 'changed', where, expected: demand(wanted), actual: demand(given) });
  return differences;
}

function diffResponses(pair: SchemaPair, id: string, expected: JsonObject, actual: JsonObject): Difference[] {
  const differences: Difference[] = [];
  const [wanted, given] = [objectOf(expected['responses']), objectOf(actual['responses'])];
  for (const [status, response] of Object.entries(wanted)) {
    const where = `answer ${status}`;
    if (isObject(given[status]) && isObject(response))
      differences.push(...diffContent(pair, id, where, response, given[status]));
    else differences.push({ id, kind: 'missing', where, expected: '', actual: '' });
  }
  for (const status of Object.keys(given))
    if (!(status in wanted))
      differences.push({ id, kind: 'extra', where: `answer ${status}`, expected: '', actual: '' });
  return differences;
}

function diffContent(
  pair: SchemaPair,
  id: string,
  place: string,
  expected: JsonObject,
  actual: JsonObject,
): Difference[] {
  const differences: Difference[] = [];
  const [wanted, given] = [objectOf(expected['content']), objectOf(actual['content'])];
  for (const type of new Set([...Object.keys(wanted), ...Object.keys(given)])) {
    const where = `${place} as ${type}`;
    const [schema, other] = [wanted[type], given[type]];
    if (!isObject(other)) differences.push({ id, kind: 'missing', where, expected: '', actual: '' });
    else if (!isObject(schema)) differences.push({ id, kind: 'extra', where, expected: '', actual: '' });
    else differences.push(...diffSchema(pair, id, place, { expected: schema['schema'], actual: other['schema'] }));
  }
  return differences;
}

/**
 * The contract's `security` was inferred and can be too weak: an operation without one may require a credential, but an
 * operation with one must accept the same credentials.
 */
function diffSecurity(id: string, expected: JsonObject, actual: JsonObject): Difference[] {
  const [wanted, given] = [securityText(expected), securityText(actual)];
  if (wanted === '' || wanted === given) return [];
  return [{ id, kind: 'changed', where: 'security', expected: wanted, actual: given === '' ? 'none' : given }];
}

function securityText(definition: JsonObject): string {
  const choices = listOf(definition['security']).filter(isObject);
  return choices
    .map((choice) => Object.keys(choice).sort().join('+'))
    .sort()
    .join(' or ');
}
