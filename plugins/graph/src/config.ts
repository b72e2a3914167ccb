import { createToken, defineConfig, model, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const graphSettings = model(
  'GraphSettings',
  {
    backupCreation: Type.Boolean({
      default: true,
      description: 'Admins may take backups of their graphs; final and nightly ones are taken regardless.',
    }),
    subgraphCreation: Type.Boolean({ default: true, description: 'Members may create subgraphs.' }),
    nightlyBackups: Type.Boolean({
      default: true,
      description:
        'Graphs and subgraphs that changed are backed up every night, for as long as their tier keeps backups.',
    }),
  },
  { closed: true },
);

type GraphSettings = TypeOf<typeof graphSettings>;

export const config = defineConfig(createToken<GraphSettings>('graph.config'), graphSettings);
