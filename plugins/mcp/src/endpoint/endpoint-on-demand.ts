import { createToken, type RouteContext, type StreamAnswer } from '@pacioli/core';
import type { Answer } from '../protocol/index.ts';
import type { EndpointServices } from './create-endpoint.ts';
import type { McpEndpoint, Place } from './mcp-endpoint.ts';

/**
 * Answers requests of the Model Context Protocol. Loads the package of the protocol with the first request, because it
 * takes several megabytes and many services never have an AI client.
 */
export class EndpointOnDemand {
  readonly #services: EndpointServices;
  #endpoint: Promise<McpEndpoint> | undefined;

  constructor(services: EndpointServices) {
    this.#services = services;
  }

  async answer(ctx: RouteContext, place: Place): Promise<Answer | StreamAnswer> {
    this.#endpoint ??= this.#load();
    return (await this.#endpoint).answer(ctx, place);
  }

  async #load(): Promise<McpEndpoint> {
    try {
      const { createEndpoint } = await import('./create-endpoint.ts');
      return createEndpoint(this.#services);
    } catch (error) {
      this.#endpoint = undefined; // The next request tries again.
      throw error;
    }
  }
}

export const mcpEndpoint = createToken<EndpointOnDemand>('mcp.endpoint');
