/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { fixedClock, startTestService } from '@pacioli/testing';
import billing, { paymentPort } from '../src/index.ts';
import { signatureHeader } from '../src/local/local-webhooks.ts';
import { localProvider } from '../src/providers.ts';
import { describePaymentPort, type PaymentHarness, type RawMessage } from '../src/testing/describe-payment-port.ts';

describePaymentPort('local', async (): Promise<PaymentHarness> => {
  const clock = fixedClock('2026-03-02T09:00:00Z');
  // The worker is off, so that messages of the provider stay queued for the suite.
  const service = await startTestService({ plugins: [billing], clock, worker: false });
  const { services } = service.service;
  const webhooks = services.resolve(localProvider).webhooks;
  const signed = (news: unknown): RawMessage => {
    const rawBody = JSON.stringify(news);
    return { rawBody, headers: { [signatureHeader]: webhooks.sign(rawBody) } };
  };
  return {
    port: services.resolve(paymentPort),
    pay: async (sessionId) => {
      clock.advance(1_000);
      await services.resolve(localProvider).charges.pay(sessionId, 'ok');
      clock.advance(1_000);
    },
    spoilCard: async (customer) => {
      await service.store.transaction('kernel', (tx) =>
        tx.query(sql`UPDATE billing_local_customer SET card = 'expire' WHERE id = ${customer}`),
      );
    },
    messages: async () => {
      const rows = await service.store.transaction('kernel', (tx) =>
        tx.query(sql<{ payload: unknown }>`
          DELETE FROM kernel_outbox WHERE topic = 'billing.local-payment-news' RETURNING payload`),
      );
      return rows.map(({ payload }) => signed(payload));
    },
    strangeMessage: async () =>
      signed({ id: 'evt_strange', type: 'star.fell', at: clock.now().toISOString(), data: {} }),
    close: () => service.close(),
  };
});
