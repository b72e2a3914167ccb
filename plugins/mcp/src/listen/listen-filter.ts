import type { Message } from '../protocol/index.ts';
import { isDocumentUri } from '../server/index.ts';

/** The documents that one stream may watch; whoever wants more watches the list (ai-surface M-20f). */
export const maxWatchedUris = 100;

/** What a client wants to hear of. */
export interface ListenFilter {
  readonly tools: boolean;
  readonly resources: boolean;
  readonly uris: ReadonlySet<string>;
}

/**
 * Reads the filter of `subscriptions/listen`, and takes what cannot change on this graph out of the message, so that the
 * acknowledgment names the rest. The official router refuses a filter of another form.
 */
export function readFilter(
  message: Message,
  graphId: string,
): { readonly message: Message; readonly filter: ListenFilter } | { readonly problem: string } {
  const asked = objectOf(message.params?.['notifications']);
  const { resourceSubscriptions: uris, toolsListChanged, resourcesListChanged } = asked ?? {};
  const isList = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
  const watched = isList ? new Set(uris.filter((uri) => isDocumentUri(graphId, uri))) : new Set<string>();
  if (watched.size > maxWatchedUris)
    return {
      problem: `Invalid params: at most ${maxWatchedUris} resourceSubscriptions. Ask for resourcesListChanged instead.`,
    };
  const notifications = isList ? { ...asked, resourceSubscriptions: [...watched] } : asked;
  return {
    message: asked === undefined ? message : { ...message, params: { ...message.params, notifications } },
    filter: { tools: toolsListChanged === true, resources: resourcesListChanged === true, uris: watched },
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}
