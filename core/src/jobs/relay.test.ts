/** @module-tag sessions */
import { startTestService, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../assembly/host-services.ts';
import { defineEvent } from '../define/event.ts';
import { defineJob } from '../define/job.ts';
import { model } from '../schema/model.ts';
import { OutboxPublisher, workChannel } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { Relay } from './relay.ts';

const hourMs = 3_600_000;
const noted = defineEvent('test.noted', model('TestNoted', { text: Type.String() }));

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [], worker: false });
});
afterAll(() => service.close());

describe('Relay', () => {
  it('delivers an event at once whose notification arrives during a delivery', async () => {
    const { store } = service;
    const clock = service.service.services.resolve(kernel.clock);
    const ids = service.service.services.resolve(kernel.ids);
    const events = new OutboxPublisher({ ids, clock, isSubscribed: () => true });
    const publish = (text: string) => store.transaction('kernel', (tx) => events.publish(tx, noted, { text }));
    const delivered: string[] = [];
    let end: () => void = () => undefined;
    const both = new Promise<void>((resolve) => {
      end = resolve;
    });
    const job = defineJob({
      name: 'note',
      summary: 'Publishes the second event while it handles the first, and hears of it.',
      on: noted,
      maxSeconds: 60,
      async handle({ payload }) {
        delivered.push(payload.text);
        if (payload.text === 'second') return end();
        await new Promise<void>((heard, failed) => {
          store
            .listen(workChannel, () => heard())
            .then(() => publish('second'))
            .catch(failed);
        });
      },
    });
    // Polls are an hour apart, so only the notification can lead to the second delivery.
    const relay = new Relay({ store, clock, log: silentLog }, [{ job, use: () => ({}) }], hourMs);
    await publish('first');
    await relay.start();
    await both;
    await relay.stop();
    expect(delivered).toEqual(['first', 'second']);
  });
});
