import { createToken, type Token } from '../services/token.ts';

/** A plain-text message to one person. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * The way messages leave a deployment. `send` resolves when the next station has taken the message and throws
 * otherwise; the queue tries again, so a message may arrive twice.
 */
export interface Mail {
  /** Who gets messages: the person, only the operator (a file), or nobody. */
  readonly delivery: 'people' | 'operator' | 'nobody';
  send(message: MailMessage, signal: AbortSignal): Promise<void>;
}

/** The mail port; a host that gives none has a deployment that answers 503 where mail is needed. */
export const mail: Token<Mail> = createToken('kernel.mail');

/** The mail port of a host that has none. */
export const noMail: Mail = {
  delivery: 'nobody',
  send: async () => {
    throw new Error('This deployment has no mail port.');
  },
};
