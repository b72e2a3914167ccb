import { model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { leverAssertionRequest, lineAssertionRequest, lineGrowthRequest } from './forecast-parts.ts';
import { legacyBlockTypes } from './legacy-block-types.ts';
import { attributionFilter, entryTemplateRequest, scheduleMetadataRequest } from './schedule-parts.ts';

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

export const updateForecastArm = model('UpdateForecastArm', {
  block_type: Type.Unsafe<'forecast'>({ enum: ['forecast'] }),
  payload: updateForecastRequest,
});

export const updateLegacyArm = model('UpdateLegacyArm', {
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

export const updateRollforwardArm = model('UpdateRollforwardArm', {
  block_type: Type.Unsafe<'rollforward'>({ enum: ['rollforward'] }),
  payload: updateRollforwardRequest,
});

const updateScheduleRequest = model('UpdateScheduleRequest', {
  structure_id: Type.String(),
  name: Type.Optional(nullable(Type.String())),
  entry_template: Type.Optional(nullable(entryTemplateRequest)),
  schedule_metadata: Type.Optional(nullable(scheduleMetadataRequest)),
});

export const updateScheduleArm = model('UpdateScheduleArm', {
  block_type: Type.Unsafe<'schedule'>({ enum: ['schedule'] }),
  payload: updateScheduleRequest,
});
