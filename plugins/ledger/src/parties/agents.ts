import { normalEmail } from '@pacioli/core';
import { maxFieldsChars, maxShortChars, normalizedText, problemOfSize, problemOfTexts } from '../values/index.ts';
import { problemOfLei } from './entity-fields.ts';

/** Types of counterparty; one legal person may be of several (ledger L-32). */
export const agentTypes = [
  'customer',
  'vendor',
  'supplier',
  'employee',
  'owner',
  'government',
  'lender',
  'self',
  'other',
] as const;

/** Returns the problem of a new agent as a sentence, or undefined. */
export function problemOfAgent(agent: { readonly agentType: string; readonly name: string }): string | undefined {
  if (!agentTypes.some((type) => type === agent.agentType))
    return `Unknown agent_type '${agent.agentType}'. Valid types are [${agentTypes.join(', ')}].`;
  if (agent.name.trim() === '') return 'name: an agent needs a name that is not blank.';
  return undefined;
}

/** The details of an agent that a caller sends; blank text clears a field. */
interface AgentFacts {
  readonly lei?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly address?: unknown;
  readonly metadata?: unknown;
}

/** Returns the first detail that is too long or malformed, as a sentence, or undefined. */
export function problemOfAgentFacts(agent: AgentFacts): string | undefined {
  const { address, metadata } = agent;
  const email = normalizedText(agent.email);
  const texts = problemOfTexts({ ...agent }, maxShortChars);
  if (texts !== undefined) return texts;
  if (email !== null && normalEmail(email) === undefined)
    return `email: '${email}' is not an address such as office@example.org.`;
  return problemOfLei(normalizedText(agent.lei)) ?? problemOfSize({ address, metadata }, maxFieldsChars);
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields with a patch merged in: objects recursively, anything else replaced, null removes the key (ledger L-35).
 */
export function mergeDeep(fields: Fields, patch: Fields): Fields {
  const merged = new Map(Object.entries(fields));
  for (const [key, value] of Object.entries(patch)) {
    const present = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isFields(value) ? mergeDeep(isFields(present) ? present : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
