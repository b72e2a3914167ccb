import type { Mail, MailMessage } from '@pacioli/core/assembly';

/** A mail port that stores its messages, for tests that read them. */
export interface Mailbox extends Mail {
  /** All sent messages, in order. */
  readonly messages: readonly MailMessage[];
  /** Returns the next unread message to an address; waits until it is sent. */
  next(to: string): Promise<MailMessage>;
}

/** Creates a mailbox; `delivery` sets whether its messages count as reaching people. */
export function mailbox(delivery: Mail['delivery'] = 'people'): Mailbox {
  const messages: MailMessage[] = [];
  const untaken: MailMessage[] = [];
  const waiting: { readonly to: string; readonly give: (message: MailMessage) => void }[] = [];
  return {
    delivery,
    messages,
    send: async (message) => {
      messages.push(message);
      const first = waiting.findIndex(({ to }) => to === message.to);
      if (first < 0) untaken.push(message);
      else waiting.splice(first, 1)[0]?.give(message);
    },
    next: (to) => {
      const first = untaken.findIndex((message) => message.to === to);
      const [message] = first < 0 ? [] : untaken.splice(first, 1);
      if (message !== undefined) return Promise.resolve(message);
      return new Promise((give) => {
        waiting.push({ to, give });
      });
    },
  };
}

/** Extracts the token of the link in a message. */
export function linkToken(message: MailMessage): string {
  const token = /[?&]token=([\w-]+)/.exec(message.text)?.[1];
  if (token === undefined) throw new Error(`There is no link in the message "${message.subject}".`);
  return token;
}
