import { defineOperation, invalidInput, model, notFound, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { agentText, agentView, contactFields, LedgerAgentResponse } from '../models/agents.ts';
import { mergeDeep, problemOfAgentFacts } from '../parties/index.ts';
import { normalizedText } from '../values/index.ts';

const UpdateAgentRequest = model('UpdateAgentRequest', {
  agent_id: Type.String(),
  name: agentText(),
  ...contactFields,
  address: Type.Optional(nullable(openObject())),
  is_active: Type.Optional(nullable(Type.Boolean())),
  is_1099_recipient: Type.Optional(nullable(Type.Boolean())),
  metadata_patch: Type.Optional(openObject()),
});

export default defineOperation({
  name: 'update-agent',
  summary: 'Changes the details of a counterparty, or retires it; omitted fields are left unchanged.',
  role: 'member',
  openapi: { id: 'update_agent', tag: 'extensions_robo_ledger' },
  input: UpdateAgentRequest,
  output: LedgerAgentResponse,
  mcp: { hint: 'Changes the details of a counterparty or retires it; omitted fields stay.', idempotent: true },
  services: { books },
  stale: 'agent_updated',
  errors: { NOT_FOUND: 'No agent of this graph has the id.', INVALID_INPUT: 'The new name is blank.' },

  async handle({ input, ctx, use }) {
    const agent = await use.books.agents.findForUpdate(ctx.tx, input.agent_id);
    if (agent === undefined) throw notFound(`Agent not found: ${input.agent_id}`);
    const { agent_id: _id, metadata_patch: patch = {}, ...given } = input;
    const changes = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
    // An empty patch succeeds and changes nothing (ledger L-35).
    if (changes.length === 0 && Object.keys(patch).length === 0) return agentView(agent);
    const fields = {
      name: input.name ?? agent.name,
      legal_name: changedText(input.legal_name, agent.legal_name),
      tax_id: changedText(input.tax_id, agent.tax_id),
      registration_number: changedText(input.registration_number, agent.registration_number),
      duns: changedText(input.duns, agent.duns),
      lei: changedText(input.lei, agent.lei),
      email: changedText(input.email, agent.email),
      phone: changedText(input.phone, agent.phone),
      address: input.address ?? agent.address,
      is_active: input.is_active ?? agent.is_active,
      is_1099_recipient: input.is_1099_recipient ?? agent.is_1099_recipient,
      metadata: mergeDeep(agent.metadata, patch),
    };
    // Stored texts may exceed today's limits, so only changed ones are checked.
    const merged = Object.keys(patch).length === 0 ? {} : { metadata: fields.metadata };
    const problem = problemOfAgentFacts({ ...Object.fromEntries(changes), ...merged });
    if (problem !== undefined) throw invalidInput(problem);
    if (fields.name.trim() === '') throw invalidInput('name: an agent needs a name that is not blank.');
    return agentView(await use.books.agents.update(ctx.tx, agent.id, fields, ctx.now()));
  },
});

/** Null and undefined leave a text as it is; blank text clears it. */
function changedText(given: string | null | undefined, present: string | null): string | null {
  return given == null ? present : normalizedText(given);
}
