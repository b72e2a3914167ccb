import { lockReport } from '../reports/index.ts';
import { ReportFiles } from '../serialization/downloads/index.ts';
import { readJsonLd, writeJsonLd } from '../serialization/json-ld/index.ts';
import { copiedBundle } from './copied-bundle.ts';
import { countCall } from './recent-calls.ts';
import { DeliveryRefusal, deliveryErrors, type ShareResult, writeConflict } from './refusals.ts';
import { hasCopy, removeCopies, type WrittenCopy, writeCopy } from './report-copy.ts';
import type { DistributionServices } from './services.ts';
import { failed, refusalOf, requireRevocable, requireShareable } from './share-checks.ts';
import {
  closeDelivery,
  type DeliveryRow,
  dueDeliveries,
  extendLeases,
  findDeliveries,
  isSnapshotUsed,
  openDeliveries,
  recordShare,
  revokeShares,
  takeOverDelivery,
} from './share-rows.ts';
import { openSnapshot, type SnapshotHead, snapshotKey, writeSnapshot } from './share-snapshot.ts';
import { acceptsFrom, lockSource } from './source-blocks.ts';
import { findGraphs, type GraphNames, namesOf } from './target-graphs.ts';

/** After this many attempts, an interrupted delivery is abandoned. */
const maxAttempts = 5;

/** A request of the sender concerning one of its reports. */
export interface ShareWork {
  readonly graphId: string;
  readonly reportId: string;
  readonly userId: string;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** The delivery of a report, from its snapshot, to one graph. */
interface Delivery {
  readonly graphId: string;
  readonly reportId: string;
  readonly targetGraphId: string;
  readonly sharedBy: string;
  readonly now: Date;
  readonly snapshotKey: string;
  readonly signal: AbortSignal;
}

interface Revocation {
  readonly report_id: string;
  readonly target_graph_id: string;
  readonly revoked_at: string;
  readonly copy_deleted: boolean;
}

/**
 * Delivers reports to other graphs. The sender and each recipient are written in separate transactions; the copy of a
 * recipient is written in one, so it is whole or absent. A row for each delivery exists until the share is recorded, from
 * which a job completes interrupted calls (D-12).
 */
export class Distribution {
  readonly #use: DistributionServices;
  readonly #files: ReportFiles;

  constructor(use: DistributionServices) {
    this.#use = use;
    this.#files = new ReportFiles(use.files);
  }

  /** Shares a report with every member of a list, and waits for all outcomes (D-3, D-4). */
  async share(work: ShareWork & { readonly listId: string }): Promise<readonly ShareResult[]> {
    const { graphId, reportId, userId, now, signal } = work;
    const { store, ids } = this.#use;
    const key = snapshotKey(graphId, reportId, ids.make('snap'));
    const started = await store.transaction(
      { graphId },
      async (tx) => {
        const { report, targets } = await requireShareable(tx, work);
        return { report, targets, isWithinLimits: await writeSnapshot(tx, this.#use, { report, key, signal }) };
      },
      { readOnly: true },
    );
    const targets = await this.#validated(started.targets);
    if (!started.isWithinLimits)
      return targets.map((target) => target.refusal ?? failed(target.id, deliveryErrors.tooLarge));
    const receiving = targets.flatMap(({ id, refusal }) => (refusal === undefined ? [id] : []));
    await this.#open({ ...work, key, generation: started.report.generation }, receiving).catch(
      async (error: unknown) => {
        await this.#removeUnused(graphId, key);
        throw error;
      },
    );
    const results: ShareResult[] = [];
    for (const { id, refusal } of targets) {
      signal.throwIfAborted();
      results.push(
        refusal ??
          (await this.#complete({
            graphId,
            reportId,
            targetGraphId: id,
            sharedBy: userId,
            now,
            snapshotKey: key,
            signal,
          })),
      );
    }
    await this.#removeUnused(graphId, key);
    return results;
  }

