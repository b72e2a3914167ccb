import blocks from '@pacioli/blocks';
import { contribute, definePlugin } from '@pacioli/core';
import { describeSet } from '@pacioli/core/assembly';
import taxonomy from '@pacioli/taxonomy';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import ledger, { bookkeepingSources } from '../src/index.ts';

describe('a source of bookkeeping', () => {
  const guest = (name: string, registered: string) =>
    definePlugin({
      name,
      title: 'Guest',
      version: '1.0.0',
      kernel: '^0.1.0',
      dependsOn: ['ledger'],
      contributions: [contribute(bookkeepingSources, registered, { create: () => ({ title: 'Guest' }) })],
    });

  it('belongs to one plugin (ledger L-219)', () => {
    const plugins = [taxonomy, blocks, ledger, guest('first', 'trips'), guest('second', 'trips')];
    expect(() => describeSet({ plugins })).toThrow(
      'entry "trips" of ledger.bookkeeping-sources is contributed by first and second',
    );
  });

  it.each([
    ['manual', "'manual', which belongs to the ledger"],
    ['Trips', "'Trips'. Choose 1 to 63 lower-case letters"],
  ])('stops the start under the name %s (ledger L-219)', async (name, message) => {
    const started = startTestService({ plugins: [taxonomy, blocks, ledger, guest('guest', name)] });
    await expect(started).rejects.toThrow(message);
  });
});
