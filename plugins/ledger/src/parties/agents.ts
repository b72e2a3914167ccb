import { normalEmail } from '@pacioli/core';
import { maxFieldsChars, maxShortChars, normalizedText, problemOfSize, problemOfTexts } from '../values/index.ts';
import { problemOfLei } from './entity-fields.ts';

/** What a counterparty is to us; one legal person may be several (ledger L-32). */
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

/** What is wrong with a new agent; undefined when nothing is. */
export function problemOfAgent(agent: { readonly agentType: string; readonly name: string }): string | undefined {
  if (!agentTypes.some((type) => type === agent.agentType))
    return `Unknown agent_type '${agent.agentType}'. Valid types are [${agentTypes.join(', ')}].`;
  if (agent.name.trim() === '') return 'name: an agent needs a name that is not blank.';
  return undefined;
}

/** What is known of an agent, as far as a caller says it; a blank text takes back what was known. */
interface AgentFacts {
  readonly lei?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly address?: unknown;
  readonly metadata?: unknown;
}

/** What is too long or malformed of what is said of an agent; undefined when nothing is. */
export function problemOfAgentFacts(agent: AgentFacts): string | undefined {
  const { address, metadata } = agent;
  const email = normalizedText(agent.email);
  const texts = problemOfTexts({ ...agent }, maxShortChars);
  if (texts !== undefined) return texts;
  if (email !== null && normalEmail(email) === undefined)
    return `email: '${email}' is no address such as office@example.org.`;
  return problemOfLei(normalizedText(agent.lei)) ?? problemOfSize({ address, metadata }, maxFieldsChars);
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields with a patch merged in: objects recursively, anything else replaced, null removes the key (ledger L-35). */
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
