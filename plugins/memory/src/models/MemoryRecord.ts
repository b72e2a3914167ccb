import { instant, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';

export default model(
  'MemoryRecord',
  {
    id: Type.String(),
    text: Type.String(),
    source: Type.Optional(nullable(Type.String())),
    memory_type: Type.Optional(nullable(Type.String())),
    tags: Type.Optional(nullable(Type.Array(Type.String()))),
    source_ref: Type.Optional(nullable(Type.String())),
    provenance: Type.Optional(nullable(openObject())),
    created_by: Type.Optional(nullable(Type.String())),
    created_at: Type.Optional(nullable(instant())),
    updated_at: Type.Optional(nullable(instant())),
  },
  {
    fields: {
      source: 'Who stored it: api, mcp, operator, or a name that the caller gave.',
      memory_type: 'Any name, such as note, fact, preference, decision, procedure or correction.',
      source_ref: 'The place that it is from, such as an address or the id of a document.',
      provenance: 'Any object of the caller; a number importance from 0 to 1 counts in the blended ranking.',
      created_by: 'The id of the user.',
      updated_at: 'When it was changed or remembered again.',
    },
  },
);
