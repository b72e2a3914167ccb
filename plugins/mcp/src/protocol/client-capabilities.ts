import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';

/** What the client of a request declares; nothing in the revisions with a handshake (ai-surface M-10, M-20a). */
export function clientCapabilities(ctx: ServerContext): Readonly<Record<string, unknown>> {
  const envelope: Readonly<Record<string, unknown>> = { ...ctx.mcpReq.envelope };
  return objectOf(envelope[CLIENT_CAPABILITIES_META_KEY]);
}

/** True if the client can ask a person by a form (ai-surface M-20d). */
export function canAsk(ctx: ServerContext): boolean {
  const capabilities = clientCapabilities(ctx);
  if (!('elicitation' in capabilities)) return false;
  // A client that names no way has the first one that there was, the form.
  const ways = objectOf(capabilities['elicitation']);
  return 'form' in ways || !('url' in ways);
}

/** The fields of an object; none for any other value. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
