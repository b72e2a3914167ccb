import { defineOperation, invalidInput, model, notFound, nullable } from '@pacioli/core';
import { mappings, statementStructures, structureParts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { chosenStyle, unshownConcepts } from '../parties/index.ts';

export default defineOperation({
  name: 'change-reporting-style',
  summary: 'Chooses the statement networks of a company; reports and closed months keep theirs.',
  role: 'admin',
  openapi: { id: 'change_reporting_style', tag: 'extensions_robo_ledger' },
  mcp: { hint: 'Chooses how the statements of the company are laid out; closed months keep theirs.', idempotent: true },
  stale: 'entity_updated',
  input: model('ChangeReportingStyleRequest', {
    reporting_style_id: Type.String(),
    entity_id: Type.Optional(nullable(Type.String())),
  }),
  output: model(
    'ChangeReportingStyleResponse',
    {
      entity_id: Type.String(),
      reporting_style_id: Type.String(),
      changed: Type.Boolean(),
      previous_reporting_style_id: Type.Optional(nullable(Type.String())),
      reporting_style_code: Type.Optional(nullable(Type.String())),
      warnings: Type.Optional(Type.Array(Type.String())),
    },
    {
      fields: { warnings: 'Concepts of the mapped accounts that no statement of the style shows; absent without any.' },
    },
  ),
  services: { books, mappings, structures: structureParts, statements: statementStructures },
  errors: {
    NOT_FOUND: 'The graph has no such company.',
    INVALID_INPUT: 'The structure is unknown, no reporting style, or lacks a network; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const { tx } = ctx;
    const entity = await use.books.entities.lockStyle(tx, input.entity_id ?? null);
    if (entity === undefined) {
      throw notFound(input.entity_id == null ? 'This graph has no entity.' : `Entity '${input.entity_id}' not found.`);
    }
    const { reporting_style_id: styleId } = input;
    const structure = (await use.structures.find(tx, [styleId])).get(styleId);
    const style = chosenStyle(styleId, structure, use.statements);
    if ('problem' in style) throw invalidInput(style.problem);
    const previous = entity.reporting_style_id;
    const isChanged = previous !== styleId;
    if (isChanged) await use.books.entities.setStyle(tx, entity.id, styleId, ctx.now());
    const mappingId = await use.mappings.bookMappingId(tx);
    const mapped = mappingId === undefined ? undefined : await use.mappings.concepts(tx, mappingId);
    const unshown = unshownConcepts(mapped?.arcs ?? [], style.statements);
    return {
      entity_id: entity.id,
      reporting_style_id: styleId,
      changed: isChanged,
      previous_reporting_style_id: previous,
      reporting_style_code: style.code,
      ...(unshown.length === 0
        ? {}
        : {
            warnings: unshown.map((qname) => `No statement of the style shows ${qname}, to which accounts are mapped.`),
          }),
    };
  },
});