  /** Completes interrupted deliveries of all graphs, at most 100 (D-12). */
  async completeInterrupted({ now, signal }: { readonly now: Date; readonly signal: AbortSignal }): Promise<void> {
    const due = await this.#use.store.transaction('kernel', (tx) => dueDeliveries(tx, now), { readOnly: true });
    for (const { graph_id: graphId, report_id: reportId, target_graph_id: targetGraphId } of due) {
      signal.throwIfAborted();
      const row = await this.#use.store.transaction({ graphId }, (tx) =>
        takeOverDelivery(tx, { reportId, targetGraphId }, now),
      );
      if (row !== undefined) await this.#retry(graphId, row, signal);
    }
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
    await store.transaction({ graphId }, async (tx) => {
      await closeDelivery(tx, reportId, targetGraphId);
      await revokeShares(tx, { reportId, targetGraphId }, { userId, now });
    });
    return {
      report_id: reportId,
      target_graph_id: targetGraphId,
      revoked_at: now.toISOString(),
      copy_deleted: removed.length > 0,
    };
  }

  /** Opens the deliveries of a snapshot; throws WRITE_CONFLICT if the report has changed since or is being shared. */
  async #open(
    {
      graphId,
      reportId,
      userId,
      now,
      key,
      generation,
    }: ShareWork & { readonly key: string; readonly generation: number },
    targets: readonly string[],
  ): Promise<void> {
    await this.#use.store.transaction({ graphId }, async (tx) => {
      const report = await lockReport(tx, reportId);
      if (report?.generation !== generation || report.generation_status !== 'published') {
        throw writeConflict(reportId);
      }
      const open = await findDeliveries(tx, reportId);
      if (open.some(({ leased_until }) => leased_until > now)) throw writeConflict(reportId);
      const delivery = { report_id: reportId, snapshot_key: key, requested_by: userId, requested_at: now };
      await openDeliveries(tx, targets, delivery);
    });
  }

  /** The targets in the order of the list, each with its refusal if it cannot receive (investor 7.2, steps 1 and 2). */
  async #validated(ids: readonly string[]) {
    const known = await findGraphs(this.#use, ids).catch((error: unknown) => {
      this.#use.log.error('the recipients of a report could not be read', { error });
      return undefined;
    });
    return ids.map((id) => ({ id, refusal: refusalOf(id, known) }));
  }

  /** Delivers to one graph and records the outcome; a failure at the recipient is a result, not an exception. */
  async #complete(delivery: Delivery): Promise<ShareResult> {
    const { graphId, reportId, targetGraphId } = delivery;
    const { store, ids, log } = this.#use;
    const isAllowed = await store.transaction({ graphId }, async (tx) => {
      await extendLeases(tx, delivery.snapshotKey, this.#use.clock.now());
      const isCounted = await countCall(tx, ids, { kind: 'delivery', subject: targetGraphId, now: delivery.now });
      if (!isCounted) await closeDelivery(tx, reportId, targetGraphId);
      return isCounted;
    });
    if (!isAllowed) return failed(targetGraphId, deliveryErrors.tooMany);
    const copyId = ids.make('rpt');
    try {
      const { head, copy } = await this.#writeCopy(delivery, copyId);
      // Before the delivery is closed, so that a process that dies here leaves it to the job.
      await this.#copyFile(delivery, head, copy).catch((error: unknown) => {
        log.error('the file of a shared report could not be copied', { graphId, reportId, error });
      });
      await this.#record(delivery, copy.factCount);
      return { target_graph_id: targetGraphId, status: 'shared', error: null, fact_count: copy.factCount };
    } catch (error) {
      if (delivery.signal.aborted) throw error;
      const refusal = error instanceof DeliveryRefusal ? error.message : deliveryErrors.notCopied;
      if (!(error instanceof DeliveryRefusal)) log.error('a report could not be shared', { graphId, reportId, error });
      await this.#closeFailed(delivery, copyId);
      return failed(targetGraphId, refusal);
    }
  }

  async #writeCopy(
    delivery: Delivery,
    copyId: string,
  ): Promise<{ readonly head: SnapshotHead; readonly copy: WrittenCopy }> {
    const { graphId, targetGraphId, sharedBy, now, signal } = delivery;
    return this.#use.store.transaction({ graphId: targetGraphId }, async (tx) => {
      await lockSource(tx, graphId);
      if (!(await acceptsFrom(tx, this.#use.declared, graphId))) throw new DeliveryRefusal(deliveryErrors.blocked);
      const snapshot = await openSnapshot(this.#use.files, delivery.snapshotKey, signal);
      const copy = await writeCopy({ tx, reportId: copyId, sharedBy, now }, this.#use, snapshot);
      return { head: snapshot.head, copy };
    });
  }

  async #record({ graphId, reportId, targetGraphId, sharedBy, now }: Delivery, factCount: number): Promise<void> {
    const names = await this.#namesOf(targetGraphId);
    await this.#use.store.transaction({ graphId }, async (tx) => {
      await closeDelivery(tx, reportId, targetGraphId);
      await recordShare(tx, this.#use.ids, {
        report_id: reportId,
        target_graph_id: targetGraphId,
        shared_by: sharedBy,
        shared_at: now,
        fact_count: factCount,
        names,
      });
    });
  }

  async #namesOf(graphId: string): Promise<GraphNames> {
    const names = await namesOf(this.#use, [graphId], { orgId: '', known: new Set([graphId]) });
    return names.get(graphId) ?? { graphName: graphId, orgName: null };
  }

  /**
   * Closes a failed delivery. If its copy exists, because the commit succeeded although it reported an error, or if that
   * cannot be found out, the row stays for the job to complete.
   */
  async #closeFailed({ graphId, reportId, targetGraphId }: Delivery, copyId: string): Promise<void> {
    const { store } = this.#use;
    const mayExist = await store
      .transaction({ graphId: targetGraphId }, (tx) => hasCopy(tx, copyId), { readOnly: true })
      .catch(() => true);
    if (!mayExist) await store.transaction({ graphId }, (tx) => closeDelivery(tx, reportId, targetGraphId));
  }

  async #retry(graphId: string, row: DeliveryRow, signal: AbortSignal): Promise<void> {
    const { report_id: reportId, target_graph_id: targetGraphId, snapshot_key: key } = row;
    const [target] = await this.#validated([targetGraphId]);
    if (target?.refusal === undefined && row.attempts <= maxAttempts && (await this.#files.exists(key))) {
      const delivery = { graphId, reportId, targetGraphId, sharedBy: row.requested_by, now: row.requested_at };
      await this.#complete({ ...delivery, snapshotKey: key, signal });
    } else {
      this.#use.log.warn('an interrupted share was abandoned', { graphId, reportId });
      await this.#use.store.transaction({ graphId }, (tx) => closeDelivery(tx, reportId, targetGraphId));
    }
    await this.#removeUnused(graphId, key);
  }

  /** Stores the bundle of the copy for the recipient; its failure does not fail the delivery (investor 7.2, step 9). */
  async #copyFile(delivery: Delivery, head: SnapshotHead, copy: WrittenCopy): Promise<void> {
    if (head.bundleKey === null || copy.bundleKey === null) return;
    const stored = await this.#files.read(head.bundleKey, delivery.signal);
    if (stored === undefined) throw new Error('The bundle of a shared report is missing.');
    const bundle = copiedBundle(readJsonLd(Buffer.from(stored).toString('utf8')), {
      reportId: copy.reportId,
      entity: {
        from: head.report.entity_id,
        to: copy.entityId,
        name: head.entity?.fields.name ?? head.report.entity_name,
      },
      setIds: copy.setIds,
      structureIds: copy.structureIds,
      isShared: this.#isSharedName(head),
      base: this.#use.settings.vocabularyBase,
    });
    const content = Buffer.from(writeJsonLd(bundle), 'utf8');
    await this.#files.replace(copy.bundleKey, content, 'application/ld+json', delivery.signal);
  }

  /** A test for names that the recipient has: of the library and of the extensions that are copied (investor H-19). */
  #isSharedName({ taxonomies }: SnapshotHead): (qname: string) => boolean {
    const own = new Set(taxonomies.elements.flatMap(({ qname }) => qname ?? []));
    return (qname) => own.has(qname) || this.#use.library.elementByQname(qname) !== undefined;
  }

  /** Removes a snapshot unless a delivery is still to be completed from it. */
  async #removeUnused(graphId: string, key: string): Promise<void> {
    try {
      const { store, files } = this.#use;
      const isUsed = await store.transaction({ graphId }, (tx) => isSnapshotUsed(tx, key), { readOnly: true });
      if (!isUsed) await files.remove(key);
    } catch (error) {
      this.#use.log.warn('the snapshot of a share could not be removed', { graphId, error });
    }
  }
}
