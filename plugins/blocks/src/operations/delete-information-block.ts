import { defineOperation, model, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { BlockDispatch, dispatchServices } from '../envelopes/index.ts';
import { legacyBlockTypes } from '../models/legacy-block-types.ts';

const deleteForecastRequest = model('DeleteForecastRequest', {
  structure_id: Type.String(),
});

const deleteForecastArm = model('DeleteForecastArm', {
  block_type: Type.Unsafe<'forecast'>({ enum: ['forecast'] }),
  payload: deleteForecastRequest,
});

const deleteLegacyArm = model('DeleteLegacyArm', {
  block_type: oneOf(legacyBlockTypes),
  payload: Type.Optional(openObject()),
});

const deleteRollforwardRequest = model('DeleteRollforwardRequest', {
  structure_id: Type.String(),
});

const deleteRollforwardArm = model('DeleteRollforwardArm', {
  block_type: Type.Unsafe<'rollforward'>({ enum: ['rollforward'] }),
  payload: deleteRollforwardRequest,
});

const deleteScheduleRequest = model('DeleteScheduleRequest', {
  structure_id: Type.String(),
});

const deleteScheduleArm = model('DeleteScheduleArm', {
  block_type: Type.Unsafe<'schedule'>({ enum: ['schedule'] }),
  payload: deleteScheduleRequest,
});

const deleteInformationBlockResponse = model('DeleteInformationBlockResponse', {
  structure_id: Type.String(),
  block_type: Type.String(),
  name: Type.String(),
  deleted: Type.Optional(Type.Boolean({ default: true })),
});

export default defineOperation({
  name: 'delete-information-block',
  summary: 'Deletes a block that was created from parameters, with its facts and rules; posted entries stay.',
  role: 'member',
  effect: 'destructive',
  domain: 'ledger',
  openapi: { id: 'delete_information_block', tag: 'extensions_robo_ledger' },
  input: Type.Union([deleteForecastArm, deleteLegacyArm, deleteRollforwardArm, deleteScheduleArm]),
  output: deleteInformationBlockResponse,
  mcp: {
    hint: 'Deletes a block that was created from parameters; posted entries stay.',
    destructive: true,
    idempotent: true,
    confirmation: 'Deletes the information block with its facts and rules.',
  },
  services: dispatchServices,
  stale: 'information_block_deleted',
  errors: {
    INVALID_INPUT: 'This deployment does not offer the block type, or a disposal counts drafts of the schedule.',
    NOT_FOUND: 'The graph has no block of this type with this id.',
    BLOCK_WRITE_UNAVAILABLE: { kind: 'disabled', meaning: 'Blocks of this type are written by another operation.' },
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    return new BlockDispatch(use).remove(work, input);
  },
});
