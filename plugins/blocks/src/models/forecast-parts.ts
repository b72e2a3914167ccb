import { mapModel, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const leverAssertionRequestValuesByPeriodType0 = mapModel('LeverAssertionRequestValuesByPeriodType0', Type.Number());

export const leverAssertionRequest = model('LeverAssertionRequest', {
  qname: Type.String(),
  value: Type.Optional(nullable(Type.Number())),
  values_by_period: Type.Optional(nullable(leverAssertionRequestValuesByPeriodType0)),
});

const lineAssertionRequestValuesByPeriodType0 = mapModel('LineAssertionRequestValuesByPeriodType0', Type.Number());

export const lineAssertionRequest = model('LineAssertionRequest', {
  qname: Type.String(),
  value: Type.Optional(nullable(Type.Number())),
  values_by_period: Type.Optional(nullable(lineAssertionRequestValuesByPeriodType0)),
});

const lineGrowthRequestValuesByPeriodType0 = mapModel('LineGrowthRequestValuesByPeriodType0', Type.Number());

export const lineGrowthRequest = model('LineGrowthRequest', {
  qname: Type.String(),
  value: Type.Optional(nullable(Type.Number())),
  values_by_period: Type.Optional(nullable(lineGrowthRequestValuesByPeriodType0)),
});
