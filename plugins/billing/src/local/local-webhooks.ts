import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, EventPublisher, Ids, Transaction } from '@pacioli/core';
import localPaymentNews from '../events/local-payment-news.ts';
import { BadSignature, type Webhook, type WebhookData, type WebhookType, webhookTypes } from '../payments/index.ts';

/** An event of the embedded provider before delivery. */
export interface LocalMessage {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly data: WebhookData;
}

export const signatureHeader = 'x-pacioli-signature';

/** Older messages are rejected, so that a recorded one cannot be replayed later. */
const maxSignatureSeconds = 300;

/** Signs and verifies webhooks of the embedded provider; the secret never leaves the process. */
export class LocalWebhooks {
  readonly #secret = randomBytes(32);
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #events: EventPublisher;

  constructor(parts: { clock: Clock; ids: Ids; events: EventPublisher }) {
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#events = parts.events;
  }

  /** Sends a message to the deployment in the transaction of the change that it reports. */
  async tell(tx: Transaction, type: WebhookType, data: WebhookData): Promise<void> {
    const at = this.#clock.now().toISOString();
    await this.#events.publish(tx, localPaymentNews, { id: this.#ids.make('evt'), type, at, data });
  }

  /** Computes the signature header for a body. */
  sign(rawBody: string): string {
    const seconds = Math.floor(this.#clock.now().getTime() / 1000);
    return `t=${seconds},v1=${this.#digest(seconds, rawBody)}`;
  }

  verify(rawBody: string, header: (name: string) => string | undefined): Webhook {
    const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header(signatureHeader) ?? '');
    if (match === null) throw new BadSignature('The signature is missing or has another form.');
    const seconds = Number(match[1]);
    const given = Buffer.from(match[2] ?? '', 'hex');
    const expected = Buffer.from(this.#digest(seconds, rawBody), 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new BadSignature('The signature does not belong to this message.');
    }
    const age = Math.abs(this.#clock.now().getTime() / 1000 - seconds);
    if (age > maxSignatureSeconds) throw new BadSignature('The signature is too old.');
    const news = JSON.parse(rawBody) as LocalMessage; // Safe because this process signed it.
    const type = webhookTypes.find((known) => known === news.type);
    return { id: news.id, type, at: new Date(news.at), data: news.data };
  }

  #digest(seconds: number, rawBody: string): string {
    return createHmac('sha256', this.#secret).update(`${seconds}.${rawBody}`).digest('hex');
  }
}
