import type { VerifiedUsers } from '../auth/verified-users.ts';
import { createToken, type Token } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import { ServiceError } from '../errors/service-error.ts';
import { validationFailure } from '../errors/to-wire.ts';
import type { GraphSchemas } from '../graph-schema/index.ts';
import createGraphRequest from '../models/CreateGraphRequest.ts';
import type { SchemaValidator } from '../schema/validate.ts';
import type { Clock, Domains, Ids } from '../services/kernel-tokens.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { Transaction } from '../store/store.ts';
import { newGraphId } from './graph-id.ts';
import { freePlace, type GraphPlace, holdPlace, requireGraphQuota } from './graph-places.ts';
import { customerTiers } from './graph-tiers.ts';
import { type NewGraph, type NewGraphRequest, planGraph } from './new-graph-rules.ts';
import { type ProvisioningGate, requirePayment } from './provisioning-gates.ts';

interface AdmissionServices {
  readonly verifiedUsers: VerifiedUsers;
  readonly validator: SchemaValidator;
  readonly domains: Domains;
  readonly schemas: GraphSchemas;
  readonly settings: KernelSettings;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** A request for a graph, to be created now or after a payment. */
export interface GraphOrder {
  readonly caller: Caller;
  readonly request: unknown;
  /** The path of the request in the caller's body, for the locations of its issues. */
  readonly at?: readonly string[];
}

/**
 * All checks before a graph is created. Creation and checkout both use them, so that
 * nobody pays for a graph that is refused afterwards (platform A-15, B-6, U-9).
 */
export class GraphAdmission {
  readonly #use: AdmissionServices;

  constructor(use: AdmissionServices) {
    this.#use = use;
  }

  /**
   * Checks everything that does not depend on the request, in this order: the verified address, the role, the quota
   * (403), then the payment (402). Returns the organization of the new graph. In a kernel transaction.
   */
  async requireStanding(
    tx: Transaction,
    caller: Caller,
    place: GraphPlace,
    gates: readonly ProvisioningGate[] = [],
  ): Promise<string> {
    await this.#use.verifiedUsers.requireVerified(tx, caller.userId);
    const orgId = await requireGraphQuota(tx, caller, place);
    await requirePayment(gates, tx, orgId, 'graph');
    return orgId;
  }

  /** Builds the graph to store from a request. Throws 422 if the request violates a rule. */
  plan(request: unknown, at: readonly string[] = []): NewGraph {
    const { validator, domains, schemas, settings } = this.#use;
    // The validator fills in defaults in place, so it must not work on the caller's value.
    const checked = validator.check(createGraphRequest, structuredClone(request), 'body');
    const planned = checked.ok
      ? planGraph(checked.value as NewGraphRequest, { domains, schemas, tiers: customerTiers(settings) })
      : checked;
    if (planned.ok) return planned.graph;
    throw validationFailure(planned.issues.map((issue) => ({ ...issue, loc: ['body', ...at, ...issue.loc.slice(1)] })));
  }

  /**
   * Counts a graph whose creation is accepted in this transaction against the quota, under the id reserved for the
   * caller or a new one. Throws 403, 402 or 422. Returns the id.
   */
  async admit(
    tx: Transaction,
    { caller, request }: GraphOrder,
    { promisedId, gates }: { readonly promisedId: string | undefined; readonly gates: readonly ProvisioningGate[] },
  ): Promise<string> {
    const graphId = promisedId ?? this.#newId();
    const orgId = await this.requireStanding(tx, caller, { graphId, hold: true }, gates);
    this.plan(request);
    const promisedTo = promisedId === undefined ? orgId : await freePlace(tx, promisedId);
    if (promisedTo === orgId) return graphId;
    throw new ServiceError('forbidden', 'FORBIDDEN', 'This graph id is not reserved for your organization.');
  }

  /**
   * Reserves a graph that is about to be paid for: it counts against the quota until its creation is accepted or the
   * reservation is withdrawn. Throws what `admit` throws, except 402. Returns the id of the future graph.
   */
  async promise(tx: Transaction, { caller, request, at }: GraphOrder): Promise<string> {
    const graphId = this.#newId();
    const orgId = await this.requireStanding(tx, caller, { graphId, hold: true });
    this.plan(request, at);
    await holdPlace(tx, { graphId, orgId, userId: caller.userId, now: this.#use.clock.now() });
    return graphId;
  }

  /** Withdraws a reservation; no effect once the creation has started. */
  async withdraw(tx: Transaction, graphId: string): Promise<void> {
    await freePlace(tx, graphId);
  }

  #newId(): string {
    return newGraphId(this.#use.ids.make('graph'));
  }
}

export const graphAdmission: Token<GraphAdmission> = createToken('kernel.graph-admission');
