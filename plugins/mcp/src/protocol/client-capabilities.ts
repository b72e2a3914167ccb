import type { CLIENT_CAPABILITIES_META_KEY, ServerContext } from '@modelcontextprotocol/server';
import { objectOf } from './json-rpc.ts';

/** A copy, because importing the value would load the package of the protocol at start. */
const capabilitiesKey: typeof CLIENT_CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The capabilities that the client of a request declares; none in the revisions with a handshake (ai-surface M-10, M-20a). */
export function clientCapabilities(ctx: ServerContext): Readonly<Record<string, unknown>> {
  const envelope: Readonly<Record<string, unknown>> = { ...ctx.mcpReq.envelope };
  return objectOf(envelope[capabilitiesKey]);
}

/** True if the client can ask a person by a form (ai-surface M-20d). */
export function canAsk(ctx: ServerContext): boolean {
  const capabilities = clientCapabilities(ctx);
  if (!('elicitation' in capabilities)) return false;
  // Forms were the first mode of the protocol, so a client that names no mode has it.
  const modes = objectOf(capabilities['elicitation']);
  return 'form' in modes || !('url' in modes);
}
