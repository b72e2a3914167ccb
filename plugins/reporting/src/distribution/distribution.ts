import type { RunContext, Transaction } from '@pacioli/core';
import { findReport, lockReport, type ReportRow, writeConflict } from '../reports/index.ts';
import { ReportFiles } from '../serialization/downloads/index.ts';
import { Deliveries, type Delivery } from './deliveries.ts';
import { deliveryErrors, type ShareResult } from './refusals.ts';
import { removeCopies } from './report-copy.ts';
import type { DistributionServices } from './services.ts';
import { failed, requireRevocable, requireShareable } from './share-checks.ts';
import {
  closeDelivery,
  deliveriesOfRun,
  findDeliveries,
  isInProgress,
  openDeliveries,
  type RunDelivery,
  revokeShares,
} from './share-rows.ts';
import { countSharedFacts, snapshotKey, writeSnapshot } from './share-snapshot.ts';
import { findGraphs } from './target-graphs.ts';

/** A request of the sender concerning one of its reports. */
export interface ShareWork {
  readonly graphId: string;
  readonly reportId: string;
  readonly userId: string;
  readonly now: Date;
}

/** A request to share a report with the members of a list. */
export interface ListShare extends ShareWork {
  readonly listId: string;
}

interface Revocation {
  readonly report_id: string;
  readonly target_graph_id: string;
  readonly revoked_at: string;
  readonly copy_deleted: boolean;
}

/**
 * Shares reports with other graphs and withdraws them. Small shares are delivered within the request, others by a run.
 * Each delivery has a row until its share is recorded, so that a job can complete an interrupted one (D-12).
 */
export class Distribution {
  readonly #use: DistributionServices;
  readonly #deliveries: Deliveries;

  constructor(use: DistributionServices) {
    this.#use = use;
    this.#deliveries = new Deliveries(use);
  }

