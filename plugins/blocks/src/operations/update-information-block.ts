import { defineOperation } from '@pacioli/core';
import { Type } from 'typebox';
import { blockDispatch } from '../internal-tokens.ts';
import { informationBlockEnvelope } from '../models/information-block-envelope.ts';
import { updateForecastArm, updateLegacyArm, updateRollforwardArm, updateScheduleArm } from '../models/update-arms.ts';

export default defineOperation({
  name: 'update-information-block',
  summary: 'Updates a block that was created from parameters.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'update_information_block', tag: 'extensions_robo_ledger' },
  input: Type.Union([updateForecastArm, updateLegacyArm, updateRollforwardArm, updateScheduleArm]),
  output: informationBlockEnvelope,
  services: { blockDispatch },
  stale: 'information_block_updated',
  errors: {
    INVALID_INPUT: 'The parameters contradict each other or refer to something that does not exist.',
    NOT_FOUND: 'The graph has no block of this type with this id.',
    BLOCK_WRITE_UNAVAILABLE: { kind: 'disabled', meaning: 'Blocks of this type are written by another operation.' },
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    return use.blockDispatch.update(work, input);
  },
});
