import { model } from '@pacioli/core';
import { Type } from 'typebox';

export default model('StorageItem', {
  type: Type.String(),
  id: Type.String(),
  bytes: Type.Integer(),
});
