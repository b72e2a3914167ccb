import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolResult } from '@pacioli/core';

/** The result of a call in the form of the protocol (ai-surface M-37). */
export function callResultOf({ text, structured, isError, operationId }: ToolResult) {
  return {
    content: [{ type: 'text', text }],
    ...(structured === undefined ? {} : { structuredContent: structured as Record<string, unknown> }),
    ...(isError ? { isError } : {}),
    ...(operationId === undefined ? {} : { _meta: { operationId } }),
  } satisfies CallToolResult;
}
