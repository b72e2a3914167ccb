import { encodedParts, type ReportBundle } from '../serialization/bundle/index.ts';
import { ReportFiles } from '../serialization/downloads/index.ts';
import { readJsonLd, writeJsonLd } from '../serialization/json-ld/index.ts';
import { copiedBundle } from './copied-bundle.ts';
import { countCall } from './recent-calls.ts';
import { DeliveryRefusal, deliveryErrors, type ShareResult } from './refusals.ts';
import { hasCopy, type WrittenCopy, writeCopy } from './report-copy.ts';
import type { DistributionServices } from './services.ts';
import { failed, refusalOf } from './share-checks.ts';
import { closeDelivery, extendLeases, isSnapshotUsed, recordShare } from './share-rows.ts';
import { openSnapshot, type SnapshotHead } from './share-snapshot.ts';
import { acceptsFrom, lockSource } from './source-blocks.ts';
import { findGraphs, type GraphNames, namesOf } from './target-graphs.ts';

/** The delivery of a report, from its snapshot, to one graph. */
export interface Delivery {
  readonly graphId: string;
  readonly reportId: string;
  readonly targetGraphId: string;
  readonly sharedBy: string;
  readonly now: Date;
  readonly snapshotKey: string;
  readonly signal: AbortSignal;
}

/**
 * Delivers a snapshot to one graph after the other. The copy of a recipient is written in one transaction, so it is whole
 * or absent; the share is recorded in another, in the graph of the sender.
 */
export class Deliveries {
  readonly #use: DistributionServices;
  readonly #files: ReportFiles;
  /** The bundle that was read last, which is the same for all recipients of a share; released at its end. */
  #shared: { readonly key: string; readonly bundle: ReportBundle } | undefined;

  constructor(use: DistributionServices) {
    this.#use = use;
    this.#files = new ReportFiles(use.files);
  }

