import type { ChangeFeed, Clock, Ids, Store } from '@pacioli/core';
import { ChangeStreams } from '../listen/index.ts';
import { Confirmations } from '../server/index.ts';
import { McpEndpoint, type McpEndpointServices } from './mcp-endpoint.ts';

/** The services and settings from which the endpoint is built. */
export interface EndpointServices extends Omit<McpEndpointServices, 'confirmations' | 'changes'> {
  readonly feed: ChangeFeed;
  readonly confirmationKey: Uint8Array;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Builds the endpoint. Only `EndpointOnDemand` imports this file, because it loads the package of the protocol. */
export function createEndpoint({ feed, confirmationKey, store, clock, ids, ...use }: EndpointServices): McpEndpoint {
  return new McpEndpoint({
    ...use,
    changes: new ChangeStreams(feed),
    confirmations: new Confirmations({ key: confirmationKey, store, clock, ids }),
  });
}
