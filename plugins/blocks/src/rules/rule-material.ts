import type { Transaction } from '@pacioli/core';
import type { LibraryCatalog, StructurePart, StructureParts } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';
import { BoundFacts } from '../facts/index.ts';
import type { StoredFactSet } from '../models/facts.ts';
import type { Rule, RuleVariable } from '../models/rules.ts';
import { arrangementsOf, childrenIn, dayBefore } from '../values/index.ts';
import type { EvaluatedSet, EvaluatedStructure } from './evaluate-rules.ts';
import { judgedRules, type RuleFinder, type RuleScope } from './rule-finder.ts';
import {
  balancesAt,
  historyOf,
  type NumberWindow,
  numbersOfSets,
  plansOf,
  type RuleNumber,
  siblingSets,
} from './rule-numbers.ts';

export interface StructureMaterial extends Omit<EvaluatedStructure, 'patterns'> {
  readonly structure: StructurePart;
}

interface MaterialParts {
  readonly structures: StructureParts;
  readonly library: LibraryCatalog;
  readonly finder: RuleFinder;
}

interface MaterialRequest {
  readonly structures: readonly StructurePart[];
  /** In order of preference. */
  readonly sets: readonly StoredFactSet[];
  readonly window: NumberWindow;
}

/** The inputs of rule evaluation, read for many structures with a constant number of statements. */
export class RuleMaterial {
  readonly #byStructure: ReadonlyMap<string, StructureMaterial>;

  private constructor(byStructure: ReadonlyMap<string, StructureMaterial>) {
    this.#byStructure = byStructure;
  }

  of(structureId: string): StructureMaterial {
    const found = this.#byStructure.get(structureId);
    if (found === undefined) throw new Error(`Nothing was read for the structure ${structureId}.`);
    return found;
  }

  static async read(tx: Transaction, parts: MaterialParts, request: MaterialRequest): Promise<RuleMaterial> {
    const structureIds = request.structures.map(({ id }) => id);
    const connections = await parts.structures.connections(tx, structureIds);
    const scopes = request.structures.map((structure) => {
      const own = connections.filter(({ structureId }) => structureId === structure.id);
      return { structure, own, scope: scopeOf(structure, own) };
    });
    const targets = new Set(
      scopes.flatMap(({ scope }) => [scope.structureId, scope.taxonomyId, ...scope.elementIds, ...scope.connectionIds]),
    );
    const found = await parts.finder.about(tx, targets);
    const ruled = scopes.map((each) => ({ ...each, rules: judgedRules(found, each.scope).map(withScenario) }));
    const variables = ruled.flatMap(({ rules }) => rules.flatMap((rule) => rule.variables));
    const elementIdByQname = await elementIds(tx, parts, variables);
    const sets = await readJudgedSets(tx, parts, { ...request, variables, elementIdByQname });
    const history = await readHistory(
      tx,
      structureIds,
      ruled.flatMap(({ rules }) => rules),
      elementIdByQname,
    );
    const entries = ruled.map(({ structure, own, scope, rules }): [string, StructureMaterial] => [
      structure.id,
      {
        structure,
        rules,
        sets: sets.get(structure.id) ?? [],
        elementIdByQname,
        children: childrenIn(arrangementsOf(own), parts.finder.shippedArrangements, scope.elementIds),
        history: (elementId) => history.get(structure.id)?.all(elementId) ?? [],
      },
    ]);
    return new RuleMaterial(new Map(entries));
  }
}

function scopeOf(
  structure: StructurePart,
  connections: readonly { readonly id: string; readonly fromElementId: string; readonly toElementId: string }[],
): RuleScope {
  return {
    structureId: structure.id,
    taxonomyId: structure.taxonomyId,
    elementIds: new Set(connections.flatMap(({ fromElementId, toElementId }) => [fromElementId, toElementId])),
    connectionIds: new Set(connections.map(({ id }) => id)),
  };
}

/** The budget side of a variance is the variable with "budget" in its name; it binds in the rule's scenario. */
function withScenario(rule: Rule): Rule {
  const scenarioId = rule.metadata.scenario_id;
  if (rule.pattern !== 'Variance' || typeof scenarioId !== 'string') return rule;
  const variables = rule.variables.map((each) => (/budget/i.test(each.name) ? { ...each, scenarioId } : each));
  return { ...rule, variables };
}

async function elementIds(
  tx: Transaction,
  { library, structures }: MaterialParts,
  variables: readonly RuleVariable[],
): Promise<ReadonlyMap<string, string>> {
  const qnames = variables.flatMap(({ elementId, qname }) => (elementId === null && qname !== null ? [qname] : []));
  if (qnames.length === 0) return new Map();
  const own = await structures.elementIdsByQname(tx, [...new Set(qnames)]);
  const shipped = qnames.flatMap((qname): [string, string][] => {
    const found = library.elementByQname(qname);
    return found === undefined ? [] : [[qname, found.id]];
  });
  return new Map([...shipped, ...own]);
}

interface SetsRequest extends MaterialRequest {
  readonly variables: readonly RuleVariable[];
  readonly elementIdByQname: ReadonlyMap<string, string>;
}

