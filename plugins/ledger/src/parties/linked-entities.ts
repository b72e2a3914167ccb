import { type CollectionEntry, type Ids, sql, type Transaction } from '@pacioli/core';
import type { LedgerEntity } from '../rows.gen.ts';

/** The public details of an issuer; each share overwrites them with the issuer's current values (investor H-14). */
export type LinkedEntityFields = Pick<
  LedgerEntity,
  'name' | 'legal_name' | 'entity_type' | 'industry' | 'cik' | 'ticker' | 'state_of_incorporation'
>;

/** The issuer behind a graph that shares its reports into this one. */
export interface SharedEntity {
  readonly sourceGraphId: string;
  /** Null if the issuer's details could not be read: a known entity stays as it is (investor H-12). */
  readonly fields: LinkedEntityFields | null;
  /** Stored with a new entity only; null when unknown (investor H-13). */
  readonly addressCountry: string | null;
}

/** Entities of issuers that share reports into the graph, one for each source graph (investor 7.3). */
export interface LinkedEntities {
  /** The id of the entity that is linked to a source graph. */
  find(tx: Transaction, sourceGraphId: string): Promise<string | undefined>;
  /**
   * Creates or updates the entity of a source graph, tells the listeners in the same transaction, and returns its id.
   * Concurrent calls for one source graph wait for each other.
   */
  ensure(tx: Transaction, entity: SharedEntity, now: Date): Promise<string>;
}

/** An entity that is linked to a source graph, new or known. */
export interface LinkedEntity {
  readonly tx: Transaction;
  readonly sourceGraphId: string;
  readonly entityId: string;
  readonly now: Date;
}

/** Called in the transaction of a share, after the entity is written; an error rolls the share back (investor H-15). */
export interface LinkedEntityListener extends CollectionEntry {
  linked(entity: LinkedEntity): Promise<void>;
}

/** Tells which sources a graph has named itself, such as the issuer of a holding (investor X-7). */
export interface DeclaredSources extends CollectionEntry {
  /** True if the graph declares that it wants reports of the source. */
  declares(tx: Transaction, sourceGraphId: string): Promise<boolean>;
}

/** The linked entities of a graph. None is a parent, so none is ever the company whose books the graph keeps. */
export class StoredLinkedEntities implements LinkedEntities {
  readonly #ids: Ids;
  readonly #listeners: readonly LinkedEntityListener[];

  constructor(use: { readonly ids: Ids; readonly listeners: readonly LinkedEntityListener[] }) {
    this.#ids = use.ids;
    this.#listeners = use.listeners;
  }

  async find(tx: Transaction, sourceGraphId: string): Promise<string | undefined> {
    const [row] = await tx.query(sql<Pick<LedgerEntity, 'id'>>`
      SELECT id FROM ledger_entity
      WHERE graph_id = ${tx.graphId} AND source = 'linked' AND source_graph_id = ${sourceGraphId}`);
    return row?.id;
  }

  async ensure(tx: Transaction, entity: SharedEntity, now: Date): Promise<string> {
    const { sourceGraphId, fields } = entity;
    const entityId = await this.#write(tx, entity, fields ?? unreadable(sourceGraphId), now);
    for (const listener of this.#listeners) await listener.linked({ tx, sourceGraphId, entityId, now });
    return entityId;
  }

  async #write(tx: Transaction, entity: SharedEntity, fields: LinkedEntityFields, now: Date): Promise<string> {
    // A known entity is written in any case, so that the row is returned and locked.
    const change =
      entity.fields === null
        ? sql`name = e.name`
        : sql`name = excluded.name, legal_name = excluded.legal_name, entity_type = excluded.entity_type,
        industry = excluded.industry, cik = excluded.cik, ticker = excluded.ticker,
        state_of_incorporation = excluded.state_of_incorporation, updated_at = excluded.updated_at`;
    const [row] = await tx.query(sql<Pick<LedgerEntity, 'id'>>`
      INSERT INTO ledger_entity AS e (graph_id, id, name, legal_name, entity_type, industry, cik, ticker,
        state_of_incorporation, address_country, is_parent, source, source_graph_id, created_at, updated_at)
      VALUES (${tx.graphId}, ${this.#ids.make('ent')}, ${fields.name}, ${fields.legal_name}, ${fields.entity_type},
        ${fields.industry}, ${fields.cik}, ${fields.ticker}, ${fields.state_of_incorporation}, ${entity.addressCountry},
        false, 'linked', ${entity.sourceGraphId}, ${now}, ${now})
      ON CONFLICT (graph_id, source_graph_id) WHERE source = 'linked' AND source_graph_id IS NOT NULL
      DO UPDATE SET ${change} RETURNING id`);
    if (row === undefined) throw new Error('An entity must be returned when it is written.');
    return row.id;
  }
}

function unreadable(sourceGraphId: string): LinkedEntityFields {
  const unknown = { legal_name: null, entity_type: null, industry: null, cik: null, ticker: null };
  return { name: `Entity (${sourceGraphId})`, ...unknown, state_of_incorporation: null };
}
