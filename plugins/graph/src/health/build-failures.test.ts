import type { Store } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { BuildRequest } from '../generations/index.ts';
import { buildOrNoteFailure } from './build-failures.ts';

describe('buildOrNoteFailure', () => {
  it('throws the error of the build when the failure cannot be noted (graphs H-4)', async () => {
    const transaction = () => Promise.reject(new Error('The store cannot be reached.'));
    const store = { transaction } as unknown as Store; // Only its transactions are used.
    const request: BuildRequest = {
      graph: { id: 'kg1', extensions: [] },
      run: 'op_1',
      source: 'extensions',
      isForced: true,
      signal: new AbortController().signal,
      now: () => new Date(0),
      transaction,
      report: async () => undefined,
    };
    const graphBuilder = { build: () => Promise.reject(new Error('The engine stopped.')) };
    await expect(buildOrNoteFailure({ store, graphBuilder }, request)).rejects.toThrow('The engine stopped.');
  });
});
