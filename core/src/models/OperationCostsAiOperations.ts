import { Type } from 'typebox';
import { mapModel } from '../schema/model.ts';

export default mapModel('OperationCostsAiOperations', Type.Number());
