import { model } from '@pacioli/core';
import { Type } from 'typebox';

export const DeleteResult = model('DeleteResult', { deleted: Type.Boolean() });
