import { model, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { legacyBlockTypes } from './legacy-block-types.ts';

const deleteForecastRequest = model('DeleteForecastRequest', {
  structure_id: Type.String(),
});

export const deleteForecastArm = model('DeleteForecastArm', {
  block_type: Type.Unsafe<'forecast'>({ enum: ['forecast'] }),
  payload: deleteForecastRequest,
});

export const deleteLegacyArm = model('DeleteLegacyArm', {
  block_type: oneOf(legacyBlockTypes),
  payload: Type.Optional(openObject()),
});

const deleteRollforwardRequest = model('DeleteRollforwardRequest', {
  structure_id: Type.String(),
});

export const deleteRollforwardArm = model('DeleteRollforwardArm', {
  block_type: Type.Unsafe<'rollforward'>({ enum: ['rollforward'] }),
  payload: deleteRollforwardRequest,
});

const deleteScheduleRequest = model('DeleteScheduleRequest', {
  structure_id: Type.String(),
});

export const deleteScheduleArm = model('DeleteScheduleArm', {
  block_type: Type.Unsafe<'schedule'>({ enum: ['schedule'] }),
  payload: deleteScheduleRequest,
});

export const deleteInformationBlockResponse = model('DeleteInformationBlockResponse', {
  structure_id: Type.String(),
  block_type: Type.String(),
  name: Type.String(),
  deleted: Type.Optional(Type.Boolean({ default: true })),
});