  /** The targets in the order of the list, each with its refusal if it cannot receive (investor 7.2, steps 1 and 2). */
  async validated(ids: readonly string[]) {
    const known = await findGraphs(this.#use, ids).catch((error: unknown) => {
      this.#use.log.error('the recipients of a report could not be read', { error });
      return undefined;
    });
    return ids.map((id) => ({ id, refusal: refusalOf(id, known) }));
  }

  /** Delivers to one graph and records the outcome; a failure at the recipient is a result, not an exception. */
  async complete(delivery: Delivery): Promise<ShareResult> {
    const { graphId, reportId, targetGraphId } = delivery;
    const { store, ids, log } = this.#use;
    const tooMany = failed(targetGraphId, deliveryErrors.tooMany);
    const isAllowed = await store.transaction({ graphId }, async (tx) => {
      await extendLeases(tx, delivery.snapshotKey, this.#use.clock.now());
      const isCounted = await countCall(tx, ids, { kind: 'delivery', subject: targetGraphId, now: delivery.now });
      if (!isCounted) await closeDelivery(tx, delivery, tooMany);
      return isCounted;
    });
    if (!isAllowed) return tooMany;
    const copyId = ids.make('rpt');
    try {
      const { head, copy } = await this.#writeCopy(delivery, copyId);
      // Before the delivery is closed, so that a process that dies here leaves it to the job.
      await this.#copyFile(delivery, head, copy).catch((error: unknown) => {
        log.error('the file of a shared report could not be copied', { graphId, reportId, error });
      });
      return await this.#record(delivery, copy.factCount);
    } catch (error) {
      if (delivery.signal.aborted) throw error;
      const refusal = failed(
        targetGraphId,
        error instanceof DeliveryRefusal ? error.message : deliveryErrors.notCopied,
      );
      if (!(error instanceof DeliveryRefusal)) log.error('a report could not be shared', { graphId, reportId, error });
      await this.#closeFailed(delivery, copyId, refusal);
      return refusal;
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
      try {
        const copy = await writeCopy({ tx, reportId: copyId, sharedBy, now }, this.#use, snapshot);
        return { head: snapshot.head, copy };
      } finally {
        await snapshot.close();
      }
    });
  }

  async #record(delivery: Delivery, factCount: number): Promise<ShareResult> {
    const { graphId, reportId, targetGraphId, sharedBy, now } = delivery;
    const shared: ShareResult = {
      target_graph_id: targetGraphId,
      status: 'shared',
      error: null,
      fact_count: factCount,
    };
    const names = await this.#namesOf(targetGraphId);
    await this.#use.store.transaction({ graphId }, async (tx) => {
      await closeDelivery(tx, delivery, shared);
      await recordShare(tx, this.#use.ids, {
        report_id: reportId,
        target_graph_id: targetGraphId,
        shared_by: sharedBy,
        shared_at: now,
        fact_count: factCount,
        names,
      });
    });
    return shared;
  }

  async #namesOf(graphId: string): Promise<GraphNames> {
    const names = await namesOf(this.#use, [graphId], { orgId: '', known: new Set([graphId]) });
    return names.get(graphId) ?? { graphName: graphId, orgName: null };
  }

  /**
   * Closes a failed delivery. If its copy exists, because the commit succeeded although it reported an error, or if that
   * cannot be found out, the row stays for the job to complete.
   */
  async #closeFailed(delivery: Delivery, copyId: string, refusal: ShareResult): Promise<void> {
    const { graphId, targetGraphId } = delivery;
    const { store } = this.#use;
    const mayExist = await store
      .transaction({ graphId: targetGraphId }, (tx) => hasCopy(tx, copyId), { readOnly: true })
      .catch(() => true);
    if (!mayExist) await store.transaction({ graphId }, (tx) => closeDelivery(tx, delivery, refusal));
  }

  /** Stores the bundle of the copy for the recipient; its failure does not fail the delivery (investor 7.2, step 9). */
  async #copyFile(delivery: Delivery, head: SnapshotHead, copy: WrittenCopy): Promise<void> {
    if (head.bundleKey === null || copy.bundleKey === null) return;
    const bundle = copiedBundle(await this.#readBundle(head.bundleKey, delivery.signal), {
      reportId: copy.reportId,
      entity: {
        from: head.report.entity_id,
        to: copy.entityId,
        name: head.entity?.fields.name ?? head.report.entity_name,
      },
      setIds: copy.setIds,
      factIds: copy.factIds,
      structureIds: copy.structureIds,
      isShared: this.#isSharedName(head),
      base: this.#use.settings.vocabularyBase,
    });
    const content = encodedParts(writeJsonLd(bundle));
    await this.#files.replace(copy.bundleKey, content, 'application/ld+json', delivery.signal);
  }

  async #readBundle(key: string, signal: AbortSignal): Promise<ReportBundle> {
    if (this.#shared?.key !== key) {
      const stored = await this.#files.stream(key, signal);
      if (stored === undefined) throw new Error('The bundle of a shared report is missing.');
      this.#shared = { key, bundle: await readJsonLd(stored) };
    }
    return this.#shared.bundle;
  }

  /** A test for names that the recipient has: of the library and of the extensions that are copied (investor H-19). */
  #isSharedName({ taxonomies }: SnapshotHead): (qname: string) => boolean {
    const own = new Set(taxonomies.elements.flatMap(({ qname }) => qname ?? []));
    return (qname) => own.has(qname) || this.#use.library.elementByQname(qname) !== undefined;
  }

  /** Removes a snapshot unless a delivery is still to be completed from it. */
  async removeUnused(graphId: string, key: string): Promise<void> {
    this.#shared = undefined;
    try {
      const { store, files } = this.#use;
      const isUsed = await store.transaction({ graphId }, (tx) => isSnapshotUsed(tx, key), { readOnly: true });
      if (!isUsed) await files.remove(key);
    } catch (error) {
      this.#use.log.warn('the snapshot of a share could not be removed', { graphId, error });
    }
  }
}
