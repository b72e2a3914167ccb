import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ListedTool } from '@pacioli/core';
import { clientCapabilities, type Message, objectOf } from '../protocol/index.ts';

/** The name of the extension in the capabilities of clients and servers (ai-surface M-20e). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const required = { extensions: { [tasksExtension]: {} } };

/** True if the client of this request accepts tasks as results. */
export function declaresTasks(ctx: ServerContext): boolean {
  return hasExtension(clientCapabilities(ctx));
}

/** Throws the error of the protocol for a client that does not declare the extension in this request. */
export function requireTasks(ctx: ServerContext): void {
  if (!declaresTasks(ctx)) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: required });
}

/** True if the answer to this message can be a task: the call of a tool that may start a run, by a client that accepts them. */
export function isTaskCall({ method, params }: Message, tools: readonly ListedTool[], isStateless: boolean): boolean {
  if (!isStateless || method !== 'tools/call') return false;
  const capabilities = objectOf(objectOf(params?.['_meta'])[CLIENT_CAPABILITIES_META_KEY]);
  const tool = tools.find(({ name }) => name === params?.['name']);
  return hasExtension(capabilities) && tool !== undefined && (tool.startsRun || tool.mayStartRun);
}

function hasExtension(capabilities: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(objectOf(capabilities['extensions']), tasksExtension);
}
