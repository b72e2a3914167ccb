import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';

/** What the client of a request declares; nothing in the revisions with a handshake (ai-surface M-10, M-20a). */
export function clientCapabilities(ctx: ServerContext): Readonly<Record<string, unknown>> {
  const envelope: Readonly<Record<string, unknown>> = { ...ctx.mcpReq.envelope };
  return objectOf(envelope[CLIENT_CAPABILITIES_META_KEY]);
}

/** The fields of an object; none for any other value. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
