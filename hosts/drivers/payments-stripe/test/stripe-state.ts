import { type FormValue, textAt } from './form.ts';

const daySeconds = 86_400;

/** An error answer in the form of the provider. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, type: string, code: string) {
    super(code);
    this.status = status;
    this.body = { error: { type, code, message: `Double: ${code}` } };
  }
}

interface Price {
  readonly id: string;
  readonly lookup_key: string;
  readonly unit_amount: number;
  readonly currency: string;
  readonly days: number;
}

interface Subscription {
  readonly id: string;
  readonly customer: string;
  price: string;
  status: string;
  cancel_at_period_end: boolean;
  readonly period: { readonly start: number; readonly end: number };
  latest_invoice: string;
}

interface Invoice {
  readonly id: string;
  readonly number: string;
  readonly customer: string;
  readonly subscription: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly period: { readonly start: number; readonly end: number };
  isRefunded: boolean;
}

interface Session {
  readonly id: string;
  readonly customer: string;
  readonly price: string;
  status: string;
}

/** The state that Stripe keeps, as far as the driver uses it. */
export class StripeState {
  readonly customers = new Map<string, { id: string; email: string; card: 'ok' | 'declined' | null }>();
  readonly prices = new Map<string, Price>();
  readonly sessions = new Map<string, Session>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices: Invoice[] = [];
  readonly events: { type: string; object: object }[] = [];
  #counter = 0;

  id(prefix: string): string {
    this.#counter += 1;
    return `${prefix}_${String(this.#counter).padStart(8, '0')}`;
  }

  now(): number {
    return Math.floor(Date.now() / 1000);
  }

  createCustomer(form: Record<string, FormValue>) {
    const customer = { id: this.id('cus'), email: textAt(form, 'email') ?? '', card: null };
    this.customers.set(customer.id, customer);
    return { id: customer.id, object: 'customer', email: customer.email };
  }

  customer(id: string) {
    const customer = this.customers.get(id);
    if (customer === undefined) throw new Refusal(404, 'invalid_request_error', 'resource_missing');
    return customer;
  }

