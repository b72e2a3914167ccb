import { type Contribution, contribute, kernel } from '@pacioli/core';
import { statementStructures } from '@pacioli/taxonomy';
import { StoredEntities } from '../parties/index.ts';
import { legalFormOf } from './templates.ts';

/** Creates the company of a new graph, with the layout of statements that its legal form has. */
export const newCompany: Contribution = contribute(kernel.graphProvisioners, 'ledger', {
  services: { ids: kernel.ids, graphs: kernel.graphs, statements: statementStructures },
  create: (use) => ({
    domain: 'ledger',
    provision: async ({ tx, graphId, entity, now }) => {
      const graph = await use.graphs.find(tx, graphId);
      // A company without a legal form gets the layout that shows all of its books (taxonomy LB-22).
      const form = entity?.entity_type;
      const style = form == null || form === '' ? undefined : use.statements.styleIdFor(legalFormOf(form));
      const company =
        entity === null ? null : { ...entity, reporting_style_id: entity.reporting_style_id ?? style ?? null };
      await new StoredEntities(use.ids).create(tx, graph?.name ?? graphId, company, now);
    },
  }),
});
