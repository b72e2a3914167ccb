import { calendarDate, defineOperation, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { BlockDispatch, dispatchServices } from '../envelopes/index.ts';
import { leverAssertionRequest, lineAssertionRequest, lineGrowthRequest } from '../models/forecast-parts.ts';
import { informationBlockEnvelope } from '../models/information-block-envelope.ts';
import { legacyBlockTypes } from '../models/legacy-block-types.ts';
import { attributionFilter, entryTemplateRequest, scheduleMetadataRequest } from '../models/schedule-parts.ts';

const createForecastRequest = model('CreateForecastRequest', {
  name: Type.String(),
  levers: Type.Array(leverAssertionRequest),
  scenario_kind: Type.Optional(oneOf(['budget', 'forecast', 'projection'], { default: 'forecast' })),
  horizon_months: Type.Optional(Type.Integer({ default: 12 })),
  base_period: Type.Optional(nullable(Type.String())),
  base_anchor: Type.Optional(oneOf(['fixed', 'seam'], { default: 'seam' })),
  line_assertions: Type.Optional(Type.Array(lineAssertionRequest)),
  line_growth: Type.Optional(Type.Array(lineGrowthRequest)),
  entity_id: Type.Optional(nullable(Type.String())),
});

const createForecastArm = model('CreateForecastArm', {
  block_type: Type.Unsafe<'forecast'>({ enum: ['forecast'] }),
  payload: createForecastRequest,
});

const createLegacyArm = model('CreateLegacyArm', {
  block_type: oneOf(legacyBlockTypes),
  payload: Type.Optional(openObject()),
});

const createRollforwardRequest = model('CreateRollforwardRequest', {
  name: Type.String(),
  bs_source_qname: Type.String(),
  default_change_tag_qname: Type.Optional(nullable(Type.String())),
  attribution_filters: Type.Optional(Type.Array(attributionFilter)),
  validation_mode: Type.Optional(
    oneOf(['residual_as_default', 'strict', 'warn_only'], { default: 'residual_as_default' }),
  ),
  taxonomy_id: Type.Optional(nullable(Type.String())),
});

const createRollforwardArm = model('CreateRollforwardArm', {
  block_type: Type.Unsafe<'rollforward'>({ enum: ['rollforward'] }),
  payload: createRollforwardRequest,
});

const createScheduleRequest = model('CreateScheduleRequest', {
  name: Type.String(),
  element_ids: Type.Array(Type.String()),
  period_start: calendarDate(),
  period_end: calendarDate(),
  monthly_amount: Type.Integer(),
  entry_template: entryTemplateRequest,
  taxonomy_id: Type.Optional(nullable(Type.String())),
  schedule_metadata: Type.Optional(nullable(scheduleMetadataRequest)),
  closed_through: Type.Optional(nullable(calendarDate())),
  source_transaction_id: Type.Optional(nullable(Type.String())),
});

const createScheduleArm = model('CreateScheduleArm', {
  block_type: Type.Unsafe<'schedule'>({ enum: ['schedule'] }),
  payload: createScheduleRequest,
});

export default defineOperation({
  name: 'create-information-block',
  summary: 'Creates a block and its atoms from parameters, for types that support it.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'create_information_block', tag: 'extensions_robo_ledger' },
  input: Type.Union([createForecastArm, createLegacyArm, createRollforwardArm, createScheduleArm]),
  output: informationBlockEnvelope,
  mcp: {
    hint: 'Creates a block of a type such as schedule or forecast from parameters; the schema of the payload depends on block_type.',
  },
  services: dispatchServices,
  stale: 'information_block_created',
  errors: {
    INVALID_INPUT: 'The parameters contradict each other or refer to something that does not exist.',
    BLOCK_WRITE_UNAVAILABLE: { kind: 'disabled', meaning: 'Blocks of this type are written by another operation.' },
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    return new BlockDispatch(use).create(work, input);
  },
});
