import { credits, kernel, provide } from '@pacioli/core';
import { autoMapper, mappingModels } from './auto-map-tokens.ts';
import { createAutoMapper } from './auto-mapper.ts';
import { library, mappingEdits, taxonomyReads } from './tokens.ts';

export const autoMapServices = [
  provide(autoMapper, {
    needs: {
      library,
      reads: taxonomyReads,
      edits: mappingEdits,
      graphs: kernel.graphs,
      models: mappingModels,
      credits,
      log: kernel.log,
    },
    create: createAutoMapper,
  }),
];
