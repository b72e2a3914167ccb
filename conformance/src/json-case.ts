import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from './client.ts';
import { type CaseContext, type ConformanceCase, defineCase, type Level } from './define-case.ts';
import { isObject, type JsonObject, objectOf, textsOf } from './json.ts';
import { packageFile } from './package-files.ts';

/** One exchange as data: a request and the expected response. */
interface JsonCase {
  readonly as: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: JsonObject;
    readonly body: unknown;
  };
  readonly expect: { readonly status: number; readonly headers: JsonObject; readonly body: JsonObject | undefined };
}

const callers = ['anonymous', 'user', 'graph'];
const levels: readonly string[] = ['MUST', 'SHOULD', 'MAY'];

/** Reads the cases of this package without logic, sorted by id. */
export function readJsonCases(folder = packageFile('cases')): readonly ConformanceCase[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => parseJsonCase(name, readFileSync(join(folder, name), 'utf8')));
}

/** Parses a case from a file, whose name must be the case's id. */
export function parseJsonCase(fileName: string, text: string): ConformanceCase {
  const given: unknown = JSON.parse(text);
  const data = objectOf(given);
  const [request, expect] = [objectOf(data['request']), objectOf(data['expect'])];
  const { id, level, title, clause, as = 'anonymous' } = data;
  const { method, path } = request;
  const isComplete = [id, title, clause, method, path].every((value) => typeof value === 'string' && value !== '');
  if (!isComplete || typeof expect['status'] !== 'number' || !isLevel(level) || !callers.includes(String(as)))
    throw new Error(`${fileName} is not a case: it needs id, level, title, clause, as, request and expect.`);
  if (fileName !== `${id}.json`) throw new Error(`${fileName} defines "${id}": the file must have the case's id.`);
  const one: JsonCase = {
    as: String(as),
    request: {
      method: String(method),
      path: String(path),
      headers: objectOf(request['headers']),
      body: request['body'],
    },
    expect: {
      status: expect['status'],
      headers: objectOf(expect['headers']),
      body: isObject(expect['body']) ? expect['body'] : undefined,
    },
  };
  return defineCase({
    id: String(id),
    level,
    title: String(title),
    clause: String(clause),
    requires: textsOf(data['requires']),
    run: (context) => runJsonCase(one, context),
  });
}

function isLevel(value: unknown): value is Level {
  return typeof value === 'string' && levels.includes(value);
}

async function runJsonCase(one: JsonCase, context: CaseContext): Promise<void> {
  const { request, expect } = one;
  const client = await callerOf(one, context);
  const path = request.path.includes('{graph_id}')
    ? request.path.replace('{graph_id}', await context.graph.id())
    : request.path;
  const answer = await client.request(request.method, path, {
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  context.expectStatus(expect.status, answer);
  for (const [name, pattern] of Object.entries(expect.headers)) context.expectHeader(name, String(pattern), answer);
  if (expect.body !== undefined) context.expectBody(expect.body, answer);
}

async function callerOf(one: JsonCase, context: CaseContext): Promise<Client> {
  if (one.as === 'graph') return context.graph.owner();
  return one.as === 'user' ? context.user() : context.anonymous;
}
