import { startTestService } from '@pacioli/testing';
import { expect, it } from 'vitest';
import { notesPlugin } from './notes-plugin.ts';

it('serves its status and documents', async () => {
  const service = await startTestService({ plugins: [notesPlugin] });
  try {
    // A check that does not respond in time counts as failing, which a busy machine may need several attempts for.
    await expect
      .poll(async () => (await service.anonymous.get('/v1/status')).body)
      .toMatchObject({ status: 'healthy' });
    expect((await service.anonymous.get('/openapi.json')).body.paths).toHaveProperty(
      '/extensions/notes/{graph_id}/operations/add-note',
    );
    expect((await service.anonymous.get('/schema.graphql')).body).toContain(
      'noteList(startingWith: String = null): [Note!]!',
    );
    expect((await service.anonymous.get('/nowhere')).status).toBe(404);
    expect((await service.anonymous.post('/v1/status')).status).toBe(405);
    expect((await service.anonymous.get('/v1/operations/op_x/status')).status).toBe(401);
  } finally {
    await service.close();
  }
});
