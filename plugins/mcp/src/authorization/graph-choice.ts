import {
  type Caller,
  type Domains,
  type Graph,
  type GraphAccess,
  isGraphId,
  isServiceError,
  type OfferedRepository,
  type RequestFacts,
  ServiceError,
} from '@pacioli/core';
import { noGraphAccess, refusedDecision } from './refusals.ts';
import { isProfileName } from './resources.ts';

/** Repositories have names instead of ids; a subgraph follows after an underscore (graphs G-2). */
const repositoryForm = /^([a-z][a-z0-9]{1,30})(_[a-z0-9]{1,20})?$/;

/** The repository that is known even if no plugin offers it (platform, grammar of graph ids). */
const defaultRepository = 'sec';

/** The graphs that a user may connect to an app. */
export class GraphChoice {
  readonly #access: GraphAccess;
  readonly #domains: Domains;
  readonly #repositories: ReadonlySet<string>;

  constructor(use: {
    readonly access: GraphAccess;
    readonly domains: Domains;
    readonly repositories: readonly OfferedRepository[];
  }) {
    this.#access = use.access;
    this.#domains = use.domains;
    this.#repositories = new Set([defaultRepository, ...use.repositories.map(({ key }) => key)]);
  }

  /** True for the path name of a domain of this deployment (M-52). */
  isProfile(name: string): boolean {
    return isProfileName(name) && this.#domains.resolve(name) !== undefined;
  }

  /** The extension that a profile is for, by the name that lists of graphs have; a profile may be an alias of it. */
  extensionOf(profile: string): string {
    return this.#domains.wireName(this.#domains.resolve(profile) ?? profile);
  }

  /** True if the text can name a graph or is that of a repository, whether or not one exists (O-2). */
  isGraphName(text: string): boolean {
    return isGraphId(text) || this.#repositories.has(repositoryForm.exec(text)?.[1] ?? '');
  }

  /** Throws 400 for a malformed id, and 403 unless the user can read the graph now and it fits the profile (O-23). */
  async require(
    caller: Caller,
    of: { readonly graphId: string; readonly profile: string | undefined; readonly request: RequestFacts },
  ): Promise<void> {
    if (!this.isGraphName(of.graphId)) throw refusedDecision('graph_id is not the id of a graph');
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
