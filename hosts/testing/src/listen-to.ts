import { setTimeout as wait } from 'node:timers/promises';
import { defineJob, definePlugin, type EventType, type Plugin } from '@pacioli/core';
import { undeliveredEvents } from '@pacioli/core/assembly';
import type { TestService } from './start-test-service.ts';

/** A delivered business event. */
export interface HeardEvent {
  readonly name: string;
  readonly payload: unknown;
}

/** A plugin that remembers business events, and what it hears. */
export interface EventListener {
  /** Belongs into the set of the test service. */
  readonly plugin: Plugin;
  /** The events that the work publishes, by name, once all are delivered. */
  during(service: TestService, work: () => Promise<unknown>): Promise<readonly HeardEvent[]>;
}

const maxWaitMs = 60_000;
const pollMs = 10;

/** Subscribes to business events of the plugins of a test service, to see what a change publishes. */
export function listenTo(...events: readonly EventType[]): EventListener {
  const heard: HeardEvent[] = [];
  const jobs = events.map((event) =>
    defineJob({
      name: `hear-${event.name.replaceAll('.', '-')}`,
      summary: 'Remembers the event.',
      on: event,
      maxSeconds: 10,
      handle: async ({ payload }) => {
        heard.push({ name: event.name, payload });
      },
    }),
  );
  const owners = new Set(events.map(({ name }) => name.split('.')[0] ?? ''));
  owners.delete('kernel');
  return {
    plugin: definePlugin({
      name: 'listener',
      title: 'Remembers business events',
      version: '1.0.0',
      kernel: '*',
      dependsOn: [...owners],
      jobs,
    }),
    async during(service, work) {
      await allDelivered(service, events);
      heard.length = 0;
      await work();
      await allDelivered(service, events);
      return [...heard].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

async function allDelivered(service: TestService, events: readonly EventType[]): Promise<void> {
  const names = events.map(({ name }) => name);
  const until = performance.now() + maxWaitMs;
  for (;;) {
    const [first] = await service.store.transaction('kernel', (tx) => undeliveredEvents(tx, { names, limit: 1 }));
    if (first === undefined) return;
    if (performance.now() > until)
      throw new Error(`The event ${first.name} was not delivered: ${first.lastError ?? 'no worker has taken it'}.`);
    await wait(pollMs);
  }
}
