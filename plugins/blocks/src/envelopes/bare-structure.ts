import { notFound, type ServiceError } from '@pacioli/core';

/**
 * The refusal of a write of a block of which only the structure is there (taxonomy 1.2). The owner of its type throws it
 * when it does not find the rest.
 */
export function bareStructure(displayName: string, structureId: string): ServiceError {
  return notFound(
    `${displayName} '${structureId}' has no block behind it: a taxonomy block made its structure alone. ` +
      'Remove it with update-taxonomy-block (structures_to_remove).',
  );
}
