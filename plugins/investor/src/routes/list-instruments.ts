import { defineRoute, model } from '@pacioli/core';
import { Type } from 'typebox';
import { instruments } from '../terms/index.ts';

const InstrumentSummary = model(
  'InstrumentSummary',
  {
    security_type: Type.String(),
    title: Type.String(),
    default_quantity_type: Type.String(),
    known_keys: Type.Array(Type.String()),
    required_keys: Type.Array(Type.String()),
  },
  {
    fields: {
      known_keys: 'The keys of `terms` that are validated.',
      required_keys: 'The keys that a deployment with strict validation requires.',
    },
  },
);

const InstrumentList = model('InstrumentList', { instruments: Type.Array(InstrumentSummary) });

/** An addition to the contract: the kinds of securities whose terms the deployment knows (T-3). */
export default defineRoute({
  name: 'list-instruments',
  path: 'GET /v1/instruments',
  summary: 'Lists the kinds of securities whose terms are validated, with their keys.',
  openapi: { id: 'list_instruments', tag: 'extensions_robo_investor' },
  category: 'status',
  auth: ['api-key', 'bearer'],
  answers: { 200: InstrumentList },
  fails: [401, 429, 500],
  services: { instruments },
  async handle({ use }) {
    return {
      instruments: use.instruments.map(({ key, title, schema, required, defaultQuantityType }) => ({
        security_type: key,
        title,
        default_quantity_type: defaultQuantityType,
        known_keys: Object.keys(schema.properties),
        required_keys: [...required],
      })),
    };
  },
});
