import type { TypeOf } from '@pacioli/core';
import type memoryRecord from '../models/MemoryRecord.ts';
import type { StoredMemory } from '../tokens.ts';

/** A memory on the wire; its vector is never sent (ME-1). */
export function memoryView(memory: StoredMemory): TypeOf<typeof memoryRecord> {
  return {
    id: memory.id,
    text: memory.text,
    source: memory.source,
    memory_type: memory.memoryType,
    tags: memory.tags === null ? null : [...memory.tags],
    source_ref: memory.sourceRef,
    provenance: memory.provenance,
    created_by: memory.createdBy,
    created_at: memory.createdAt.toISOString(),
    updated_at: memory.updatedAt.toISOString(),
  };
}
