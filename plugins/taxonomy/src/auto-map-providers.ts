import { credits, kernel, provide } from '@pacioli/core';
import { autoMapper, mappingModels } from './auto-map-tokens.ts';
import { mappingEdits } from './block-tokens.ts';
import { libraryViews } from './library-views.ts';
import { createAutoMapper } from './mapping/index.ts';
import { taxonomyReads } from './read-tokens.ts';
import { library } from './tokens.ts';

export const autoMapProviders = [
  provide(autoMapper, {
    services: {
      library,
      views: libraryViews,
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
