import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FormValue, parseForm, textAt } from './form.ts';
import { Refusal, StripeState } from './stripe-state.ts';

interface Answered {
  readonly status: number;
  readonly body: object;
}

interface Call {
  readonly form: Record<string, FormValue>;
  readonly query: URLSearchParams;
  readonly url: string;
}

type Handler = (state: StripeState, call: Call, id: string) => object;

const list = (data: readonly object[], hasMore = false) => ({ object: 'list', data, has_more: hasMore });

/** The endpoints that the driver uses; a pattern's group is the id in the path. */
const endpoints: readonly [string, RegExp, Handler][] = [
  ['POST', /^\/v1\/customers$/, (state, { form }) => state.createCustomer(form)],
  [
    'GET',
    /^\/v1\/customers\/([^/]+)$/,
    (state, _call, id) => ({
      ...state.customer(id),
      object: 'customer',
      invoice_settings: { default_payment_method: null },
    }),
  ],
  ['GET', /^\/v1\/customers\/([^/]+)\/payment_methods$/, (state, _call, id) => list(state.methodsOf(id))],
  ['POST', /^\/v1\/prices$/, (state, { form }) => state.createPrice(form)],
  [
    'GET',
    /^\/v1\/prices$/,
    (state, { query }) => {
      const wanted = textAt(parseForm(query.toString()), 'lookup_keys', '0');
      return list([...state.prices.values()].filter((price) => price.lookup_key === wanted));
    },
  ],
  ['POST', /^\/v1\/checkout\/sessions$/, (state, { form, url }) => state.createSession(form, url)],
  ['POST', /^\/v1\/subscriptions$/, (state, { form }) => state.createSubscription(form)],
  ['GET', /^\/v1\/subscriptions\/([^/]+)$/, (state, _call, id) => state.show(state.subscription(id))],
  ['POST', /^\/v1\/subscriptions\/([^/]+)$/, (state, { form }, id) => state.updateSubscription(id, form)],
  ['DELETE', /^\/v1\/subscriptions\/([^/]+)$/, (state, _call, id) => state.cancelSubscription(id)],
  [
    'GET',
    /^\/v1\/invoices$/,
    (state, { query }) => {
      const all = state.invoices.filter(({ customer }) => customer === query.get('customer'));
      const limit = Number(query.get('limit'));
      return list(
        all.slice(0, limit).map((invoice) => state.showInvoice(invoice)),
        all.length > limit,
      );
    },
  ],
  ['POST', /^\/v1\/invoices\/create_preview$/, (state, { form }) => state.upcoming(textAt(form, 'customer') ?? '')],
  [
    'GET',
    /^\/v1\/invoice_payments$/,
    (_state, { query }) => {
      const payment = { type: 'payment_intent', payment_intent: `pi_${query.get('invoice')}` };
      return list([{ id: 'inpay_1', object: 'invoice_payment', payment }]);
    },
  ],
  ['POST', /^\/v1\/refunds$/, (state, { form }) => state.refund(form)],
  [
    'POST',
    /^\/v1\/billing_portal\/sessions$/,
    (state, { form, url }) => {
      const { id } = state.customer(textAt(form, 'customer') ?? '');
      return { id: state.id('bps'), object: 'billing_portal.session', url: `${url}/portal/${id}` };
    },
  ],
];

/** Behaves like Stripe as seen by the driver: form bodies in, JSON out, calls with an idempotency key executed once. */
export class StripeDouble {
  readonly state = new StripeState();
  readonly #server: Server;
  readonly #secretKey: string;
  readonly #answered = new Map<string, Answered>();

  constructor(secretKey: string) {
    this.#secretKey = secretKey;
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_double' });
        response.end(JSON.stringify(body));
      });
    });
  }

  async start(): Promise<{ host: string; port: number; protocol: 'http' }> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo; // A listening TCP server has one.
    return { host: '127.0.0.1', port, protocol: 'http' };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<Answered> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (request.headers.authorization !== `Bearer ${this.#secretKey}`) {
      return { status: 401, body: { error: { type: 'invalid_request_error', message: 'No such key.' } } };
    }
    const key = request.headers['idempotency-key'];
    const earlier = typeof key === 'string' ? this.#answered.get(key) : undefined;
    if (earlier !== undefined) return earlier;
    const answered = this.#execute(request, text);
    if (typeof key === 'string') this.#answered.set(key, answered);
    return answered;
  }

  #execute(request: IncomingMessage, text: string): Answered {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    for (const [method, pattern, handle] of endpoints) {
      const match = method === request.method ? pattern.exec(url.pathname) : null;
      if (match === null) continue;
      try {
        const call = { form: parseForm(text), query: url.searchParams, url: url.origin };
        return { status: 200, body: handle(this.state, call, match[1] ?? '') };
      } catch (error) {
        if (error instanceof Refusal) return { status: error.status, body: error.body };
        throw error;
      }
    }
    return { status: 404, body: { error: { type: 'invalid_request_error', message: `No ${request.url}` } } };
  }
}
