import { ReportFiles } from '../serialization/downloads/index.ts';
import { Deliveries } from './deliveries.ts';
import type { DistributionServices } from './services.ts';
import {
  closeDelivery,
  type DeliveryRow,
  dueDeliveries,
  removeDeliveriesOfRun,
  runsWithDeliveries,
  takeOverDelivery,
} from './share-rows.ts';

/** After this many attempts, an interrupted delivery is abandoned. */
const maxAttempts = 5;

/** The statuses of a run that has not ended. */
const openStatuses = ['pending', 'running', 'awaiting_input'];

interface Turn {
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Completes what interrupted calls and ended runs leave behind, in all graphs (D-12). */
export class InterruptedShares {
  readonly #use: DistributionServices;
  readonly #deliveries: Deliveries;
  readonly #files: ReportFiles;

  constructor(use: DistributionServices) {
    this.#use = use;
    this.#deliveries = new Deliveries(use);
    this.#files = new ReportFiles(use.files);
  }

  /** Completes interrupted deliveries, at most 100. A run continues its deliveries itself when it restarts. */
  async complete({ now, signal }: Turn): Promise<void> {
    const due = await this.#use.store.transaction('kernel', (tx) => dueDeliveries(tx, now), { readOnly: true });
    for (const { graph_id: graphId, report_id: reportId, target_graph_id: targetGraphId } of due) {
      signal.throwIfAborted();
      const row = await this.#use.store.transaction({ graphId }, (tx) =>
        takeOverDelivery(tx, { reportId, targetGraphId }, now),
      );
      if (row !== undefined) await this.#retry(graphId, row, signal);
    }
  }

  /** Removes the deliveries of runs that have ended: a canceled run delivers nothing more. */
  async removeEnded({ signal }: Pick<Turn, 'signal'>): Promise<void> {
    const { store, runs } = this.#use;
    const found = await store.transaction('kernel', (tx) => runsWithDeliveries(tx), { readOnly: true });
    for (const { graph_id: graphId, operation_id: operationId, snapshot_key: snapshotKey } of found) {
      signal.throwIfAborted();
      if (operationId === null) continue;
      const isEnded = await store.transaction({ graphId }, async (tx) => {
        const state = await runs.state(tx, operationId); // Undefined for a run whose record was removed since.
        if (state !== undefined && openStatuses.includes(state.status)) return false;
        await removeDeliveriesOfRun(tx, operationId);
        return true;
      });
      if (isEnded) await this.#deliveries.removeUnused(graphId, snapshotKey);
    }
  }

  async #retry(graphId: string, row: DeliveryRow, signal: AbortSignal): Promise<void> {
    const { report_id: reportId, target_graph_id: targetGraphId, snapshot_key: key } = row;
    const [target] = await this.#deliveries.validated([targetGraphId]);
    if (target?.refusal === undefined && row.attempts <= maxAttempts && (await this.#files.exists(key))) {
      const delivery = { graphId, reportId, targetGraphId, sharedBy: row.requested_by, now: row.requested_at };
      await this.#deliveries.complete({ ...delivery, snapshotKey: key, signal });
    } else {
      this.#use.log.warn('an interrupted share was abandoned', { graphId, reportId });
      await this.#use.store.transaction({ graphId }, (tx) => closeDelivery(tx, { reportId, targetGraphId }, null));
    }
    await this.#deliveries.removeUnused(graphId, key);
  }
}
