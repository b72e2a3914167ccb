import { type Message, objectOf } from '../protocol/index.ts';
import { isDocumentUri } from '../server/index.ts';

/** The most documents that one stream may watch; a client that needs more watches the list (ai-surface M-20f). */
export const maxWatchedUris = 100;

/** The changes that a client subscribes to. */
export interface ListenFilter {
  readonly tools: boolean;
  readonly resources: boolean;
  readonly uris: ReadonlySet<string>;
}

/**
 * Reads the filter of `subscriptions/listen`. Removes from the message the URIs that are no documents of this graph, so
 * that the acknowledgment names only the others. The official router refuses a malformed filter.
 */
export function readFilter(
  message: Message,
  graphId: string,
): { readonly message: Message; readonly filter: ListenFilter } | { readonly problem: string } {
  const notifications = objectOf(message.params?.['notifications']);
  const { resourceSubscriptions: uris, toolsListChanged, resourcesListChanged } = notifications;
  const isList = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
  const watched = new Set(isList ? uris.filter((uri) => isDocumentUri(graphId, uri)) : []);
  if (watched.size > maxWatchedUris)
    return {
      problem: `Invalid params: at most ${maxWatchedUris} resourceSubscriptions. Ask for resourcesListChanged instead.`,
    };
  const narrowed = { ...notifications, resourceSubscriptions: [...watched] };
  return {
    message: isList ? { ...message, params: { ...message.params, notifications: narrowed } } : message,
    filter: { tools: toolsListChanged === true, resources: resourcesListChanged === true, uris: watched },
  };
}
