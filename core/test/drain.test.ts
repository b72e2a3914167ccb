import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [], worker: false });
});
afterAll(() => service.close());

describe('Service.drain', () => {
  it('ends an open stream with its last frame and still serves requests (platform H-5)', async () => {
    const user = await service.newUser('Kim');
    const accepted = await user.post('/v1/graphs', {
      metadata: { graph_name: 'Waiting' },
      initial_entity: { name: 'W', uri: 'https://example.org/w' },
    });
    const path = `/v1/operations/${accepted.body.operationId}`;
    const frames: { event: string; status: unknown }[] = [];
    let drained: Promise<void> | undefined;
    for await (const frame of user.stream(`${path}/stream`)) {
      frames.push({ event: frame.event, status: frame.data.status });
      if (frame.event === 'queue_update') drained ??= service.service.drain();
    }
    await drained;
    // No worker runs, so only the shutdown can have ended the stream.
    expect(frames).toEqual([
      { event: 'connected', status: 'pending' },
      { event: 'queue_update', status: undefined },
      { event: 'stream_end', status: 'pending' },
    ]);
    expect((await user.get(`${path}/status`)).body.status).toBe('pending');
  });
});
