import { model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import {
  artifactResponse,
  connectionLite,
  elementLite,
  factLite,
  factSetLite,
  informationModelResponse,
  ruleLite,
  viewProjections,
} from './envelope-parts.ts';
import { verificationResultLite, verificationSummary } from './verification.ts';

export const informationBlockEnvelope = model('InformationBlockEnvelope', {
  id: Type.String(),
  block_type: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  category: Type.String(),
  information_model: informationModelResponse,
  artifact: artifactResponse,
  taxonomy_id: Type.Optional(nullable(Type.String())),
  taxonomy_name: Type.Optional(nullable(Type.String())),
  disclosure_id: Type.Optional(nullable(Type.String())),
  elements: Type.Optional(Type.Array(elementLite)),
  connections: Type.Optional(Type.Array(connectionLite)),
  facts: Type.Optional(Type.Array(factLite)),
  rules: Type.Optional(Type.Array(ruleLite)),
  dimensions: Type.Optional(Type.Array(openObject())),
  fact_set: Type.Optional(nullable(factSetLite)),
  verification_results: Type.Optional(Type.Array(verificationResultLite)),
  verification_summary: Type.Optional(nullable(verificationSummary)),
  view: Type.Optional(viewProjections),
});
