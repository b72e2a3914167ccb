import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A file of a generic graph was deleted; its content can be removed (graphs F-12). */
export default defineEvent(
  'graph.file-deleted',
  model('FileDeleted', { graph_id: Type.String(), file_id: Type.String(), file_key: Type.String() }),
);
