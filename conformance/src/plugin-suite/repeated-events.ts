import type { EventType, Job, Store } from '@pacioli/core';
import { eventPublisher, sql } from '@pacioli/core';
import type { TestService } from '@pacioli/testing';
import { isObject, type JsonObject } from '../json.ts';
import { sampleBody } from '../sample-body.ts';
import { digestOf, graphWith, type PluginSet } from './plugin-set.ts';

/** Payloads of events, by name; fields that are absent are generated. */
export type SamplePayloads = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const maxDeliveryMs = 60_000;
const pollMs = 20;

type EventJob = Job & { readonly on: EventType<unknown> };

/**
 * Delivers each event to which the plugin subscribes twice, as a relay does after a crash. Returns `idempotent` for each
 * job, or its fault.
 */
export async function testRepeatedEvents(
  set: PluginSet,
  service: TestService,
  payloads: SamplePayloads,
): Promise<Record<string, string>> {
  const owner = await service.newUser('subscriber');
  const outcomes: Record<string, string> = {};
  for (const job of eventJobs(set)) {
    const graphId = await graphWith(set, owner, `Events of ${job.name}`);
    const payload = payloadOf(job, graphId, payloads);
    const deliver = async () => {
      await service.store.transaction({ graphId }, (tx) =>
        service.service.services.resolve(eventPublisher).publish(tx, job.on, payload, graphId),
      );
      return delivered(service.store, job.on.name);
    };
    const failure = (await deliver()) ?? undefined;
    const first = await digestOf(set, service.store, graphId);
    const again = failure ?? (await deliver());
    const second = await digestOf(set, service.store, graphId);
    const changed = Object.keys(first).filter((table) => first[table] !== second[table]);
    outcomes[job.name] =
      again === undefined
        ? changed.length === 0
          ? 'idempotent'
          : `a second delivery of ${job.on.name} changes ${changed.join(', ')}`
        : `${again}. Give a payload that the job accepts: describePlugin(plugin, { samplePayloads: { '${job.on.name}': { … } } })`;
  }
  return outcomes;
}

export function eventJobs({ plugin }: Pick<PluginSet, 'plugin'>): readonly EventJob[] {
  return plugin.jobs.flatMap((job) => (job.on === undefined ? [] : [{ ...job, on: job.on }]));
}

function payloadOf(job: EventJob, graphId: string, payloads: SamplePayloads): Readonly<Record<string, unknown>> {
  const schema: unknown = JSON.parse(JSON.stringify(job.on.payload));
  const sample = isObject(schema) ? sampleBody(schema, schema) : {};
  const generated: JsonObject = isObject(sample) ? sample : {};
  return { ...generated, ...('graph_id' in generated ? { graph_id: graphId } : {}), ...payloads[job.on.name] };
}

/** Waits until the outbox has no such event; returns the error of a delivery that failed. */
async function delivered(store: Store, topic: string): Promise<string | undefined> {
  const deadline = Date.now() + maxDeliveryMs;
  for (;;) {
    const [row] = await store.transaction('kernel', (tx) =>
      tx.query(
        sql<{ last_error: string | null }>`SELECT last_error FROM kernel_outbox WHERE topic = ${topic} ORDER BY id`,
      ),
    );
    if (row === undefined) return undefined;
    if (row.last_error !== null) {
      await store.transaction('kernel', (tx) => tx.query(sql`DELETE FROM kernel_outbox WHERE topic = ${topic}`));
      return `the delivery of ${topic} failed: ${row.last_error}`;
    }
    if (Date.now() > deadline) return `${topic} was not delivered in ${maxDeliveryMs / 1000} s`;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
