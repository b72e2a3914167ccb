import { notFound, type ServiceError } from '@pacioli/core';

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
