import { defineOperation, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { BlockDispatch, dispatchServices } from '../envelopes/index.ts';
import { leverAssertionRequest, lineAssertionRequest, lineGrowthRequest } from '../models/forecast-parts.ts';
import { informationBlockEnvelope } from '../models/information-block-envelope.ts';
import { legacyBlockTypes } from '../models/legacy-block-types.ts';
import { attributionFilter, entryTemplateRequest, scheduleMetadataRequest } from '../models/schedule-parts.ts';

const updateForecastRequest = model('UpdateForecastRequest', {
  structure_id: Type.String(),
  name: Type.Optional(nullable(Type.String())),
  scenario_kind: Type.Optional(nullable(oneOf(['budget', 'forecast', 'projection']))),
  horizon_months: Type.Optional(nullable(Type.Integer())),
  base_period: Type.Optional(nullable(Type.String())),
  base_anchor: Type.Optional(nullable(oneOf(['fixed', 'seam']))),
  levers: Type.Optional(nullable(Type.Array(leverAssertionRequest))),
  line_assertions: Type.Optional(nullable(Type.Array(lineAssertionRequest))),
  line_growth: Type.Optional(nullable(Type.Array(lineGrowthRequest))),
});

const updateForecastArm = model('UpdateForecastArm', {
  block_type: Type.Unsafe<'forecast'>({ enum: ['forecast'] }),
  payload: updateForecastRequest,
});

const updateLegacyArm = model('UpdateLegacyArm', {
  block_type: oneOf(legacyBlockTypes),
  payload: Type.Optional(openObject()),
});

const updateRollforwardRequest = model('UpdateRollforwardRequest', {
  structure_id: Type.String(),
  name: Type.Optional(nullable(Type.String())),
  default_change_tag_qname: Type.Optional(nullable(Type.String())),
  attribution_filters: Type.Optional(nullable(Type.Array(attributionFilter))),
  validation_mode: Type.Optional(nullable(oneOf(['residual_as_default', 'strict', 'warn_only']))),
});

const updateRollforwardArm = model('UpdateRollforwardArm', {
  block_type: Type.Unsafe<'rollforward'>({ enum: ['rollforward'] }),
  payload: updateRollforwardRequest,
});

const updateScheduleRequest = model('UpdateScheduleRequest', {
  structure_id: Type.String(),
  name: Type.Optional(nullable(Type.String())),
  entry_template: Type.Optional(nullable(entryTemplateRequest)),
  schedule_metadata: Type.Optional(nullable(scheduleMetadataRequest)),
});

const updateScheduleArm = model('UpdateScheduleArm', {
  block_type: Type.Unsafe<'schedule'>({ enum: ['schedule'] }),
  payload: updateScheduleRequest,
});

export default defineOperation({
  name: 'update-information-block',
  summary: 'Updates a block that was created from parameters.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'update_information_block', tag: 'extensions_robo_ledger' },
  input: Type.Union([updateForecastArm, updateLegacyArm, updateRollforwardArm, updateScheduleArm]),
  output: informationBlockEnvelope,
  mcp: { hint: 'Changes the parameters of a block; read it with get-information-block before.', idempotent: true },
  services: dispatchServices,
  stale: 'information_block_updated',
  errors: {
    INVALID_INPUT: 'The parameters contradict each other or refer to something that does not exist.',
    NOT_FOUND: 'The graph has no block of this type with this id.',
    BLOCK_WRITE_UNAVAILABLE: { kind: 'disabled', meaning: 'Blocks of this type are written by another operation.' },
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    return new BlockDispatch(use).update(work, input);
  },
});
