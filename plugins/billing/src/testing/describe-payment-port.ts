import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BadSignature, type PaymentPort, type PriceSpec, type Webhook } from '../payments/index.ts';

/** A webhook message as the provider sends it. */
export interface RawMessage {
  readonly rawBody: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Actions at the provider that a customer or the passing of time would cause. */
export interface PaymentHarness {
  readonly port: PaymentPort;
  /** The customer pays an open checkout with a valid card. */
  pay(sessionId: string): Promise<void>;
  /** Makes the card on file decline from now on. */
  spoilCard(customer: string): Promise<void>;
  /** Returns the messages sent since the previous call. */
  messages(): Promise<readonly RawMessage[]>;
  /** A signed message of an unknown type. */
  strangeMessage(): Promise<RawMessage>;
  close(): Promise<void>;
}

const standard: PriceSpec = {
  plan: 'ladybug-standard',
  resourceType: 'graph',
  amount_cents: 9_900,
  currency: 'usd',
  interval: 'monthly',
};
const large: PriceSpec = { ...standard, plan: 'ladybug-large', amount_cents: 29_900 };

/** The contract of every payment provider (platform B-30, B-31), for drivers to run against themselves. */
export function describePaymentPort(name: string, start: () => Promise<PaymentHarness>): void {
  describe(`the payment port of ${name}`, () => {
    let harness: PaymentHarness;
    let port: PaymentPort;
    let counter = 0;

    beforeAll(async () => {
      harness = await start();
      port = harness.port;
    });
    afterAll(() => harness.close());

    const key = (): string => {
      counter += 1;
      return `suite:${name}:${counter}`;
    };

    async function newCustomer(): Promise<string> {
      const orgId = `org_${name}_${key()}`;
      return port.createCustomer({ orgId, email: 'ann@example.org', name: 'Ann' }, `customer:${orgId}`);
    }

    async function newCheckout(customer: string) {
      const price = await port.ensurePrice(standard, 'price:standard');
      const facts = { customer, price, metadata: { suite: 'yes' } };
      return port.createCheckout({ ...facts, successUrl: 'http://x.test/ok', cancelUrl: 'http://x.test/no' }, key());
    }

    async function received(): Promise<readonly Webhook[]> {
      const messages = await harness.messages();
      return Promise.all(messages.map(({ rawBody, headers }) => port.verifyWebhook(rawBody, (name) => headers[name])));
    }

    /** A customer who has paid a checkout. */
    async function newPayer(): Promise<{ customer: string; subscription: string; events: readonly Webhook[] }> {
      const customer = await newCustomer();
      const { sessionId } = await newCheckout(customer);
      await harness.messages();
      await harness.pay(sessionId);
      const events = await received();
      const subscription = events.find(({ type }) => type === 'checkout.completed')?.data.subscription ?? '';
      return { customer, subscription, events };
    }

    it('creates one customer per key (platform B-30)', async () => {
      const spec = { orgId: 'org_once', email: 'ann@example.org', name: 'Ann' };
      const first = await port.createCustomer(spec, `customer:${name}:once`);
      expect(await port.createCustomer(spec, `customer:${name}:once`)).toBe(first);
    });

    it('finds an existing price with equal properties and distinguishes others (platform B-30)', async () => {
      const first = await port.ensurePrice(standard, key());
      expect(await port.ensurePrice({ ...standard }, key())).toBe(first);
      expect(await port.ensurePrice(large, key())).not.toBe(first);
      const repository = { ...standard, resourceType: 'repository' as const, repository: 'sec', plan: 'starter' };
      expect(await port.ensurePrice(repository, key())).not.toBe(first);
    });

    it('opens one checkout per key, with a page and an expiry (platform B-30)', async () => {
      const customer = await newCustomer();
      const price = await port.ensurePrice(standard, 'price:standard');
      const spec = { customer, price, metadata: {}, successUrl: 'http://x.test/ok', cancelUrl: 'http://x.test/no' };
      const once = key();
      const first = await port.createCheckout(spec, once);
      expect(first.url).toMatch(/^https?:\/\//);
      expect(first.expiresAt.getTime()).toBeGreaterThan(0);
      expect(await port.createCheckout(spec, once)).toEqual(first);
      expect((await port.createCheckout(spec, key())).sessionId).not.toBe(first.sessionId);
    });

    it('returns no card and no invoices for a customer who has paid nothing (platform B-9, B-10)', async () => {
      const customer = await newCustomer();
      expect(await port.listPaymentMethods(customer)).toEqual([]);
      expect(await port.listInvoices(customer, 10)).toEqual({ invoices: [], hasMore: false });
      expect(await port.upcomingInvoice(customer)).toBeNull();
    });

    it('reports a paid checkout, stores the card and issues the invoice (platform B-31)', async () => {
      const { customer, subscription, events } = await newPayer();
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['payment_method.attached', 'checkout.completed', 'invoice.paid']),
      );
      expect(events.find(({ type }) => type === 'checkout.completed')?.data).toMatchObject({ customer, subscription });
      expect(events.find(({ type }) => type === 'invoice.paid')?.data).toMatchObject({ customer, subscription });
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      const methods = await port.listPaymentMethods(customer);
      expect(methods.filter(({ isDefault }) => isDefault)).toHaveLength(1);
      const { invoices } = await port.listInvoices(customer, 10);
      expect(invoices).toMatchObject([
        { status: 'paid', amountDueCents: 9_900, amountPaidCents: 9_900, currency: 'usd', subscription },
      ]);
      expect(invoices[0]?.lines).toMatchObject([{ amount_cents: 9_900, quantity: 1 }]);
      const upcoming = await port.upcomingInvoice(customer);
      expect(upcoming).toMatchObject({ amountDueCents: 9_900, currency: 'usd', subscription });
      const days = (Number(upcoming?.periodEnd) - Number(upcoming?.periodStart)) / 86_400_000;
      expect(days).toBe(30);
    });

    it('charges the card on file once per key and paginates invoices (platform B-30, B-10)', async () => {
      const { customer } = await newPayer();
      const price = await port.ensurePrice(large, key());
      const once = key();
      const made = await port.createSubscription({ customer, price, metadata: {} }, once);
      expect(made.status).toBe('active');
      expect(await port.createSubscription({ customer, price, metadata: {} }, once)).toEqual(made);
      const all = await port.listInvoices(customer, 10);
      expect(all.invoices.map((bill) => bill.amountPaidCents)).toEqual([29_900, 9_900]);
      const page = await port.listInvoices(customer, 1);
      expect(page).toMatchObject({ invoices: [{ amountPaidCents: 29_900 }], hasMore: true });
    });

    it('does not start a subscription on a declined card (platform B-13)', async () => {
      const { customer } = await newPayer();
      await harness.spoilCard(customer);
      const price = await port.ensurePrice(large, key());
      const made = await port.createSubscription({ customer, price, metadata: {} }, key());
      expect(made.status).toBe('declined');
      const { invoices } = await port.listInvoices(customer, 10);
      expect(invoices.filter(({ status }) => status === 'paid')).toHaveLength(1);
    });

    it('changes a price immediately and rejects an unknown subscription (platform B-14, B-17)', async () => {
      const { customer, subscription } = await newPayer();
      const price = await port.ensurePrice(large, key());
      await port.changePrice({ subscription, price, proration: false }, key());
      expect((await port.upcomingInvoice(customer))?.amountDueCents).toBe(29_900);
      const missing = { subscription: 'sub_not_there', price, proration: true };
      await expect(port.changePrice(missing, key())).rejects.toThrow();
    });

    it('ends a subscription at the end of its period or immediately, and accepts one that has ended (platform B-30)', async () => {
      const late = await newPayer();
      await port.cancel({ subscription: late.subscription, atPeriodEnd: true }, key());
      expect(await port.upcomingInvoice(late.customer)).toBeNull();
      const now = await newPayer();
      await port.cancel({ subscription: now.subscription, atPeriodEnd: false }, key());
      expect(await port.upcomingInvoice(now.customer)).toBeNull();
      await port.cancel({ subscription: now.subscription, atPeriodEnd: false }, key());
      await port.cancel({ subscription: now.subscription, atPeriodEnd: true }, key());
      await port.cancel({ subscription: 'sub_not_there', atPeriodEnd: false }, key());
      const price = await port.ensurePrice(large, key());
      const change = { subscription: now.subscription, price, proration: true };
      await expect(port.changePrice(change, key())).rejects.toThrow();
    });

    it('refunds the last charge on request, once (platform B-3)', async () => {
      const { subscription } = await newPayer();
      const once = key();
      await port.cancel({ subscription, atPeriodEnd: false, refund: true }, once);
      await port.cancel({ subscription, atPeriodEnd: false, refund: true }, once);
      const types = (await received()).map(({ type }) => type);
      expect(types.filter((type) => type === 'refund.created')).toHaveLength(1);
    });

    it('links to a customer portal (platform B-9)', async () => {
      const { customer } = await newPayer();
      const url = await port.createPortalSession({ customer, returnUrl: 'http://x.test/' }, key());
      expect(url).toMatch(/^https?:\/\//);
    });

    it('accepts only messages signed by the provider (platform B-31)', async () => {
      const strange = await harness.strangeMessage();
      const read = (message: RawMessage) => port.verifyWebhook(message.rawBody, (name) => message.headers[name]);
      expect((await read(strange)).type).toBeUndefined();
      await expect(read({ ...strange, headers: {} })).rejects.toThrow(BadSignature);
      await expect(read({ ...strange, rawBody: `${strange.rawBody} ` })).rejects.toThrow(BadSignature);
      const forged = Object.fromEntries(Object.keys(strange.headers).map((header) => [header, 't=1,v1=00']));
      await expect(read({ ...strange, headers: forged })).rejects.toThrow(BadSignature);
    });
  });
}
