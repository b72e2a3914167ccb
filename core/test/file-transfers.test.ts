import { defineOperation, definePlugin, fileTransfers, model } from '@pacioli/core';
import {
  fixedClock,
  joinTeam,
  startTestService,
  type TestClient,
  type TestService,
  teamSettings,
} from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const maxBytes = 1_000_000;
const clock = fixedClock('2026-03-02T09:00:00Z');

const grant = defineOperation({
  name: 'grant-transfer',
  summary: 'Grants the upload and the download of one file of the graph.',
  role: 'member',
  openapi: { id: 'grant_transfer', tag: 'files' },
  mcp: { held: 'Only for tests.' },
  input: model('GrantTransferOp', { name: Type.String(), file_name: Type.Optional(Type.String()) }),
  output: model('GrantTransferResult', { upload: Type.String(), download: Type.String() }),
  services: { fileTransfers },
  async handle({ input, ctx, use }) {
    const common = {
      graphId: ctx.graph.id,
      userId: ctx.caller.userId,
      key: `${ctx.graph.id}/${input.name}`,
      contentType: 'text/csv',
      expiresInSeconds: 600,
      now: ctx.now(),
      serviceUrl: ctx.serviceUrl,
    };
    return {
      upload: await use.fileTransfers.uploadUrl(ctx.tx, { ...common, maxBytes }),
      download: await use.fileTransfers.downloadUrl(ctx.tx, {
        ...common,
        fileName: input.file_name ?? `${input.name}.csv`,
      }),
    };
  },
});

const plugin = definePlugin({
  name: 'transfers',
  title: 'Transfers',
  version: '1.0.0',
  kernel: '^0.1.0',
  operations: [grant],
});

describe('the transfer of files through the service', () => {
  let service: TestService;
  let user: TestClient;
  let graphId: string;

  const granted = async (name: string): Promise<{ upload: string; download: string }> =>
    (await user.post(`/v1/graphs/${graphId}/operations/grant-transfer`, { name })).body.result;
  const put = (url: string, body: string | ReadableStream<Uint8Array>, contentType = 'text/csv') =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': contentType }, duplex: 'half' } as RequestInit);
  const stored = (name: string) => service.fileStore.info(`${graphId}/${name}`);

  beforeAll(async () => {
    service = await startTestService({ plugins: [plugin], clock, settings: teamSettings });
    user = await service.newUser('Ada');
    graphId = await user.createGraph('Books', []);
  });
  afterAll(() => service.close());

  it('takes a file once, and sends it as an attachment (graphs F-3)', async () => {
    const { upload, download } = await granted('vessels');
    expect(upload.startsWith(`${service.url}/uploads/`)).toBe(true);
    expect((await put(upload, 'code\nB1\n', 'text/csv; charset=utf-8')).status).toBe(200);
    const got = await fetch(download);
    expect([got.status, await got.text()]).toEqual([200, 'code\nB1\n']);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="vessels.csv"',
      'cache-control': 'no-store',
    });
    const again = await put(upload, 'other');
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([403, 'UPLOAD_NOT_GRANTED']);
    expect(await (await fetch(download)).text()).toBe('code\nB1\n');
  });

  it('names the file in ASCII, and for clients that know RFC 6266 as it is (graphs F-13)', async () => {
    const fileName = 'Schiffe (März)\'s "Liste"\r\n.csv';
    const { upload, download } = (
      await user.post(`/v1/graphs/${graphId}/operations/grant-transfer`, { name: 'ships', file_name: fileName })
    ).body.result;
    await put(upload, 'code\n');
    const answer = await fetch(download);
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="Schiffe__M_rz__s__Liste___.csv"; ' +
        "filename*=UTF-8''Schiffe%20%28M%C3%A4rz%29%27s%20%22Liste%22%0D%0A.csv",
    );
  });

  it('works under another scheme, host or port, since clients may replace them (graphs F-3)', async () => {
    const { upload } = await granted('moved');
    const { pathname } = new URL(upload);
    expect((await put(`${service.url.replace('127.0.0.1', 'localhost')}${pathname}`, 'x')).status).toBe(200);
  });

  it('refuses another content type, and a longer file whether or not its length is declared', async () => {
    const { upload } = await granted('long');
    expect((await put(upload, 'x', 'application/json')).status).toBe(415);
    expect((await put(upload, 'x'.repeat(maxBytes + 1))).status).toBe(413);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const cut = await put(upload, endless).catch((error: unknown) => error);
    if (cut instanceof Response) expect(cut.status).toBe(413);
    expect(sent).toBeLessThan(20 * maxBytes);
    expect(await stored('long')).toBeUndefined();
    expect((await put(upload, 'short')).status).toBe(200);
  });

  it('stores nothing of an upload that breaks off, which can be repeated', async () => {
    const { upload } = await granted('broken');
    const controller = new AbortController();
    const half = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode('half')),
    });
    const sending = fetch(upload, {
      method: 'PUT',
      body: half,
      headers: { 'content-type': 'text/csv' },
      duplex: 'half',
      signal: controller.signal,
    } as RequestInit);
    controller.abort();
    await expect(sending).rejects.toThrow();
    expect(await stored('broken')).toBeUndefined();
    expect((await put(upload, 'whole')).status).toBe(200);
    expect((await stored('broken'))?.bytes).toBe(5);
  });

  it.each(['', 'x', '..%2F..%2Fsecret', 'A'.repeat(43), 'A'.repeat(5_000)])(
    'refuses a token that was never granted: %j',
    async (token) => {
      expect([403, 404]).toContain((await put(`${service.url}/uploads/${token}`, 'x')).status);
      expect([403, 404]).toContain((await fetch(`${service.url}/downloads/${token}`)).status);
    },
  );

  it('does not take an upload with the token of a download, and the reverse', async () => {
    const { upload, download } = await granted('crossed');
    expect((await put(download.replace('/downloads/', '/uploads/'), 'x')).status).toBe(403);
    expect((await fetch(upload.replace('/uploads/', '/downloads/'))).status).toBe(403);
    expect((await fetch(download)).status).toBe(404);
  });

  it('ends when its user loses the graph (graphs F-3, F-13)', async () => {
    const { client, userId } = await joinTeam(service, user);
    const members = `/v1/graphs/${graphId}/members`;
    expect((await user.post(members, { user_id: userId, role: 'member' })).status).toBe(201);
    const answer = await client.post(`/v1/graphs/${graphId}/operations/grant-transfer`, { name: 'shared' });
    const { upload, download } = answer.body.result;
    await put((await granted('shared')).upload, 'x');
    expect((await fetch(download)).status).toBe(200);
    expect((await user.request('DELETE', `${members}/${userId}`)).status).toBeLessThan(300);
    expect([(await put(upload, 'y')).status, (await fetch(download)).status]).toEqual([403, 403]);
    expect(await (await fetch((await granted('shared')).download)).text()).toBe('x');
  });

  it('ends with the grant', async () => {
    const { upload, download } = await granted('late');
    await put(upload, 'x');
    clock.advance(601_000);
    expect([(await put(upload, 'y')).status, (await fetch(download)).status]).toEqual([403, 403]);
  });
});
