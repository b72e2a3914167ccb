import type { Mail } from '@pacioli/core/assembly';
import { createTransport } from 'nodemailer';

export interface SmtpMailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; TLS is used whenever the server offers it. */
  readonly url: string;
  /** The sender, such as `Books <books@example.org>`. */
  readonly from: string;
  /** The longest wait for the server at each step, in milliseconds (15,000). */
  readonly maxWaitMs?: number;
}

/**
 * Mail over SMTP, one connection for each message. Credentials are sent to another machine over TLS only.
 * `send` resolves when the server has accepted the message, and throws when it rejected it or took too long.
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
        // As an object, because a comma in a string would split it into two recipients.
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
