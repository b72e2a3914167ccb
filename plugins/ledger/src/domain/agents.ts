import { fields_chars_max, problemOfSize, problemOfTexts, short_chars_max } from './text-limits.ts';

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

/** What is too long of what is known of an agent; undefined when nothing is. */
export function problemOfAgentSize(agent: Readonly<Record<string, unknown>>): string | undefined {
  const { address, metadata } = agent;
  return problemOfTexts(agent, short_chars_max) ?? problemOfSize({ address, metadata }, fields_chars_max);
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
