import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-017',
  level: 'MUST',
  title: 'with billing off nothing requires payment, and with billing on a graph requires a payment method',
  clause: 'platform B-2, B-6, B-7, B-10',
  requires: ['POST /v1/billing/checkout'],
  async run({ newUser, anonymous, expectStatus, expectError, expectThat }) {
    const { client } = await newUser();
    const orgId = textAt(await client.get('/v1/orgs'), 'orgs.0.id');
    const order = {
      plan_name: 'ladybug-standard',
      resource_type: 'graph',
      resource_config: {
        metadata: { graph_name: 'Paid' },
        initial_entity: { name: 'P', uri: 'https://example.org/p' },
      },
    };
    const checkout = await client.post('/v1/billing/checkout', order);
    expectStatus(201, checkout);
    const isOn = valueAt(await anonymous.get('/v1/offering'), 'billing_enabled') === true;
    expectThat(valueAt(checkout, 'billing_disabled') === !isOn, 'Offering and checkout must agree on billing');
    expectThat(
      valueAt(checkout, 'requires_checkout') === isOn,
      'A checkout must be required exactly where billing is on',
    );
    const invoices = await client.get(`/v1/billing/invoices/${orgId}`);
    expectStatus(200, invoices);
    expectStatus(200, await client.get(`/v1/billing/invoices/${orgId}/upcoming`));
    if (isOn) {
      expectError(402, await client.post('/v1/graphs', order.resource_config));
      const status = await client.get(`/v1/billing/checkout/${textAt(checkout, 'session_id')}/status`);
      expectThat(
        valueAt(status, 'status') === 'pending_payment',
        'An unpaid checkout must have the status pending_payment',
      );
    }
    const stranger = await newUser();
    expectError(403, await stranger.client.get(`/v1/billing/invoices/${orgId}`));
    expectError(401, await anonymous.post('/v1/billing/checkout', order));
  },
});
