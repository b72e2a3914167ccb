import { defineOperation, invalidInput, model, nullable, openObject, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { books, bookWrites } from '../books.ts';
import { agentText, agentView, contactFields, LedgerAgentResponse } from '../models/agents.ts';
import { problemOfAgent, problemOfAgentFacts } from '../parties/index.ts';
import { normalizedText } from '../values/index.ts';

const CreateAgentRequest = model('CreateAgentRequest', {
  agent_type: Type.String(),
  name: Type.String({ maxLength: 500 }),
  ...contactFields,
  address: Type.Optional(nullable(openObject())),
  source: Type.Optional(Type.String({ default: 'native' })),
  external_id: agentText(),
  is_active: Type.Optional(Type.Boolean({ default: true })),
  is_1099_recipient: Type.Optional(Type.Boolean({ default: false })),
  metadata: Type.Optional(openObject()),
});

export default defineOperation({
  name: 'create-agent',
  summary: 'Adds a counterparty: a customer, vendor, employee or other party to events.',
  role: 'member',
  openapi: { id: 'create_agent', tag: 'extensions_robo_ledger' },
  input: CreateAgentRequest,
  output: LedgerAgentResponse,
  mcp: { hint: 'Adds a customer, vendor, employee or other counterparty; look for an existing one first.' },
  services: { books, bookWrites },
  stale: 'agent_created',
  errors: {
    ALREADY_EXISTS: 'An agent with this source and external_id already exists.',
    INVALID_INPUT: 'The type or the source is unknown, or the name is blank; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const source = input.source ?? 'native';
    const externalId = normalizedText(input.external_id);
    const problem = problemOfAgent({ agentType: input.agent_type, name: input.name }) ?? problemOfAgentFacts(input);
    if (problem !== undefined) throw invalidInput(problem);
    await use.bookWrites.sources.requireSource(ctx.tx, 'agents', source);
    const agent = await use.books.agents.create(
      ctx.tx,
      {
        agent_type: input.agent_type,
        name: input.name,
        legal_name: normalizedText(input.legal_name),
        tax_id: normalizedText(input.tax_id),
        registration_number: normalizedText(input.registration_number),
        duns: normalizedText(input.duns),
        lei: normalizedText(input.lei),
        email: normalizedText(input.email),
        phone: normalizedText(input.phone),
        address: input.address ?? null,
        source,
        external_id: externalId,
        is_active: input.is_active ?? true,
        is_1099_recipient: input.is_1099_recipient ?? false,
        metadata: input.metadata ?? {},
      },
      { userId: ctx.caller.userId, now: ctx.now() },
    );
    if (agent === undefined) {
      throw new ServiceError(
        'conflict',
        'ALREADY_EXISTS',
        `Agent with source='${source}' and external_id='${externalId}' already exists.`,
      );
    }
    // Without an external id duplicates are accepted, but logged for review (ledger L-33).
    if (await use.books.agents.hasDuplicate(ctx.tx, agent))
      ctx.log.info('An agent duplicates another one.', { agent_id: agent.id });
    return agentView(agent);
  },
});