  methodsOf(customerId: string) {
    const { card } = this.customer(customerId);
    if (card === null) return [];
    const facts = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2032 };
    return [{ id: `pm_${customerId}`, object: 'payment_method', type: 'card', customer: customerId, card: facts }];
  }

  createPrice(form: Record<string, FormValue>) {
    const lookupKey = textAt(form, 'lookup_key') ?? '';
    if ([...this.prices.values()].some((price) => price.lookup_key === lookupKey)) {
      throw new Refusal(400, 'invalid_request_error', 'resource_already_exists');
    }
    const price = {
      id: this.id('price'),
      lookup_key: lookupKey,
      unit_amount: Number(textAt(form, 'unit_amount')),
      currency: textAt(form, 'currency') ?? '',
      days: Number(textAt(form, 'recurring', 'interval_count')),
    };
    this.prices.set(price.id, price);
    return { ...price, object: 'price' };
  }

  price(id: string): Price {
    const price = this.prices.get(id);
    if (price === undefined) throw new Refusal(400, 'invalid_request_error', 'resource_missing');
    return price;
  }

  createSession(form: Record<string, FormValue>, url: string) {
    const session = {
      id: this.id('cs'),
      customer: this.customer(textAt(form, 'customer') ?? '').id,
      price: this.price(textAt(form, 'line_items', '0', 'price') ?? '').id,
      status: 'open',
    };
    this.sessions.set(session.id, session);
    const expiresAt = this.now() + daySeconds;
    return { id: session.id, object: 'checkout.session', url: `${url}/pay/${session.id}`, expires_at: expiresAt };
  }

  /** Pays an open checkout: changes the state and records the events as Stripe does. */
  pay(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined || session.status !== 'open') throw new Error('This checkout is not open.');
    session.status = 'complete';
    this.customer(session.customer).card = 'ok';
    const [method] = this.methodsOf(session.customer);
    this.events.push({ type: 'payment_method.attached', object: method ?? {} });
    const subscription = this.#subscribe(session.customer, session.price);
    const facts = { id: session.id, object: 'checkout.session', customer: session.customer };
    this.events.push({ type: 'checkout.session.completed', object: { ...facts, subscription: subscription.id } });
  }

  createSubscription(form: Record<string, FormValue>) {
    const customer = this.customer(textAt(form, 'customer') ?? '');
    const price = this.price(textAt(form, 'items', '0', 'price') ?? '');
    if (customer.card !== 'ok') throw new Refusal(402, 'card_error', 'card_declined');
    return this.show(this.#subscribe(customer.id, price.id));
  }

  subscription(id: string): Subscription {
    const subscription = this.subscriptions.get(id);
    if (subscription === undefined) throw new Refusal(404, 'invalid_request_error', 'resource_missing');
    return subscription;
  }

  updateSubscription(id: string, form: Record<string, FormValue>) {
    const subscription = this.subscription(id);
    if (subscription.status === 'canceled') throw new Refusal(400, 'invalid_request_error', 'invalid_canceled');
    const item = textAt(form, 'items', '0', 'id');
    const price = textAt(form, 'items', '0', 'price');
    if (price !== undefined) {
      if (item !== `si_${id}`) throw new Refusal(400, 'invalid_request_error', 'resource_missing');
      subscription.price = this.price(price).id;
    }
    const ends = textAt(form, 'cancel_at_period_end');
    if (ends !== undefined) subscription.cancel_at_period_end = ends === 'true';
    this.events.push({ type: 'customer.subscription.updated', object: this.show(subscription) });
    return this.show(subscription);
  }

  cancelSubscription(id: string) {
    const subscription = this.subscription(id);
    if (subscription.status === 'canceled') throw new Refusal(404, 'invalid_request_error', 'resource_missing');
    subscription.status = 'canceled';
    this.events.push({ type: 'customer.subscription.deleted', object: this.show(subscription) });
    return this.show(subscription);
  }

  refund(form: Record<string, FormValue>) {
    const intent = textAt(form, 'payment_intent') ?? '';
    const invoice = this.invoices.find(({ id }) => `pi_${id}` === intent);
    if (invoice === undefined) throw new Refusal(404, 'invalid_request_error', 'resource_missing');
    if (invoice.isRefunded) throw new Refusal(400, 'invalid_request_error', 'charge_already_refunded');
    invoice.isRefunded = true;
    const refund = { id: this.id('re'), object: 'refund', payment_intent: intent, amount: invoice.amount };
    this.events.push({ type: 'refund.created', object: refund });
    return refund;
  }

  upcoming(customerId: string) {
    const next = [...this.subscriptions.values()].find(
      ({ customer, status, cancel_at_period_end: ends }) => customer === customerId && status === 'active' && !ends,
    );
    if (next === undefined) throw new Refusal(404, 'invalid_request_error', 'invoice_upcoming_none');
    const price = this.price(next.price);
    const period = { start: next.period.end, end: next.period.end + price.days * daySeconds };
    const facts = { id: this.id('upcoming_in'), number: 'DRAFT', customer: customerId, subscription: next.id };
    const money = { amount: price.unit_amount, currency: price.currency, created: this.now(), isRefunded: false };
    return { ...this.showInvoice({ ...facts, ...money, period }), status: 'draft', amount_paid: 0 };
  }

  show(subscription: Subscription): object {
    const { id, customer, status, cancel_at_period_end, latest_invoice, period } = subscription;
    const facts = { id: `si_${id}`, object: 'subscription_item', price: this.price(subscription.price) };
    const item = { ...facts, current_period_start: period.start, current_period_end: period.end };
    const items = { object: 'list', data: [item], has_more: false };
    return { id, object: 'subscription', customer, status, cancel_at_period_end, latest_invoice, items };
  }

  showInvoice(invoice: Invoice): object {
    const { id, number, customer, amount, currency, created, period } = invoice;
    const line = { id: `il_${id}`, object: 'line_item', amount, currency, description: 'Plan', quantity: 1, period };
    return {
      ...{ id, object: 'invoice', number, customer, currency, created, status: 'paid' },
      ...{ amount_due: amount, amount_paid: amount, due_date: null, period_start: created, period_end: created },
      status_transitions: { paid_at: created },
      hosted_invoice_url: `https://pay.test/${id}`,
      invoice_pdf: `https://pay.test/${id}.pdf`,
      parent: { type: 'subscription_details', subscription_details: { subscription: invoice.subscription } },
      lines: { object: 'list', data: [line], has_more: false },
    };
  }

  #subscribe(customer: string, priceId: string): Subscription {
    const price = this.price(priceId);
    const start = this.now();
    const period = { start, end: start + price.days * daySeconds };
    const id = this.id('sub');
    const invoice: Invoice = {
      ...{ id: this.id('in'), number: `N-${this.invoices.length + 1}`, customer, subscription: id },
      ...{ amount: price.unit_amount, currency: price.currency, created: start, period, isRefunded: false },
    };
    this.invoices.unshift(invoice);
    const facts = { id, customer, price: priceId, status: 'active', cancel_at_period_end: false };
    const subscription = { ...facts, period, latest_invoice: invoice.id };
    this.subscriptions.set(id, subscription);
    this.events.push({ type: 'invoice.created', object: this.showInvoice(invoice) });
    this.events.push({ type: 'invoice.paid', object: this.showInvoice(invoice) });
    return subscription;
  }
}
