import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** Texts of a graph, such as those of its reports, have changed; their entries can be written. */
export default defineEvent('search.texts-changed', model('SearchTextsChanged', { graph_id: Type.String() }));
