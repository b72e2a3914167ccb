import { silentLog } from '@pacioli/core/assembly';
import mcp from '@pacioli/mcp';
import { startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { statelessRequest } from './stateless-request.ts';
import { taskPlugin } from './task-plugin.ts';

/** The service of the importing test file, and a user with a graph. */
export let service: TestService;
export let owner: TestClient;
export let graphId: string;

const plugins = [mcp, taskPlugin];

/** Starts the service before the tests of the calling file, and closes it after them. */
export function useTasks(): void {
  beforeAll(async () => {
    service = await startTestService({ plugins, log: silentLog, settings: teamSettings });
    owner = await service.newUser('Ann');
    graphId = await owner.createGraph('Books of Ann', ['imports']);
  });
  afterAll(() => service.close());
}

/** Starts another process of the service, which executes no runs. */
export function otherProcess(): Promise<TestService> {
  return startTestService({ plugins, log: silentLog, settings: teamSettings, store: service.store, worker: false });
}

export const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
export const tasksAndForms = { ...tasks, elicitation: { form: {} } };

type Params = Readonly<Record<string, unknown>>;

export interface Sent {
  readonly client?: TestClient;
  readonly capabilities?: object;
  readonly graph?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request; by default as a client that accepts tasks, to the endpoint of the graph. */
export function ask(method: string, params: Params, sent: Sent = {}) {
  const { client = owner, capabilities = tasks, graph = graphId, path = `/v1/graphs/${graph}/mcp` } = sent;
  const { headers, body } = statelessRequest(method, params, { capabilities });
  return client.withHeaders({ ...headers, ...sent.headers }).post(path, body);
}

/** Calls a tool, and returns the result. */
export async function call(name: string, given: object, sent?: Sent & { readonly key?: string }) {
  const meta = sent?.key === undefined ? {} : { _meta: { idempotencyKey: sent.key } };
  return (await ask('tools/call', { name, arguments: given, ...meta }, sent)).body.result;
}

/** Reads a task. */
export async function get(taskId: string, sent?: Sent) {
  return (await ask('tasks/get', { taskId }, sent)).body.result;
}

/** Reads a task until it has this status. */
export async function reach(taskId: string, status: string, sent?: Sent) {
  await expect.poll(async () => (await get(taskId, sent)).status, { timeout: 60_000, interval: 25 }).toBe(status);
  return get(taskId, sent);
}

/** Calls a tool as a client without tasks, which waits for the end of the run, and returns the result. */
export async function waited(name: string, given: object) {
  const sent = { capabilities: {}, headers: { Accept: 'application/json' } };
  return (await ask('tools/call', { name, arguments: given }, sent)).body.result;
}
