import { mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileMail } from './mail-file.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-mail-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const message = { to: 'ida@example.org', subject: 'Hello', text: 'A line.\n' };
const signal = new AbortController().signal;

describe('mail-file', () => {
  it('appends messages to a file that only its owner can read', async () => {
    const file = join(folder, 'mail.log');
    const mail = fileMail(file, () => new Date('2026-03-02T09:00:00Z'));
    expect(mail.delivery).toBe('operator');
    await mail.send(message, signal);
    await mail.send({ ...message, subject: 'Again' }, signal);
    const head = 'Date: 2026-03-02T09:00:00.000Z\nTo: ida@example.org\n';
    expect(await readFile(file, 'utf8')).toBe(
      `${head}Subject: Hello\n\nA line.\n\n${head}Subject: Again\n\nA line.\n\n`,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('starts a new file beyond 10 MB and keeps the old one', async () => {
    const file = join(folder, 'long.log');
    const mail = fileMail(file);
    await mail.send(message, signal);
    await truncate(file, 10 * 1024 * 1024);
    await mail.send(message, signal);
    expect((await stat(file)).size).toBeGreaterThan(10 * 1024 * 1024);
    await mail.send(message, signal);
    expect((await stat(`${file}.1`)).size).toBeGreaterThan(10 * 1024 * 1024);
    expect((await stat(file)).size).toBeLessThan(200);
  });
});
