import type { EventPublisher, Transaction } from '@pacioli/core';
import type { TaxonomyBlocks } from './blocks/index.ts';
import type { ChartOfAccounts } from './charts/index.ts';
import mappingChanged from './events/mapping-changed.ts';
import type { MappingEdits } from './mapping/index.ts';

/** Announces changes of mappings as business events, in the transaction of the change (taxonomy M-23). */
export class MappingAnnouncements {
  readonly #events: EventPublisher;

  constructor(events: EventPublisher) {
    this.#events = events;
  }

  async changed(tx: Transaction, graphId: string, by: string | null): Promise<void> {
    await this.#events.publish(tx, mappingChanged, { graph_id: graphId, changed_by: by }, graphId);
  }

  /** A chart that is created with a mapping. */
  ofCharts(charts: ChartOfAccounts): ChartOfAccounts {
    return {
      ...charts,
      create: async (tx, chart) => {
        const created = await charts.create(tx, chart);
        if (created.mappingsCreated > 0) await this.changed(tx, tx.graphId, chart.createdBy);
        return created;
      },
    };
  }

  ofEdits(edits: MappingEdits): MappingEdits {
    return {
      add: async (work, request, approvedBy) => {
        const added = await edits.add(work, request, approvedBy);
        await this.changed(work.tx, work.tx.graphId, work.userId);
        return added;
      },
      remove: async (work, mappingId, associationId) => {
        await edits.remove(work, mappingId, associationId);
        await this.changed(work.tx, work.tx.graphId, work.userId);
      },
    };
  }

  /** Requests that may add or remove arcs of a mapping: with arcs, or that remove what arcs need. */
  ofBlocks(blocks: TaxonomyBlocks): TaxonomyBlocks {
    return {
      ...blocks,
      create: async (work, request) => {
        const created = await blocks.create(work, request);
        if (request.associations?.some(isMappingArc)) await this.changed(work.tx, work.tx.graphId, work.userId);
        return created;
      },
      update: async (work, request) => {
        const updated = await blocks.update(work, request);
        const removals = [request.associations_to_remove, request.structures_to_remove, request.elements_to_remove];
        if (request.associations_to_add?.some(isMappingArc) || removals.some((ids = []) => ids.length > 0))
          await this.changed(work.tx, work.tx.graphId, work.userId);
        return updated;
      },
      remove: async (work, request) => {
        const removed = await blocks.remove(work, request);
        await this.changed(work.tx, work.tx.graphId, work.userId);
        return removed;
      },
    };
  }
}

const isMappingArc = ({ association_type: type }: { readonly association_type?: string | null | undefined }): boolean =>
  type === 'mapping' || type === 'equivalence';
