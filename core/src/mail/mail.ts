import { createToken, type Token } from '../container/token.ts';

/** A plain-text message to one person. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Sends messages. `send` resolves when the next hop has accepted the message and throws otherwise; the queue retries,
 * so a message may arrive twice.
 */
export interface Mail {
  /** The actual recipient of messages: the addressee, only the operator (a file), or nobody. */
  readonly delivery: 'people' | 'operator' | 'nobody';
  send(message: MailMessage, signal: AbortSignal): Promise<void>;
}

/** The mail port; without one, requests that require mail fail with 503. */
export const mail: Token<Mail> = createToken('kernel.mail');

/** The default mail port, which delivers to nobody. */
export const noMail: Mail = {
  delivery: 'nobody',
  send: async () => {
    throw new Error('This deployment has no mail port.');
  },
};
