import { defineOperation } from '@pacioli/core';
import { Type } from 'typebox';
import { blockDispatch } from '../internal-tokens.ts';
import { createForecastArm, createLegacyArm, createRollforwardArm, createScheduleArm } from '../models/create-arms.ts';
import { informationBlockEnvelope } from '../models/information-block-envelope.ts';

export default defineOperation({
  name: 'create-information-block',
  summary: 'Creates a block and its atoms from parameters, for types that support it.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'create_information_block', tag: 'extensions_robo_ledger' },
  input: Type.Union([createForecastArm, createLegacyArm, createRollforwardArm, createScheduleArm]),
  output: informationBlockEnvelope,
  services: { blockDispatch },
  stale: 'information_block_created',
  errors: {
    INVALID_INPUT: 'The parameters contradict each other or refer to something that does not exist.',
    BLOCK_WRITE_UNAVAILABLE: { kind: 'disabled', meaning: 'Blocks of this type are written by another operation.' },
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    return use.blockDispatch.create(work, input);
  },
});
