import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const schema = {
  name: 'harbour',
  nodes: [{ name: 'Berth', properties: [{ name: 'code', type: 'STRING', is_primary_key: true }] }],
};
const dayMs = 86_400_000;

describe('content in the file store', () => {
  // The file store has the time of the machine.
  const start = new Date();
  const clock = fixedClock(start.toISOString());
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph], clock });
  });
  afterAll(() => service.close());

  it('is removed a day after it was sent when its file is gone or was not ingested (graphs F-4)', async () => {
    const owner = await service.newUser('Owner');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    const graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
    const upload = async (name: string): Promise<{ readonly file_id: string; readonly s3_key: string }> => {
      const input = { table_name: 'Berth', file_name: name, content_type: 'text/csv' };
      const { result } = (await operation('create-file-upload', input)).body;
      const headers = { 'content-type': 'text/csv' };
      expect((await fetch(result.upload_url, { method: 'PUT', body: 'code\nB1\n', headers })).status).toBe(200);
      return result;
    };
    const [kept, waiting, deleted] = [await upload('kept.csv'), await upload('waiting.csv'), await upload('gone.csv')];
    expect((await operation('ingest-file', { file_id: kept.file_id })).status).toBe(200);
    expect((await operation('delete-file', { file_id: deleted.file_id })).status).toBe(200);
    await expect.poll(() => service.fileStore.info(deleted.s3_key)).toBeUndefined();

    // A client with the URL of an object store can send the content again.
    async function* late(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('code\nB2\n');
    }
    const options = { maxBytes: 100, contentType: 'text/csv', signal: new AbortController().signal };
    await service.fileStore.write(deleted.s3_key, late(), options);
    await service.fileStore.write('user-staging/other', late(), options);
    clock.set(new Date(start.getTime() + 2 * dayMs).toISOString());
    await expect.poll(() => service.fileStore.info(deleted.s3_key)).toBeUndefined();
    await expect.poll(() => service.fileStore.info(waiting.s3_key)).toBeUndefined();
    expect(await service.fileStore.info(kept.s3_key)).toMatchObject({ bytes: 8 });
    expect(await service.fileStore.info('user-staging/other')).toBeDefined();
  });
});
