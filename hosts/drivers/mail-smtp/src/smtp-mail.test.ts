import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { smtpMail } from './smtp-mail.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

const message = {
  to: 'ida@example.org',
  subject: 'Grüße aus den Büchern',
  text: 'Open this link:\n\nhttps://x.test/a\n',
};
const from = 'Books <books@example.org>';
const patient = new AbortController().signal;
const running: { close(): void }[] = [];

afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

/** A real SMTP server on the loopback address that records the messages it accepts. */
async function smtpServer(options: SMTPServerOptions = {}): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const text = Buffer.concat(chunks).toString('utf8');
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text,
        });
        done();
      });
    },
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo; // A listening TCP server has one.
  return { url: `127.0.0.1:${port}`, received };
}

/** A server that accepts connections and sends nothing. */
async function silentServer(): Promise<{ url: string; server: Server }> {
  const server = createServer(() => undefined);
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // As above.
  return { url: `127.0.0.1:${port}`, server };
}

describe('smtp-mail', () => {
  it('delivers the message as plain text with its subject', async () => {
    const { url, received } = await smtpServer();
    const mail = smtpMail({ url: `smtp://${url}`, from });
    expect(mail.delivery).toBe('people');
    await mail.send(message, patient);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ from: 'books@example.org', to: ['ida@example.org'] });
    expect(received[0]?.text).toContain('https://x.test/a');
    expect(received[0]?.text).toContain('From: Books <books@example.org>');
    expect(received[0]?.text).toContain('Subject: =?UTF-8?');
    expect(received[0]?.text).toContain('Content-Type: text/plain');
  });

  it('authenticates with the credentials of its URL', async () => {
    const seen: unknown[] = [];
    const { url, received } = await smtpServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        seen.push([username, password]);
        done(null, { user: username });
      },
    });
    await smtpMail({ url: `smtp://books:s%40cret@${url}`, from }).send(message, patient);
    expect(seen).toEqual([['books', 's@cret']]);
    expect(received).toHaveLength(1);
  });

  it('sends to one recipient even when the address contains a comma', async () => {
    const { url, received } = await smtpServer();
    const mail = smtpMail({ url: `smtp://${url}`, from });
    await mail.send({ ...message, to: 'other@example.org,ida@example.org' }, patient).catch(() => undefined);
    expect(received.flatMap(({ to }) => to)).not.toContain('other@example.org');
  });

  it('fails when the server rejects the message, so that the queue retries', async () => {
    const { url } = await smtpServer({ onRcptTo: (_address, _session, done) => done(new Error('No such mailbox')) });
    await expect(smtpMail({ url: `smtp://${url}`, from }).send(message, patient)).rejects.toThrow('No such mailbox');
  });

  it('fails when the server does not respond in time', async () => {
    const { url } = await silentServer();
    const mail = smtpMail({ url: `smtp://${url}`, from, maxWaitMs: 50 });
    // On a busy machine the limit of the connection can end the wait before the limit of the greeting does.
    await expect(mail.send(message, patient)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('stops when its signal aborts', async () => {
    const { url, server } = await silentServer();
    const stop = new AbortController();
    const connected = new Promise((resolve) => server.once('connection', resolve));
    const sending = smtpMail({ url: `smtp://${url}`, from }).send(message, stop.signal);
    await connected;
    stop.abort(new Error('The worker is stopping.'));
    await expect(sending).rejects.toThrow('The worker is stopping.');
    await expect(smtpMail({ url: `smtp://${url}`, from }).send(message, stop.signal)).rejects.toThrow();
  });
});
