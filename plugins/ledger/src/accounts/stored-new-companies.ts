import type { Graphs, Ids, InitialEntity, Transaction } from '@pacioli/core';
import type { Statements } from '@pacioli/taxonomy';
import { StoredEntities } from '../parties/index.ts';
import type { NewCompanies } from './new-companies.ts';
import { legalFormOf } from './templates.ts';

interface UsedServices {
  readonly ids: Ids;
  readonly graphs: Graphs;
  readonly statements: Statements;
}

export class StoredNewCompanies implements NewCompanies {
  readonly #use: UsedServices;

  constructor(use: UsedServices) {
    this.#use = use;
  }

  async ensure(
    tx: Transaction,
    { entity, now }: { readonly entity: InitialEntity | null; readonly now: Date },
  ): Promise<void> {
    const { ids, graphs, statements } = this.#use;
    const entities = new StoredEntities(ids);
    if ((await entities.primary(tx)) !== undefined) return;
    const graph = await graphs.find(tx, tx.graphId);
    // A company without a legal form gets the layout that shows all of its books (taxonomy LB-22).
    const form = entity?.entity_type;
    const style = form == null || form === '' ? undefined : statements.styleIdFor(legalFormOf(form));
    const company =
      entity === null ? null : { ...entity, reporting_style_id: entity.reporting_style_id ?? style ?? null };
    await entities.create(tx, graph?.name ?? tx.graphId, company, now);
  }
}
