import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import graphTierBackup from './GraphTierBackup.ts';
import graphTierCopyOperations from './GraphTierCopyOperations.ts';

export default model('GraphTierLimits', {
  monthly_credits: Type.Integer(),
  max_subgraphs: nullable(Type.Integer()),
  copy_operations: graphTierCopyOperations,
  backup: graphTierBackup,
});
