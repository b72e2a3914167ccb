import type { Issue } from '../errors/kinds.ts';
import type { GraphSchemas, SchemaDefinition } from '../graph-schema/index.ts';
import type createGraphRequest from '../models/CreateGraphRequest.ts';
import type { TypeOf } from '../schema/model.ts';
import type { Domains, InitialEntity } from '../services/kernel-tokens.ts';
import { maxNameCharacters, normalizedTags, problemOfName, problemsOfTags } from './graph-label.ts';
import { monthDayOf } from './month-day.ts';
import { tickerOf } from './ticker.ts';
import { defaultTier } from './tier-numbers.ts';

const maxTickerCharacters = 10;

export type NewGraphRequest = TypeOf<typeof createGraphRequest>;

/** A validated request for a graph, as it will be stored. */
export interface NewGraph {
  readonly name: string;
  readonly description: string;
  readonly tier: string;
  readonly tags: readonly string[];
  /** Neutral names of the domains. */
  readonly domains: readonly string[];
  readonly entity: InitialEntity | null;
  /** The schema of a generic graph; null for an entity graph. */
  readonly schema: SchemaDefinition | null;
}

/** The deployment as the rules need it. */
export interface NewGraphFacts {
  readonly domains: Domains;
  readonly schemas: Pick<GraphSchemas, 'check'>;
  readonly tiers: readonly string[];
}

export type PlannedGraph =
  | { readonly ok: true; readonly graph: NewGraph }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Checks a request against the rules that its schema cannot express (graphs G-21 to G-26). */
export function planGraph(request: NewGraphRequest, { domains, schemas, tiers }: NewGraphFacts): PlannedGraph {
  const issues: Issue[] = [];
  const refuse = (path: readonly (string | number)[], msg: string, type = 'value_error') => {
    issues.push({ loc: ['body', ...path], msg, type });
  };
  const name = request.metadata.graph_name.trim();
  const wrongName = problemOfName(name);
  if (wrongName !== undefined) refuse(['metadata', 'graph_name'], wrongName.msg, wrongName.type);
  const tier = request.instance_tier ?? defaultTier;
  if (!tiers.includes(tier)) refuse(['instance_tier'], `Must be one of: ${tiers.join(', ')}`, 'enum');
  const tags = normalizedTags([...(request.metadata.tags ?? []), ...(request.tags ?? [])]);
  for (const { msg, type } of problemsOfTags(tags)) refuse(['tags'], msg, type);
  const chosen = chosenDomains(request.metadata.schema_extensions ?? [], domains, refuse);
  const { entity, schema } = checkedShape(request, schemas, refuse);
  if (issues.length > 0) return { ok: false, issues };
  const description = request.metadata.description?.trim() ?? '';
  return { ok: true, graph: { name, description, tier, tags, domains: chosen, entity, schema } };
}

type Refuse = (path: readonly (string | number)[], msg: string, type?: string) => void;

/** Rejects a domain that no plugin owns, or without those it needs, instead of dropping it (graphs G-22, G-23). */
function chosenDomains(wireNames: readonly string[], domains: Domains, refuse: Refuse): readonly string[] {
  const chosen = new Set(wireNames.flatMap((wireName) => domains.resolve(wireName) ?? []));
  wireNames.forEach((wireName, index) => {
    const problem = problemOfExtension(wireName, { domains, others: [...chosen] });
    if (problem !== undefined) refuse(['metadata', 'schema_extensions', index], problem);
  });
  return [...chosen].sort();
}

/** Why a graph with these other domains cannot have the extension, as a sentence; undefined if it can. */
export function problemOfExtension(
  wireName: string,
  { domains, others }: { readonly domains: Domains; readonly others: readonly string[] },
): string | undefined {
  const domain = domains.resolve(wireName);
  if (domain === undefined) {
    const known = domains.all().map((each) => domains.wireName(each.domain));
    const available = known.length === 0 ? 'This deployment has no extensions' : `Available: ${known.join(', ')}`;
    return `Unknown extension '${wireName.slice(0, 100)}'. ${available}`;
  }
  const missing = domains.requiredBy(domain).filter((each) => !others.includes(each));
  if (missing.length === 0) return undefined;
  return `'${wireName}' needs ${missing.map((each) => `'${domains.wireName(each)}'`).join(' and ')} on the same graph`;
}

/** Requires the company of an entity graph or the schema of a generic one, not both (graphs G-21). */
function checkedShape(
  request: NewGraphRequest,
  schemas: NewGraphFacts['schemas'],
  refuse: Refuse,
): Pick<NewGraph, 'entity' | 'schema'> {
  const { custom_schema: schema } = request;
  if (schema == null) return { entity: checkedEntity(request, refuse), schema: null };
  if (request.initial_entity != null)
    refuse(
      ['initial_entity'],
      'Give either initial_entity or custom_schema: a graph with its own schema has no entity',
    );
  if ((request.metadata.schema_extensions ?? []).length > 0)
    refuse(['metadata', 'schema_extensions'], 'A graph with its own schema has no extensions: leave them out');
  const [problem] = schemas.check(schema).problems;
  if (problem !== undefined) {
    const path = problem.pointer.split('/').slice(1);
    refuse(['custom_schema', ...path.map((part) => (/^\d+$/.test(part) ? Number(part) : part))], problem.message);
  }
  const { name, version = '1.0.0', description, extends: base, nodes, relationships, metadata } = schema;
  const given = { name, version, description, extends: base, nodes, relationships, metadata };
  return { entity: null, schema: given };
}

function checkedEntity(request: NewGraphRequest, refuse: Refuse): InitialEntity | null {
  const { initial_entity: entity } = request;
  if (entity == null) {
    refuse(['initial_entity'], 'Field required, unless custom_schema is given', 'missing');
    return null;
  }
  const name = entity.name.trim();
  if (name === '') refuse(['initial_entity', 'name'], 'Must not be blank', 'string_too_short');
  if (name.length > maxNameCharacters) {
    refuse(['initial_entity', 'name'], `Must have at most ${maxNameCharacters} characters`, 'string_too_long');
  }
  if (entity.uri.trim() === '') refuse(['initial_entity', 'uri'], 'Must not be blank', 'string_too_short');
  const ticker = entity.ticker?.trim() ?? tickerOf(name);
  if (ticker === '' || ticker.length > maxTickerCharacters) {
    const msg = `Must have 1 to ${maxTickerCharacters} characters`;
    refuse(['initial_entity', 'ticker'], msg, ticker === '' ? 'string_too_short' : 'string_too_long');
  }
  const yearEnd = entity.fiscal_year_end == null ? null : monthDayOf(entity.fiscal_year_end);
  if (yearEnd === undefined) {
    refuse(
      ['initial_entity', 'fiscal_year_end'],
      'Must be a day of the year as MM-DD or MMDD, such as 12-31',
      'string_pattern_mismatch',
    );
  }
  if (request.create_entity === false) return null;
  return { ...entity, name, uri: entity.uri.trim(), ticker, fiscal_year_end: yearEnd ?? null };
}
