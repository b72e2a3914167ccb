import type { Graphs, Ids, InitialEntity, Transaction } from '@pacioli/core';
import type { Statements } from '@pacioli/taxonomy';
import { StoredEntities } from '../parties/index.ts';
import type { NewCompanies } from './new-companies.ts';
import { type LegalForm, legalFormOf } from './templates.ts';

/** The net assets of a nonprofit are mapped to members' equity, which only the layout of an LLC shows (ledger 1.3). */
const layoutOf: Readonly<Record<LegalForm, string>> = {
  corporation: 'corporation',
  llc: 'llc',
  partnership: 'partnership',
  nonprofit: 'llc',
};

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
    const style = form == null || form === '' ? undefined : statements.styleIdFor(layoutOf[legalFormOf(form)]);
    const company =
      entity === null ? null : { ...entity, reporting_style_id: entity.reporting_style_id ?? style ?? null };
    await entities.create(tx, graph?.name ?? tx.graphId, company, now);
  }
}
