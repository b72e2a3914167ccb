import type { LedgerEventHandler } from '../../rows.gen.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The conditions of a handler on an event; null matches any value (ledger L-107). */
export interface MatchRules
  extends Pick<
    LedgerEventHandler,
    'name' | 'priority' | 'event_category' | 'match_source' | 'match_agent_type' | 'match_resource_type'
  > {
  readonly match_metadata_expression: Fields | null;
}

/** The fields of an event that decide which handlers match. */
export interface MatchedEvent {
  readonly eventCategory: string;
  readonly source: string;
  readonly agentType: string | null;
  readonly resourceType: string | null;
  readonly metadata: Fields;
}

export type Choice<T> =
  | { readonly kind: 'one'; readonly handler: T }
  | { readonly kind: 'tie'; readonly among: readonly T[] };

/**
 * Chooses the handler of an event: the highest priority among those that match, then the most specific one. Returns
 * undefined when none matches, and a tie when several remain (ledger L-108, L-109).
 */
export function chooseHandler<T extends MatchRules>(
  handlers: readonly T[],
  event: MatchedEvent,
): Choice<T> | undefined {
  const matching = handlers.filter((handler) => matches(handler, event));
  const highest = Math.max(...matching.map(({ priority }) => priority));
  const candidates = matching.filter(({ priority }) => priority === highest);
  const mostConditions = Math.max(...candidates.map(conditionCount));
  const [handler, ...others] = candidates.filter((candidate) => conditionCount(candidate) === mostConditions);
  if (handler === undefined) return undefined;
  return others.length === 0 ? { kind: 'one', handler } : { kind: 'tie', among: [handler, ...others] };
}

function matches(handler: MatchRules, event: MatchedEvent): boolean {
  return (
    acceptsValue(handler.event_category, event.eventCategory) &&
    acceptsValue(handler.match_source, event.source) &&
    acceptsValue(handler.match_agent_type, event.agentType) &&
    acceptsValue(handler.match_resource_type, event.resourceType) &&
    Object.entries(handler.match_metadata_expression ?? {}).every(([path, value]) =>
      isEqualJson(valueAt(event.metadata, path), value),
    )
  );
}

function acceptsValue(wanted: string | null, found: string | null): boolean {
  return wanted === null || wanted === found;
}

/** The specificity of a handler: the number of its conditions, counting each metadata path. */
function conditionCount(handler: MatchRules): number {
  const fields = [handler.event_category, handler.match_source, handler.match_agent_type, handler.match_resource_type];
  return fields.filter((field) => field !== null).length + Object.keys(handler.match_metadata_expression ?? {}).length;
}

/** The value at a dotted path below the metadata; `metadata` alone is all of it. */
function valueAt(metadata: Fields, path: string): unknown {
  const names = path.split('.');
  const below = names[0] === 'metadata' ? names.slice(1) : names;
  let value: unknown = metadata;
  for (const name of below) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    // Safe: the line above has checked that the value is an object with this own field.
    value = (value as Fields)[name];
  }
  return value;
}

/** Compares two JSON values deeply. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    left.length === right.size && left.every(([key, value]) => right.has(key) && isEqualJson(value, right.get(key)))
  );
}
