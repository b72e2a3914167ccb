import {
  type Caller,
  type Domains,
  type Graph,
  type GraphAccess,
  isServiceError,
  type RequestFacts,
  ServiceError,
} from '@pacioli/core';
import { noGraphAccess, refusedDecision } from './refusals.ts';
import { isGraphName, isProfileName } from './resources.ts';

/** The graphs that a user may connect to an app. */
export class GraphChoice {
  readonly #access: GraphAccess;
  readonly #domains: Domains;

  constructor(use: { readonly access: GraphAccess; readonly domains: Domains }) {
    this.#access = use.access;
    this.#domains = use.domains;
  }

  /** True for the path name of a domain of this deployment (M-52). */
  isProfile(name: string): boolean {
    return isProfileName(name) && this.#domains.resolve(name) !== undefined;
  }

  /** Throws 400 for a malformed id, and 403 unless the user can read the graph now and it fits the profile (O-23). */
  async require(
    caller: Caller,
    of: { readonly graphId: string; readonly profile: string | undefined; readonly request: RequestFacts },
  ): Promise<void> {
    if (!isGraphName(of.graphId)) throw refusedDecision('graph_id is not the id of a graph');
    const graph = await this.find(caller, of.graphId, of.request);
    if (graph === undefined) throw noGraphAccess();
    if (of.profile === undefined || this.#fits(graph, of.profile)) return;
    throw new ServiceError('forbidden', 'FORBIDDEN', `That graph does not have ${of.profile}. Choose another graph.`);
  }

  /** Returns the graph if the caller can read it, else undefined; a failure of the service is thrown (O-40). */
  async find(caller: Caller, graphId: string, request: RequestFacts = {}): Promise<Graph | undefined> {
    try {
      return await this.#access.enterGraph(caller, graphId, request);
    } catch (error) {
      if (isServiceError(error) && ['forbidden', 'not_found', 'invalid_input'].includes(error.kind)) return undefined;
      throw error;
    }
  }

  #fits(graph: Graph, profile: string): boolean {
    const domain = this.#domains.resolve(profile);
    return graph.parentId === undefined && domain !== undefined && graph.extensions.includes(domain);
  }
}
