import { anything, defineRoute, notFound } from '@pacioli/core';
import { instrumentTerms } from '../terms/index.ts';

/** An addition to the contract: the schema by which `terms` of a kind are validated (T-1, T-3). */
export default defineRoute({
  name: 'get-instrument-terms',
  path: 'GET /v1/instruments/{security_type}',
  summary: 'Returns the JSON Schema 2020-12 of the terms of a kind of security.',
  openapi: { id: 'get_instrument_terms', tag: 'extensions_robo_investor' },
  category: 'status',
  auth: ['api-key', 'bearer'],
  answers: { 200: anything() },
  fails: [401, 404, 422, 429, 500],
  services: { instrumentTerms },
  errors: { NOT_FOUND: 'No schema is registered for this type; its terms may be any object.' },
  async handle({ params, use }) {
    const schema = use.instrumentTerms.schemaOf(params.security_type);
    if (schema === undefined)
      throw notFound(`There is no schema for the security type '${params.security_type.slice(0, 60)}'.`);
    return schema;
  },
});
