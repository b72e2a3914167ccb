import { createToken, type Token } from '../../container/token.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Mail, MailMessage } from '../../mail/mail.ts';
import { Seal } from '../../secrets/seal.ts';
import type { EventPublisher } from '../../services/events.ts';
import type { Transaction } from '../../store/store.ts';
import mailQueued from '../events/mail-queued.ts';

/** Queues messages in the caller's transaction; a job delivers them to the mail port after the commit. */
export class MailQueue {
  readonly #mail: Mail;
  readonly #seal: Seal;
  readonly #events: EventPublisher;

  constructor(use: { readonly mail: Mail; readonly secret: string; readonly events: EventPublisher }) {
    this.#mail = use.mail;
    this.#seal = new Seal(use.secret, 'mail');
    this.#events = use.events;
  }

  /** True if messages are delivered at all. */
  get isConfigured(): boolean {
    return this.#mail.delivery !== 'nobody';
  }

  /** True if messages reach their recipient, so that they can verify an address. */
  get reachesPeople(): boolean {
    return this.#mail.delivery === 'people';
  }

  /** Queues a message in the caller's kernel transaction; does nothing without a mail port. */
  async queue(tx: Transaction, message: MailMessage): Promise<void> {
    if (!this.isConfigured) return;
    await this.#events.publish(tx, mailQueued, { sealed: this.#seal.close(JSON.stringify(message)) });
  }

  /** Throws 503 for a request that requires mail. */
  requireConfigured(): void {
    if (this.isConfigured) return;
    const message = 'This deployment cannot send mail. Ask its operator to configure a mail server.';
    throw new ServiceError('unavailable', 'SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '3600' } });
  }

  /** Delivers a queued message to the port. */
  async deliver(sealed: string, signal: AbortSignal): Promise<void> {
    const message = JSON.parse(this.#seal.open(sealed)) as MailMessage; // Sealed by `queue`, so the type holds.
    await this.#mail.send(message, signal);
  }
}

export const mailQueue: Token<MailQueue> = createToken('kernel.mail-queue');
