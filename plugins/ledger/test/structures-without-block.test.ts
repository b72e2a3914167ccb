/** @module-tag sessions */
// Goal: a structure that a taxonomy block created is deleted through that taxonomy block.
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(async () => {
  await service.close();
});

const listed = async (blockType: string): Promise<readonly string[]> => {
  const { informationBlocks } = await book.query(`{ informationBlocks(blockType: "${blockType}") { name } }`);
  return informationBlocks.map(({ name }: Loose) => name);
};

/** Adds a taxonomy with two structures of the type and no information block. */
const addPapers = (blockType: string) =>
  done(book, 'create-taxonomy-block', {
    taxonomy_type: 'schedule',
    name: 'Working papers',
    structures: [
      { name: 'One', block_type: blockType },
      { name: 'Two', block_type: blockType },
    ],
  });
const deleteBlock = (blockType: string, structureId: string) =>
  book.operation('delete-information-block', { block_type: blockType, payload: { structure_id: structureId } });

describe('structures of a taxonomy block that have no information block', () => {
  it('deletes a schedule structure without a block only with update-taxonomy-block, as delete-information-block says (taxonomy 1.2, T-37)', async () => {
    const made = await addPapers('schedule');
    expect(await listed('schedule')).toEqual(['One', 'Two']);
    const [one] = made.structures;
    const refused = await deleteBlock('schedule', one.id);
    expect(refused.status).toBe(404);
    expect(refused.body.detail).toContain('Remove it with update-taxonomy-block (structures_to_remove).');
    expect(await listed('schedule')).toEqual(['One', 'Two']);
    await done(book, 'update-taxonomy-block', { taxonomy_id: made.id, structures_to_remove: [one.id] });
    expect(await listed('schedule')).toEqual(['Two']);
    await done(book, 'delete-taxonomy-block', { taxonomy_id: made.id, reason: 'a trial' });
    expect(await listed('schedule')).toEqual([]);
  });

  it('deletes a roll-forward structure without a block with delete-information-block, together with its rules (taxonomy T-29, T-38)', async () => {
    const made = await addPapers('rollforward');
    expect(await listed('rollforward')).toEqual(['One', 'Two']);
    expect((await deleteBlock('rollforward', made.structures[0].id)).status).toBe(200);
    expect(await listed('rollforward')).toEqual(['Two']);
    const { taxonomyBlock } = await book.query(`{ taxonomyBlock(id: "${made.id}") { rules { name } } }`);
    expect(taxonomyBlock.rules.map(({ name }: Loose) => name)).toEqual([
      'NoCycles: Two',
      'NoOrphanArcs: Two',
      'ParentBeforeChild: Two',
      'UniqueQNameInTaxonomy',
    ]);
    await done(book, 'delete-taxonomy-block', { taxonomy_id: made.id, reason: 'a trial' });
    expect(await listed('rollforward')).toEqual([]);
  });
});
