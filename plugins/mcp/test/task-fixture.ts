import type { Log } from '@pacioli/core';
import mcp from '@pacioli/mcp';
import { startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { taskPlugin } from './task-plugin.ts';

/** The service of the importing test file, and a user with a graph. */
export let service: TestService;
export let owner: TestClient;
export let graphId: string;

const plugins = [mcp, taskPlugin];
const ignore = (): void => undefined;
/** Runs that fail on purpose would be written to standard error. */
const log: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Starts the service before the tests of the calling file, and closes it after them. */
export function useTasks(): void {
  beforeAll(async () => {
    service = await startTestService({ plugins, log, settings: teamSettings });
    owner = await service.newUser('Ann');
    graphId = await owner.createGraph('Sheets of Ann', ['sheets']);
  });
  afterAll(() => service.close());
}

/** Starts another process of the service, which executes no runs. */
export function otherProcess(): Promise<TestService> {
  return startTestService({ plugins, log, settings: teamSettings, store: service.store, worker: false });
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

/** The headers and the body of a request of the stateless revision. */
export function requestOf(method: string, params: Params, capabilities: object = tasks) {
  const name = params['name'] ?? params['taskId'];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(params['_meta'] as object | undefined),
  };
  return {
    headers: {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
  };
}

/** Sends a request; by default as a client that takes tasks, to the address of the graph. */
export function ask(method: string, params: Params, sent: Sent = {}) {
  const { client = owner, capabilities, graph = graphId, path = `/v1/graphs/${graph}/mcp` } = sent;
  const { headers, body } = requestOf(method, params, capabilities);
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

/** The result of a call that waits, whose answer is a stream. */
export async function waited(name: string, given: object) {
  const sent = { capabilities: {}, headers: { Accept: 'application/json' } };
  return (await ask('tools/call', { name, arguments: given }, sent)).body.result;
}
