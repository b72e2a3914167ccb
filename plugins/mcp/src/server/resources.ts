import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { ListedTool, ToolCatalog, ToolResult } from '@pacioli/core';
import { callTool, type McpScope } from './scope.ts';

/** A resource that a tool reads (ai-surface M-62). */
interface ToolResource {
  readonly tool: string;
  readonly pattern: RegExp;
  readonly mimeType: string;
  /** How long a client may keep it, in milliseconds (ai-surface M-20c). */
  readonly ttlMs: number;
  argumentsOf(match: RegExpExecArray): Readonly<Record<string, unknown>>;
}

const documentPattern = /^graph:\/\/([^/]+)\/documents\/([A-Za-z0-9_-]{1,100})$/;

const toolResources: readonly ToolResource[] = [
  {
    tool: 'get-graph-schema',
    pattern: /^graph:\/\/([^/]+)\/schema$/,
    mimeType: 'application/json',
    ttlMs: 60_000,
    argumentsOf: () => ({}),
  },
  {
    tool: 'get-document',
    pattern: documentPattern,
    mimeType: 'application/json',
    ttlMs: 0,
    argumentsOf: ([, , id]) => ({ document_id: id }),
  },
];

/** The message for a failure of the service, as opposed to an unknown resource. */
const notReadable = 'The resource cannot be read at the moment. Try again later.';

const isListed = (tools: readonly ListedTool[], tool: string): boolean => tools.some(({ name }) => name === tool);

/** The resources with a fixed URI whose tools are listed. */
export function resourcesFor(graphId: string, tools: readonly ListedTool[]): Resource[] {
  if (!isListed(tools, 'get-graph-schema')) return [];
  return [
    {
      uri: `graph://${graphId}/schema`,
      name: 'schema',
      title: 'Schema of the graph',
      description: 'Labels, properties and relationships of the analytical graph.',
      mimeType: 'application/json',
    },
  ];
}

/** The templates of resources whose tools are listed. */
export function resourceTemplatesFor(graphId: string, tools: readonly ListedTool[]): ResourceTemplateType[] {
  if (!readsDocuments(tools)) return [];
  return [
    {
      uriTemplate: documentUri(graphId, '{document_id}'),
      name: 'document',
      title: 'Document of the graph',
      mimeType: 'application/json',
    },
  ];
}

/** True for the URI of a document of this graph. */
export function isDocumentUri(graphId: string, uri: string): boolean {
  return documentPattern.exec(uri)?.[1] === graphId;
}

export function documentUri(graphId: string, documentId: string): string {
  return `graph://${graphId}/documents/${documentId}`;
}

/** True if the caller can read documents as resources. */
export function readsDocuments(tools: readonly ListedTool[]): boolean {
  return isListed(tools, 'get-document');
}

/** Reads a resource through its tool; undefined if there is none for this caller. */
export async function readResource(
  catalog: ToolCatalog,
  scope: McpScope,
  uri: string,
): Promise<(ReadResourceResult & { ttlMs?: number; cacheScope?: 'private' }) | undefined> {
  for (const { tool, pattern, mimeType, ttlMs, argumentsOf } of toolResources) {
    const match = pattern.exec(uri);
    if (match === null || match[1] !== scope.graphId) continue;
    const result = await callTool(catalog, scope, { name: tool, arguments: argumentsOf(match), signal: scope.signal });
    if (result.isError && isUnknown(result)) return undefined;
    if (result.isError) throw new ProtocolError(ProtocolErrorCode.InternalError, notReadable);
    return {
      contents: [{ uri, mimeType, text: result.text }],
      ...(scope.isStateless ? { ttlMs, cacheScope: 'private' } : {}),
    };
  }
  return undefined;
}

/** True if the caller may not know of the resource, which is refused like one that does not exist. */
function isUnknown({ code }: ToolResult): boolean {
  return code === 'not_found' || code === 'not_available' || code === 'forbidden';
}