  /** Delivers a small share and waits for all outcomes; undefined if it is work for a run (D-3, D-4, D-12). */
  async shareAtOnce(work: ListShare & { readonly signal: AbortSignal }): Promise<readonly ShareResult[] | undefined> {
    const { graphId, reportId, userId, now, signal } = work;
    const { store, ids, facts, settings } = this.#use;
    const key = snapshotKey(graphId, reportId, ids.make('snap'));
    const started = await store.transaction(
      { graphId },
      async (tx) => {
        const { report, targets } = await requireShareable(tx, work);
        const count = await countSharedFacts(tx, facts, reportId);
        if (count * targets.length > settings.maxFactsSharedAtOnce) return undefined;
        return { report, targets, isWithinLimits: await writeSnapshot(tx, this.#use, { report, key, signal }) };
      },
      { readOnly: true },
    );
    if (started === undefined) return undefined;
    const targets = await this.#deliveries.validated(started.targets);
    if (!started.isWithinLimits)
      return targets.map((target) => target.refusal ?? failed(target.id, deliveryErrors.tooLarge));
    const receiving = targets.flatMap(({ id, refusal }) => (refusal === undefined ? [id] : []));
    await this.#open(work, { report: started.report, key, receiving }).catch(async (error: unknown) => {
      await this.#deliveries.removeUnused(graphId, key);
      throw error;
    });
    const results: ShareResult[] = [];
    const delivery = { graphId, reportId, sharedBy: userId, now, snapshotKey: key, signal };
    for (const { id, refusal } of targets) {
      signal.throwIfAborted();
      results.push(refusal ?? (await this.#deliveries.complete({ ...delivery, targetGraphId: id })));
    }
    await this.#deliveries.removeUnused(graphId, key);
    return results;
  }

  /** Opens the deliveries of a run, in the transaction that accepts it; throws WRITE_CONFLICT during another share. */
  async accept(tx: Transaction, work: ListShare & { readonly operationId: string }): Promise<void> {
    const { graphId, reportId, userId, now, operationId } = work;
    const { targets } = await requireShareable(tx, work);
    const report = await lockReport(tx, reportId);
    if (report?.generation_status !== 'published') throw writeConflict(reportId);
    await this.#requireIdle(tx, reportId, now);
    const key = snapshotKey(graphId, reportId, this.#use.ids.make('snap'));
    const shared = { report_id: reportId, snapshot_key: key, requested_by: userId, requested_at: now };
    await openDeliveries(tx, targets, { ...shared, operation_id: operationId }, this.#use.clock.now());
  }

  /** Makes the deliveries of a run, except those that an earlier attempt has completed, and reports each. */
  async deliverRun(
    ctx: Pick<RunContext, 'operationId' | 'signal' | 'report' | 'now'>,
    work: Pick<ListShare, 'graphId' | 'reportId'>,
  ): Promise<readonly ShareResult[]> {
    const { graphId, reportId } = work;
    const { store } = this.#use;
    const rows = await store.transaction({ graphId }, (tx) => deliveriesOfRun(tx, ctx.operationId), { readOnly: true });
    const [first] = rows;
    if (first === undefined) throw writeConflict(reportId);
    await ctx.report({ message: 'Reading the report.', current_step: 0, total_steps: rows.length, percent: 0 });
    const isWithinLimits = await this.#writeOnce(graphId, first, ctx.signal);
    const targets = await this.#deliveries.validated(rows.map((row) => row.target_graph_id));
    const delivery = { graphId, reportId, snapshotKey: first.snapshot_key, sharedBy: first.requested_by };
    const results: ShareResult[] = [];
    for (const [index, row] of rows.entries()) {
      ctx.signal.throwIfAborted();
      const refusal =
        targets[index]?.refusal ?? (isWithinLimits ? undefined : failed(row.target_graph_id, deliveryErrors.tooLarge));
      const to = { ...delivery, targetGraphId: row.target_graph_id, now: ctx.now(), signal: ctx.signal };
      const result = row.outcome ?? (await this.#deliverOrRefuse(to, refusal));
      results.push(result);
      const done = results.length;
      await ctx.report({
        message: progressText(results, rows.length),
        current_step: done,
        total_steps: rows.length,
        percent: Math.floor((done * 100) / rows.length),
        details: { ...result },
      });
    }
    await this.#deliveries.removeUnused(graphId, first.snapshot_key);
    return results;
  }

  /** Withdraws a report from one graph: first the copies there, then the shares here (investor B-1). */
  async revoke(work: ShareWork & { readonly targetGraphId: string; readonly isAdmin: boolean }): Promise<Revocation> {
    const { graphId, reportId, targetGraphId, userId, now } = work;
    const { store, graphs } = this.#use;
    await store.transaction({ graphId }, (tx) => requireRevocable(tx, work));
    const removed = await store.transaction({ graphId: targetGraphId }, async (tx) => {
      const copies = await removeCopies(tx, this.#use, { sourceGraphId: graphId, sourceReportId: reportId });
      if (copies.length > 0) await graphs.markStale(tx, targetGraphId, 'report_share_revoked');
      return copies;
    });
    const isRecipientThere = (await findGraphs(this.#use, [targetGraphId])).size > 0;
    await store.transaction({ graphId }, async (tx) => {
      await closeDelivery(tx, work, null);
      await revokeShares(tx, { reportId, targetGraphId }, { userId, now });
    });
    return {
      report_id: reportId,
      target_graph_id: targetGraphId,
      revoked_at: now.toISOString(),
      // The rows of a deleted graph are removed some time after it, so that a copy may still be found in it (B-2).
      copy_deleted: isRecipientThere && removed.length > 0,
    };
  }

  /** Opens the deliveries of a snapshot; throws WRITE_CONFLICT if the report has changed since or is being shared. */
  async #open(
    { graphId, reportId, userId, now }: ShareWork,
    {
      report,
      key,
      receiving,
    }: { readonly report: ReportRow; readonly key: string; readonly receiving: readonly string[] },
  ): Promise<void> {
    await this.#use.store.transaction({ graphId }, async (tx) => {
      const locked = await lockReport(tx, reportId);
      if (locked?.generation !== report.generation || locked.generation_status !== 'published') {
        throw writeConflict(reportId);
      }
      const at = this.#use.clock.now();
      await this.#requireIdle(tx, reportId, at);
      const shared = { report_id: reportId, snapshot_key: key, requested_by: userId, requested_at: now };
      await openDeliveries(tx, receiving, { ...shared, operation_id: null }, at);
    });
  }

  async #requireIdle(tx: Transaction, reportId: string, now: Date): Promise<void> {
    const open = await findDeliveries(tx, reportId);
    if (open.some((delivery) => isInProgress(delivery, now))) throw writeConflict(reportId);
  }

  /** Writes the snapshot of a run unless an earlier attempt has, so that all recipients get the same content. */
  async #writeOnce(graphId: string, row: RunDelivery, signal: AbortSignal): Promise<boolean> {
    const { report_id: reportId, snapshot_key: key } = row;
    if (await new ReportFiles(this.#use.files).exists(key)) return true;
    return this.#use.store.transaction(
      { graphId },
      async (tx) => {
        const report = await findReport(tx, reportId);
        if (report?.generation_status !== 'published') throw writeConflict(reportId);
        return writeSnapshot(tx, this.#use, { report, key, signal });
      },
      { readOnly: true },
    );
  }

  async #deliverOrRefuse(delivery: Delivery, refusal: ShareResult | undefined): Promise<ShareResult> {
    if (refusal === undefined) return this.#deliveries.complete(delivery);
    const { graphId } = delivery;
    await this.#use.store.transaction({ graphId }, (tx) => closeDelivery(tx, delivery, refusal));
    return refusal;
  }
}

/** Such as `Delivered to 8 of 10 graphs; 1 did not get it.` after nine of them. */
function progressText(results: readonly ShareResult[], total: number): string {
  const delivered = results.filter(({ status }) => status === 'shared').length;
  const failures = results.length - delivered;
  return `Delivered to ${delivered} of ${total} graphs${failures === 0 ? '' : `; ${failures} did not get it`}.`;
}
