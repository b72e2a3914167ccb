import { defineRoute, graphSchemas, kernel, mapOf, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { compatibilityOf, parseDefinition } from '../schema/index.ts';

export default defineRoute({
  name: 'validate-schema',
  path: 'POST /v1/graphs/schema/validate',
  summary: 'Checks the schema of a generic graph before it is created, and lists all its problems.',
  openapi: { id: 'validate_schema', tag: 'schema' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  effect: 'read',
  body: model(
    'SchemaValidationRequest',
    {
      schema_definition: Type.Union([openObject(), Type.String()]),
      format: Type.Optional(Type.String({ default: 'json' })),
      check_compatibility: Type.Optional(nullable(Type.Array(Type.String()))),
    },
    {
      fields: {
        schema_definition: 'The schema as an object, or as text in JSON or YAML.',
        format: 'The format of the text; both are recognized by themselves.',
        check_compatibility: 'Extensions whose types are compared with those of the schema.',
      },
    },
  ),
  answers: {
    200: model('SchemaValidationResponse', {
      valid: Type.Boolean(),
      message: Type.String(),
      errors: Type.Optional(nullable(Type.Array(Type.String()))),
      warnings: Type.Optional(nullable(Type.Array(Type.String()))),
      stats: Type.Optional(nullable(mapOf(Type.Integer()))),
      compatibility: Type.Optional(nullable(openObject())),
    }),
  },
  fails: [400, 401, 403, 404, 429, 500],
  failsPlain: [422, 504],
  services: { schemas: graphSchemas, schema: kernel.analyticalSchema, domains: kernel.domains },

  async handle({ body, use }) {
    const parsed = parseDefinition(body.schema_definition);
    if (!parsed.ok) return invalid([parsed.message], null);
    const checked = use.schemas.check(parsed.definition);
    if (checked.schema === undefined) {
      const errors = checked.problems.map(({ pointer, message }) =>
        pointer === '' ? message : `${pointer}: ${message}`,
      );
      return invalid(errors, { ...checked.stats });
    }
    const wanted = body.check_compatibility ?? undefined;
    const compared = wanted === undefined ? undefined : compatibilityOf(checked.schema, wanted, use);
    const warnings = [...checked.warnings, ...(compared?.warnings ?? []), ...(compared?.result.conflicts ?? [])];
    return {
      valid: true,
      message: warnings.length === 0 ? 'Schema is valid' : `Schema is valid with ${warnings.length} warning(s)`,
      errors: null,
      warnings: warnings.length === 0 ? null : warnings,
      stats: { ...checked.stats },
      compatibility: compared === undefined ? null : { ...compared.result },
    };
  },
});

function invalid(errors: readonly string[], stats: Record<string, number> | null) {
  const message = `Schema is invalid: ${errors[0]}`;
  return { valid: false, message, errors: [...errors], warnings: null, stats, compatibility: null };
}
