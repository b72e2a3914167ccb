import type { Mail } from '@pacioli/core/assembly';
import { createTransport } from 'nodemailer';

export interface SmtpMailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; an encrypted line is used whenever the server offers one. */
  readonly url: string;
  /** The sender, such as `Books <books@example.org>`. */
  readonly from: string;
  /** The longest wait for the server at each step, in milliseconds (15,000). */
  readonly maxWaitMs?: number;
}

/**
 * Mail over SMTP, one connection for each message. Credentials go to another machine over an encrypted line only.
 * `send` resolves when the server has taken the message, and throws when it refused it or took too long.
 */
export function smtpMail({ url, from, maxWaitMs = 15_000 }: SmtpMailOptions): Mail {
  const server = new URL(url);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(server.hostname);
  return {
    delivery: 'people',
    send: async (message, signal) => {
      signal.throwIfAborted();
      const transport = createTransport({
        url,
        requireTLS: server.protocol === 'smtp:' && server.username !== '' && !isHere,
        connectionTimeout: maxWaitMs,
        greetingTimeout: maxWaitMs,
        socketTimeout: maxWaitMs,
        dnsTimeout: maxWaitMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const done = new AbortController();
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done.signal });
      });
      try {
        // As an object, so that a comma in an address does not make two recipients of it.
        const to = { name: '', address: message.to };
        const sent = transport.sendMail({ from, to, subject: message.subject, text: message.text });
        await Promise.race([sent, stopped]);
      } finally {
        done.abort();
        transport.close();
      }
    },
  };
}
