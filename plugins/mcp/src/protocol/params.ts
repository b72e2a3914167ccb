import { type Message, objectOf } from './json-rpc.ts';

const relatedTask = 'io.modelcontextprotocol/related-task';

type Form = 'text' | 'object' | 'texts';

/** The parameters of each method; those of the first list are required. */
const forms: Readonly<Record<string, readonly [Readonly<Record<string, Form>>, Readonly<Record<string, Form>>]>> = {
  initialize: [{ protocolVersion: 'text', capabilities: 'object', clientInfo: 'object' }, {}],
  'tools/list': [{}, { cursor: 'text' }],
  'tools/call': [{ name: 'text' }, { arguments: 'object', inputResponses: 'object', requestState: 'text' }],
  'resources/list': [{}, { cursor: 'text' }],
  'resources/templates/list': [{}, { cursor: 'text' }],
  'resources/read': [{ uri: 'text' }, {}],
  'prompts/list': [{}, { cursor: 'text' }],
  'prompts/get': [{ name: 'text' }, { arguments: 'texts' }],
  'tasks/get': [{ taskId: 'text' }, {}],
  'tasks/update': [{ taskId: 'text', inputResponses: 'object' }, {}],
  'tasks/cancel': [{ taskId: 'text' }, {}],
};

const names: Readonly<Record<Form, string>> = {
  text: 'a string',
  object: 'an object',
  texts: 'an object of strings',
};

/** Says in a sentence which parameter of a request is missing or of another type; undefined if none is (ai-surface M-7). */
export function paramsProblem({ method = '', params = {} }: Message): string | undefined {
  const [required, optional] = Object.hasOwn(forms, method) ? (forms[method] ?? [{}, {}]) : [{}, {}];
  for (const [name, form] of Object.entries({ ...required, ...optional })) {
    const value = params[name];
    if (value === undefined && !Object.hasOwn(required, name)) continue;
    if (!isOf(form, value)) return `Invalid params: ${name} must be ${names[form]}`;
  }
  const meta = metaProblem(params);
  if (meta !== undefined) return `Invalid params: ${meta}`;
  const { clientInfo } = params;
  if (method !== 'initialize' || (hasText(clientInfo, 'name') && hasText(clientInfo, 'version'))) return undefined;
  return 'Invalid params: clientInfo must have a name and a version, both strings';
}

/** The official package would not answer a request whose metadata it does not know. */
function metaProblem(params: NonNullable<Message['params']>): string | undefined {
  const { _meta: meta } = params;
  if (meta === undefined) return undefined;
  if (!isOf('object', meta)) return '_meta must be an object';
  const { progressToken: token, [relatedTask]: task } = objectOf(meta);
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token))
    return '_meta.progressToken must be a string or an integer';
  const isTask = task === undefined || typeof objectOf(task)['taskId'] === 'string';
  return isTask ? undefined : `_meta.${relatedTask} must be an object with a taskId, a string`;
}

function isOf(form: Form, value: unknown): boolean {
  if (form === 'text') return typeof value === 'string';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return form === 'object' || Object.values(value).every((each) => typeof each === 'string');
}

function hasText(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'string';
}