async function readJudgedSets(
  tx: Transaction,
  parts: MaterialParts,
  request: SetsRequest,
): Promise<ReadonlyMap<string, readonly EvaluatedSet[]>> {
  const { sets, window, variables } = request;
  if (sets.length === 0) return new Map();
  const structureIds = request.structures.map(({ id }) => id);
  const setIds = sets.map(({ id }) => id);
  const isCrossing = variables.some(({ structureType }) => structureType !== undefined);
  const siblings = isCrossing ? await siblingSets(tx, setIds) : [];
  const siblingTypes = await typesOf(tx, parts, siblings);
  const readIds = [...new Set([...setIds, ...siblings.map(({ siblingId }) => siblingId)])];
  const numbers = factsBy(await numbersOfSets(tx, readIds, window), ({ factSetId }) => factSetId);
  const scenarioIds = [...new Set(variables.flatMap(({ scenarioId }) => scenarioId ?? []))];
  const plans = scenarioIds.length === 0 ? [] : await plansOf(tx, structureIds, scenarioIds);
  const plansBy = factsBy(plans, (each) => `${each.scenarioId} ${each.structureId} ${each.entityId}`);
  const judged = new Map<string, { set: StoredFactSet; judged: Omit<EvaluatedSet, 'earlier'> }[]>();
  const claimed = new Set<string>();
  for (const set of sets) {
    const structureId = set.structureId ?? '';
    const facts = numbers.get(set.id) ?? new BoundFacts([]);
    const columns = facts.columns().filter(({ start, end }) => {
      const key = `${structureId} ${set.entityId} ${start} ${end}`;
      if (claimed.has(key)) return false;
      claimed.add(key);
      return true;
    });
    const siblingFacts = siblings.flatMap(({ factSetId, siblingId, structureId: other }): [string, BoundFacts][] => {
      const type = siblingTypes.get(other);
      return factSetId !== set.id || type === undefined ? [] : [[type, numbers.get(siblingId) ?? new BoundFacts([])]];
    });
    const scenarios = scenarioIds.map((id): [string, BoundFacts] => [
      id,
      plansBy.get(`${id} ${structureId} ${set.entityId}`) ?? new BoundFacts([]),
    ]);
    const entry = {
      set,
      judged: {
        facts,
        columns: columns.sort(byPeriod),
        siblings: new Map(siblingFacts),
        scenarios: new Map(scenarios),
      },
    };
    judged.set(structureId, [...(judged.get(structureId) ?? []), entry]);
  }
  const earlier = await readEarlier(tx, request, [...judged.values()].flat());
  return new Map(
    [...judged].map(([structureId, entries]) => [
      structureId,
      entries
        .map(({ set, judged: each }) => ({ ...each, earlier: earlier(set) }))
        .sort((a, b) => byPeriod(a.columns.at(-1), b.columns.at(-1))),
    ]),
  );
}

async function typesOf(
  tx: Transaction,
  { structures }: MaterialParts,
  siblings: readonly { readonly structureId: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (siblings.length === 0) return new Map();
  const found = await structures.find(tx, [...new Set(siblings.map(({ structureId }) => structureId))]);
  return new Map([...found].map(([id, { blockType }]) => [id, blockType]));
}

/** Opening balances that a rule requires from another set of the structure. */
async function readEarlier(
  tx: Transaction,
  request: SetsRequest,
  entries: readonly { readonly judged: Pick<EvaluatedSet, 'columns'> }[],
): Promise<(set: StoredFactSet) => readonly BoundFacts[]> {
  const opening = request.variables.filter(({ at }) => at === 'begin');
  const ids = opening.flatMap(({ elementId, qname }) => elementId ?? request.elementIdByQname.get(qname ?? '') ?? []);
  const starts = entries.flatMap(({ judged }) => judged.columns.flatMap(({ start }) => start ?? []));
  if (ids.length === 0 || starts.length === 0) return () => [];
  const structureIds = request.structures.map(({ id }) => id);
  const balances = await balancesAt(tx, structureIds, [...new Set(ids)], [...new Set(starts.map(dayBefore))]);
  const groups = factsBy(balances, (each) => `${each.scenarioId} ${each.structureId} ${each.entityId}`);
  // The first month of a plan opens with the actual balance (F-11 restricts totals, not opening balances).
  return ({ scenarioId, structureId, entityId }) =>
    [...new Set([scenarioId, null])].flatMap((id) => groups.get(`${id} ${structureId} ${entityId}`) ?? []);
}

async function readHistory(
  tx: Transaction,
  structureIds: readonly string[],
  rules: readonly Rule[],
  elementIdByQname: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, BoundFacts>> {
  const summed = rules.filter(({ pattern }) => pattern === 'SumEquals').flatMap(({ variables }) => variables);
  const ids = summed.flatMap(({ elementId, qname }) => elementId ?? elementIdByQname.get(qname ?? '') ?? []);
  if (ids.length === 0) return new Map();
  return factsBy(await historyOf(tx, structureIds, [...new Set(ids)]), ({ structureId }) => structureId ?? '');
}

function factsBy(numbers: readonly RuleNumber[], keyOf: (each: RuleNumber) => string): ReadonlyMap<string, BoundFacts> {
  return new Map([...groupBy(numbers, keyOf)].map(([key, group]) => [key, new BoundFacts(group)]));
}

interface Period {
  readonly start: string | null;
  readonly end: string;
}

function byPeriod(a: Period | undefined, b: Period | undefined): number {
  const key = (period: Period | undefined): string =>
    period === undefined ? '' : `${period.end} ${period.start ?? ''}`;
  return key(a) === key(b) ? 0 : key(a) < key(b) ? -1 : 1;
}
