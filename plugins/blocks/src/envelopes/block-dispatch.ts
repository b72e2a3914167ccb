import { invalidInput, notFound, ServiceError } from '@pacioli/core';
import { type StructurePart, type StructureParts, structureParts } from '@pacioli/taxonomy';
import { type BlockEnvelopes, type BlockType, type BlockWork, blockEnvelopes, blockTypes } from '../tokens.ts';
import type { Envelope } from './envelope.ts';

/** The request of a block operation, which is a union over the block types; validated. */
export interface BlockArm {
  readonly block_type: string;
  readonly payload?: object;
}

type Payload = Readonly<Record<string, unknown>>;
type Act = 'create' | 'update' | 'remove';

/** The result of a deletion, for the response. */
export interface DeletedBlock {
  readonly structure_id: string;
  readonly block_type: string;
  readonly name: string;
  readonly deleted: true;
}

/** The services of a dispatch, as the operations declare them. */
export const dispatchServices = { types: blockTypes, structures: structureParts, envelopes: blockEnvelopes } as const;

/** Dispatches each write to the owner of its block type, within the caller's transaction (B-5). */
export class BlockDispatch {
  readonly #types: ReadonlyMap<string, BlockType>;
  readonly #structures: StructureParts;
  readonly #envelopes: BlockEnvelopes;

  constructor(parts: {
    readonly types: readonly BlockType[];
    readonly structures: StructureParts;
    readonly envelopes: BlockEnvelopes;
  }) {
    this.#types = new Map(parts.types.map((type) => [type.key, type]));
    this.#structures = parts.structures;
    this.#envelopes = parts.envelopes;
  }

  async create(work: BlockWork, arm: BlockArm): Promise<Envelope> {
    const type = this.#typeOf(arm, 'create');
    const { structureId } = await type.create(work, payloadOf(arm));
    return this.#envelope(work, structureId);
  }

  async update(work: BlockWork, arm: BlockArm): Promise<Envelope> {
    const type = this.#typeOf(arm, 'update');
    await this.#target(work, arm, type);
    const { structureId } = await type.update(work, payloadOf(arm));
    return this.#envelope(work, structureId);
  }

  async remove(work: BlockWork, arm: BlockArm): Promise<DeletedBlock> {
    const type = this.#typeOf(arm, 'remove');
    const { id, name } = await this.#target(work, arm, type);
    await type.remove(work, payloadOf(arm));
    return { structure_id: id, block_type: type.key, name, deleted: true };
  }

  #typeOf<A extends Act>(arm: BlockArm, act: A): BlockType & Required<Pick<BlockType, A>> {
    const type = this.#types.get(arm.block_type);
    if (type === undefined) {
      // The contract's unions cover a full deployment; this one knows only the types of its own plugins.
      const known = [...this.#types.keys()].join(', ');
      throw invalidInput(`block_type: '${arm.block_type}' is not offered by this deployment. Use one of ${known}.`);
    }
    if (type[act] === undefined) throw unavailable(type, act);
    return type as BlockType & Required<Pick<BlockType, A>>; // The check above ensures that the write exists.
  }

  /** The block to write: it must belong to this graph and have the arm's type. */
  async #target(work: BlockWork, arm: BlockArm, type: BlockType): Promise<StructurePart> {
    const id = String(payloadOf(arm)['structure_id']);
    const found = (await this.#structures.find(work.tx, [id])).get(id);
    if (found !== undefined && found.blockType === type.key && !found.isShared) return found;
    throw notFound(`${type.displayName} '${id}' not found.`);
  }

  async #envelope(work: BlockWork, structureId: string): Promise<Envelope> {
    const envelope = (await this.#envelopes.read(work.tx, [structureId])).get(structureId);
    if (envelope === undefined) throw new Error(`The block ${structureId} was written and cannot be read.`);
    return envelope;
  }
}

function payloadOf(arm: BlockArm): Payload {
  return { ...arm.payload };
}

const actNames = { create: 'create', update: 'update', remove: 'delete' } as const;

/** Reporting B-4: the message names the type and the operation to call instead. */
function unavailable(type: BlockType, act: Act): ServiceError {
  const instead = type.instead?.[act];
  const hint = instead === undefined ? 'This deployment has no operation for it.' : `Use ${instead} instead.`;
  const message = `block_type '${type.key}' has no ${actNames[act]}-information-block. ${hint}`;
  return new ServiceError('disabled', 'BLOCK_WRITE_UNAVAILABLE', message);
}

/**
 * The error for a write to a structure without an information block, which a taxonomy block created (taxonomy 1.2). The
 * owner of the block type throws it.
 */
export function bareStructure(displayName: string, structureId: string): ServiceError {
  return notFound(
    `${displayName} '${structureId}' is a structure of a taxonomy block, without an information block. ` +
      'Remove it with update-taxonomy-block (structures_to_remove).',
  );
}
