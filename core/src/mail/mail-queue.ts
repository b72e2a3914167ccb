import { ServiceError } from '../errors/service-error.ts';
import mailQueued from '../events/mail-queued.ts';
import { Seal } from '../secrets/seal.ts';
import type { EventPublisher } from '../services/events.ts';
import { createToken, type Token } from '../services/token.ts';
import type { Transaction } from '../store/store.ts';
import type { Mail, MailMessage } from './mail.ts';

/** Stores messages in the transaction that gives rise to them; a job hands them to the mail port after the commit. */
export class MailQueue {
  readonly #mail: Mail;
  readonly #seal: Seal;
  readonly #events: EventPublisher;

  constructor(use: { readonly mail: Mail; readonly secret: string; readonly events: EventPublisher }) {
    this.#mail = use.mail;
    this.#seal = new Seal(use.secret, 'mail');
    this.#events = use.events;
  }

  /** Whether messages go anywhere. */
  get isConfigured(): boolean {
    return this.#mail.delivery !== 'nobody';
  }

  /** Whether messages reach the person they are for, so that an address can be verified by them. */
  get reachesPeople(): boolean {
    return this.#mail.delivery === 'people';
  }

  /** Queues a message in the caller's kernel transaction; without a mail port nothing happens. */
  async queue(tx: Transaction, message: MailMessage): Promise<void> {
    if (!this.isConfigured) return;
    await this.#events.publish(tx, mailQueued, { sealed: this.#seal.close(JSON.stringify(message)) });
  }

  /** Throws 503 where a request makes no sense without mail. */
  requireConfigured(): void {
    if (this.isConfigured) return;
    const message = 'This deployment sends no mail. Ask its operator.';
    throw new ServiceError('unavailable', 'SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '3600' } });
  }

  /** Hands a queued message to the port. */
  async deliver(sealed: string, signal: AbortSignal): Promise<void> {
    const message = JSON.parse(this.#seal.open(sealed)) as MailMessage; // Sealed by `queue`, so it is one.
    await this.#mail.send(message, signal);
  }
}

export const mailQueue: Token<MailQueue> = createToken('kernel.mail-queue');
