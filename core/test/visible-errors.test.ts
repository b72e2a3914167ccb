import { silentLog } from '@pacioli/core/assembly';
import { startTestService } from '@pacioli/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { notesPlugin } from './notes-plugin.ts';

afterEach(() => vi.restoreAllMocks());

/** Starts a service, sends it a refused, an invalid and a failing request, and returns the lines on standard error. */
async function errorsOf(options: Partial<Parameters<typeof startTestService>[0]>): Promise<readonly unknown[][]> {
  const print = vi.spyOn(console, 'error').mockReturnValue();
  const service = await startTestService({ plugins: [notesPlugin], ...options });
  try {
    const user = await service.newUser('Ann');
    const graph = await user.createGraph('Notes', ['notes']);
    const statuses: number[] = [];
    for (const text of ['refuse', '', 'explode'])
      statuses.push((await user.post(`/extensions/notes/${graph}/operations/add-note`, { text })).status);
    expect(statuses).toEqual([409, 422, 500]);
  } finally {
    await service.close();
  }
  return print.mock.calls;
}

describe('errors of a service without a log', () => {
  it('are written to standard error with their stack if they are unexpected, and only then (platform E-8)', async () => {
    const lines = await errorsOf({});
    expect(lines).toEqual([
      ['pacioli: operation failed', expect.objectContaining({ operation: 'add-note', error: expect.any(Error) })],
    ]);
    expect(lines[0]?.[1]).toHaveProperty('error.stack', expect.stringMatching(/secret internals\n.*notes-plugin/));
  });

  it('are not written if the host asks for silence', async () => {
    expect(await errorsOf({ log: silentLog })).toEqual([]);
  });
});
