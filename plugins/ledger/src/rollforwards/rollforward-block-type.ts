import { type BlockType, blockTypes } from '@pacioli/blocks';
import { type Contribution, contribute, type Token } from '@pacioli/core';
import { blockName } from '../schedules/index.ts';
import type { ValidationMode } from './rollforward.ts';
import type { FilterRequest, Rollforwards } from './rollforwards.ts';

/** The payloads of roll-forwards in the block operations. */
interface RollforwardPayload {
  readonly structure_id: string;
  readonly name: string | null;
  readonly bs_source_qname: string;
  readonly default_change_tag_qname?: string | null;
  readonly attribution_filters?: readonly FilterRequest[] | null;
  readonly validation_mode?: ValidationMode | null;
  readonly taxonomy_id?: string | null;
}

/** Blocks that explain how a balance changed (reporting 2.6). */
export const rollforwardBlockType = (books: Token<{ readonly rollforwards: Rollforwards }>): Contribution =>
  contribute(blockTypes, 'rollforward', {
    services: { books },
    create: ({ books: { rollforwards: store } }): Omit<BlockType, 'key'> => ({
      displayName: 'Roll-forward',
      displayPlural: 'Roll-forwards',
      category: 'Reporting',
      icon: 'repeat',
      description: 'Explains the change of a balance by the flows that its lines are tagged with.',
      mode: 'declarative',
      conceptArrangement: 'roll_forward',
      memberArrangement: null,
      surfacesInLibrary: false,
      factsShown: 'none',
      create: async (work, payload) => {
        const given = payloadOf(payload);
        const structureId = await store.create(work, {
          name: blockName(given.name ?? ''),
          sourceQname: given.bs_source_qname,
          defaultTagQname: given.default_change_tag_qname ?? null,
          filters: given.attribution_filters ?? [],
          validationMode: given.validation_mode ?? 'residual_as_default',
          taxonomyId: given.taxonomy_id ?? null,
        });
        return { structureId };
      },
      update: async (work, payload) => {
        const given = payloadOf(payload);
        await store.update(work, {
          structureId: given.structure_id,
          name: given.name == null ? null : blockName(given.name),
          defaultTagQname: given.default_change_tag_qname ?? null,
          filters: given.attribution_filters ?? null,
          validationMode: given.validation_mode ?? null,
        });
        return { structureId: given.structure_id };
      },
      remove: (work, payload) => store.remove(work.tx, payloadOf(payload).structure_id),
      mechanics: (tx, structureIds) => store.definitions(tx, structureIds),
    }),
  });

function payloadOf(payload: Readonly<Record<string, unknown>>): RollforwardPayload {
  // The operation has validated the payload against the roll-forward member of its union.
  return payload as unknown as RollforwardPayload;
}
