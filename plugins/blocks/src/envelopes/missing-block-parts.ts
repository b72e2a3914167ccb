import { notFound, type ServiceError } from '@pacioli/core';

/**
 * Refuses a write to a block that has lost everything except its structure (taxonomy 1.2). The owner of the block type
 * throws it.
 */
export function bareStructure(displayName: string, structureId: string): ServiceError {
  return notFound(
    `${displayName} '${structureId}' is a structure of a taxonomy block, without an information block. ` +
      'Remove it with update-taxonomy-block (structures_to_remove).',
  );
}
