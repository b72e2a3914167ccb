import { notFound, ServiceError, type Transaction } from '@pacioli/core';
import type { Entities, EntitySummary, LinkedEntities, NamedEntity } from '@pacioli/ledger';
import { lockForSource } from '../values/index.ts';
import type { SecurityFields } from './stored-securities.ts';

type Issuer = Pick<SecurityFields, 'entity_id' | 'issuer_origin'>;

const noIssuer: Issuer = { entity_id: null, issuer_origin: null };

/** Finds the issuers of securities among the entities of the graph. */
export class Issuers {
  readonly #entities: Entities;
  readonly #linked: LinkedEntities;

  constructor(use: { readonly entities: Entities; readonly linkedEntities: LinkedEntities }) {
    this.#entities = use.entities;
    this.#linked = use.linkedEntities;
  }

  /** The entity that the caller named; 404 when the graph does not have it (S-2.1, S-12). */
  async named(tx: Transaction, entityId: string): Promise<Issuer> {
    await this.require(tx, entityId);
    return { entity_id: entityId, issuer_origin: 'caller' };
  }

  /** The entity that is linked to a source graph; none until the issuer's first share (S-2.2). */
  async ofSource(tx: Transaction, sourceGraphId: string | null): Promise<Issuer> {
    if (sourceGraphId === null) return noIssuer;
    await lockForSource(tx, sourceGraphId);
    const entityId = await this.#linked.find(tx, sourceGraphId);
    return entityId === undefined ? noIssuer : { entity_id: entityId, issuer_origin: 'source_graph' };
  }

  /** An entity of this graph; throws 404 for another id. */
  async require(tx: Transaction, entityId: string): Promise<EntitySummary> {
    const entity = (await this.#entities.summaries(tx, [entityId])).get(entityId);
    if (entity === undefined) throw notFound('Entity not found.');
    return entity;
  }

  /** Refuses an issuer that is linked to another graph than the one stated for the security (S-5). */
  async requireSameSource(tx: Transaction, entityId: string | null, sourceGraphId: string | null): Promise<void> {
    if (entityId === null || sourceGraphId === null) return;
    const { sourceGraphId: linkedTo } = await this.require(tx, entityId);
    if (linkedTo !== null && linkedTo !== sourceGraphId)
      throw new ServiceError('conflict', 'SOURCE_GRAPH_MISMATCH', 'Entity is linked to a different source graph.');
  }

  /** The entities of the graph with these exact names or CIKs. */
  called(
    tx: Transaction,
    by: { readonly names: readonly string[]; readonly ciks: readonly string[] },
  ): Promise<readonly NamedEntity[]> {
    return this.#entities.called(tx, by);
  }

  summaries(tx: Transaction, entityIds: readonly (string | null)[]): Promise<ReadonlyMap<string, EntitySummary>> {
    return this.#entities.summaries(tx, [...new Set(entityIds.filter((id) => id !== null))]);
  }
}
