import { defineOperation, invalidInput, model, notFound, nullable, oneOf } from '@pacioli/core';
import { libraryReads } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { requireTextWithinLimit } from '../values/index.ts';

const LinkEntityTaxonomyRequest = model('LinkEntityTaxonomyRequest', {
  taxonomy_id: Type.String(),
  basis: Type.Optional(
    oneOf(['chart_of_accounts', 'mapping', 'reporting', 'schedule'], { default: 'chart_of_accounts' }),
  ),
  is_primary: Type.Optional(Type.Boolean({ default: true })),
  adoption_context: Type.Optional(nullable(Type.String({ default: 'voluntary' }))),
});

const EntityTaxonomyResponse = model('EntityTaxonomyResponse', {
  entity_id: Type.String(),
  taxonomy_id: Type.String(),
  basis: Type.String(),
  is_primary: Type.Boolean(),
  adoption_context: Type.Optional(nullable(Type.String())),
});

/** The types of taxonomy that each basis allows (taxonomy T-44). */
const typesOfBases: Readonly<Record<string, readonly string[]>> = {
  chart_of_accounts: ['chart_of_accounts'],
  reporting: ['reporting_standard', 'reporting_extension', 'custom_ontology'],
  mapping: ['mapping'],
  schedule: ['schedule'],
};

export default defineOperation({
  name: 'link-entity-taxonomy',
  summary: 'Sets the taxonomy that the company uses for its accounts, its reports, its mapping or its schedules.',
  role: 'member',
  openapi: { id: 'link_entity_taxonomy', tag: 'extensions_robo_ledger' },
  input: LinkEntityTaxonomyRequest,
  output: EntityTaxonomyResponse,
  mcp: {
    hint: 'Sets which taxonomy the company uses for its accounts, reports, mapping or schedules.',
    idempotent: true,
  },
  services: { books, libraryReads },
  stale: 'entity_updated',
  errors: { NOT_FOUND: 'The taxonomy is neither in this graph nor in the library, or the graph has no company.' },

  async handle({ input, ctx, use }) {
    requireTextWithinLimit({ adoption_context: input.adoption_context });
    const taxonomy = await use.libraryReads.taxonomy(ctx.tx, { id: input.taxonomy_id });
    if (taxonomy === undefined) throw notFound(`Taxonomy not found: ${input.taxonomy_id}`);
    const basis = input.basis ?? 'chart_of_accounts';
    const types = typesOfBases[basis] ?? [];
    if (!types.includes(taxonomy.taxonomy_type))
      throw invalidInput(
        `basis: '${basis}' needs a taxonomy of type ${types.join(' or ')}; ${taxonomy.id} is a ${taxonomy.taxonomy_type}.`,
        { reason: 'basis_type_mismatch' },
      );
    const link = await use.books.entities.link(
      ctx.tx,
      {
        taxonomy_id: input.taxonomy_id,
        basis,
        is_primary: input.is_primary ?? true,
        adoption_context: input.adoption_context === undefined ? 'voluntary' : input.adoption_context,
      },
      ctx.now(),
    );
    if (link === undefined) throw notFound('This graph has no entity.');
    return link;
  },
});
