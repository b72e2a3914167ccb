import { calendarDate, defineOperation, kernel, model, nullable } from '@pacioli/core';
import { structureParts, structureWrites } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { TextBinder } from '../texts/index.ts';
import { documentTexts, factStore, reportingEntities } from '../tokens.ts';

const bindTextBlockRequest = model('BindTextBlockRequest', {
  document_id: Type.String(),
  structure_id: Type.String(),
  period_start: calendarDate(),
  period_end: calendarDate(),
  section_id: Type.Optional(nullable(Type.String())),
  element_id: Type.Optional(nullable(Type.String())),
  element_qname: Type.Optional(nullable(Type.String())),
  entity_id: Type.Optional(nullable(Type.String())),
});

const bindTextBlockResponse = model('BindTextBlockResponse', {
  fact_id: Type.String(),
  fact_set_id: Type.String(),
  structure_id: Type.String(),
  element_id: Type.String(),
  document_id: Type.String(),
  content_hash: Type.String(),
  characters: Type.Integer(),
  period_start: calendarDate(),
  period_end: calendarDate(),
  replaced: Type.Boolean(),
  section_id: Type.Optional(nullable(Type.String())),
});

export default defineOperation({
  name: 'bind-text-block',
  summary: 'Stores the text of a document or one of its sections as a fact of a disclosure element.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'bind_text_block', tag: 'extensions_robo_ledger' },
  input: bindTextBlockRequest,
  output: bindTextBlockResponse,
  mcp: {
    hint: 'Puts the text of a document, or of one of its sections, into a disclosure of a report.',
    idempotent: true,
  },
  services: {
    ids: kernel.ids,
    structures: structureParts,
    writes: structureWrites,
    facts: factStore,
    entities: reportingEntities,
    documents: documentTexts,
  },
  stale: 'text_block_bound',
  errors: {
    INVALID_INPUT: 'The structure, element, entity, period or section is invalid, or the text is empty or too long.',
    NOT_FOUND: 'The graph has no such document.',
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, graphId: ctx.graph.id, userId: ctx.caller.userId, now: ctx.now() };
    const bound = await new TextBinder(use).bind(work, {
      documentId: input.document_id,
      sectionId: input.section_id ?? null,
      structureId: input.structure_id,
      elementId: input.element_id ?? null,
      elementQname: input.element_qname ?? null,
      entityId: input.entity_id ?? null,
      periodStart: input.period_start,
      periodEnd: input.period_end,
    });
    return {
      fact_id: bound.factId,
      fact_set_id: bound.factSetId,
      structure_id: input.structure_id,
      element_id: bound.elementId,
      document_id: input.document_id,
      content_hash: bound.contentHash,
      characters: bound.characters,
      period_start: input.period_start,
      period_end: input.period_end,
      replaced: bound.isReplaced,
      section_id: input.section_id ?? null,
    };
  },
});
