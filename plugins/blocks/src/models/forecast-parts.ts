import { mapOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export const leverAssertionRequest = model('LeverAssertionRequest', {
  qname: Type.String(),
  value: Type.Optional(nullable(Type.Number())),
  values_by_period: Type.Optional(nullable(mapOf(Type.Number()))),
});

export const lineAssertionRequest = model('LineAssertionRequest', {
  qname: Type.String(),
  value: Type.Optional(nullable(Type.Number())),
  values_by_period: Type.Optional(nullable(mapOf(Type.Number()))),
});

export const lineGrowthRequest = model('LineGrowthRequest', {
  qname: Type.String(),
  value: Type.Optional(nullable(Type.Number())),
  values_by_period: Type.Optional(nullable(mapOf(Type.Number()))),
});
