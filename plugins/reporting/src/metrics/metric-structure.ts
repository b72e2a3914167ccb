import type { FactStore, ReportingEntities, Rule, RuleStore } from '@pacioli/blocks';
import { invalidInput, type Transaction } from '@pacioli/core';
import type { Balances } from '@pacioli/ledger';
import type { ConnectionPart, ElementPart, StructurePart, StructureParts } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';

/** A metric block with the concepts that it lists. */
export interface MetricStructure {
  readonly id: string;
  /** The concepts in presentation order, without headings. */
  readonly presented: readonly ElementPart[];
  /** The rules that compute its metrics (M-4). */
  readonly rules: readonly Rule[];
}

export interface MetricStructureParts {
  readonly structures: StructureParts;
  readonly rules: RuleStore;
}

/** The services that metrics use. */
export interface MetricParts extends MetricStructureParts {
  readonly facts: FactStore;
  readonly entities: readonly ReportingEntities[];
  readonly balances: Pick<Balances, 'currency'>;
}

/** The structures with these ids; throws unless the first one is a metric block (M-3). */
export async function findMetricStructure(
  tx: Transaction,
  parts: Pick<MetricStructureParts, 'structures'>,
  request: { readonly operation: string; readonly structureId: string; readonly scenarioId: string | null },
): Promise<{ readonly structure: StructurePart; readonly scenario: StructurePart | undefined }> {
  const { operation, structureId, scenarioId } = request;
  const found = await parts.structures.find(tx, [structureId, ...(scenarioId === null ? [] : [scenarioId])]);
  const structure = found.get(structureId);
  if (structure === undefined) throw invalidInput(`Structure not found: ${structureId}`);
  if (structure.blockType !== 'metric') {
    const message = `${operation} targets a block_type='metric' structure; '${structureId}' is '${structure.blockType}'`;
    throw invalidInput(message);
  }
  const scenario = scenarioId === null ? undefined : found.get(scenarioId);
  if (scenarioId !== null && scenario?.blockType !== 'forecast')
    throw invalidInput(`Scenario not found: ${scenarioId}`);
  return { structure, scenario };
}

/** Reads the concepts and formulas of a metric block. */
export async function readMetricStructure(
  tx: Transaction,
  parts: MetricStructureParts,
  structureId: string,
): Promise<MetricStructure> {
  const connections = await parts.structures.connections(tx, [structureId]);
  const ids = presentationOrder(connections);
  const elements = await parts.structures.elements(tx, ids);
  const about = await parts.rules.about(tx, new Set([structureId, ...ids]));
  return {
    id: structureId,
    presented: ids.flatMap((id) => elements.get(id) ?? []).filter(({ isAbstract }) => !isAbstract),
    rules: about.filter(({ pattern, target }) => pattern === 'Derive' && target !== null),
  };
}

/** The ids of presented elements, each at its first occurrence, parents before children. */
function presentationOrder(connections: readonly ConnectionPart[]): readonly string[] {
  const arcs = connections.filter(({ associationType }) => associationType === 'presentation');
  const children = groupBy(arcs, ({ fromElementId }) => fromElementId);
  const below = new Set(arcs.map(({ toElementId }) => toElementId));
  const seen = new Set<string>();
  const pending = [...children.keys()].filter((id) => !below.has(id)).reverse();
  while (pending.length > 0) {
    const id = pending.pop() ?? '';
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...(children.get(id) ?? []).map(({ toElementId }) => toElementId).reverse());
  }
  return [...seen];
}

/** The requested entity, or the default one (B-0.9). */
export async function entityOf(
  tx: Transaction,
  entities: readonly ReportingEntities[],
  entityId: string | null,
): Promise<string> {
  const [contributed] = entities;
  if (entityId === null) {
    const main = await contributed?.defaultId(tx);
    if (main !== undefined) return main;
    throw invalidInput('This graph has no entity to report about. Create one first.');
  }
  if ((await contributed?.has(tx, entityId)) === true) return entityId;
  throw invalidInput(`Entity '${entityId}' not found in this graph.`);
}

/** The period must not end before it starts. */
export function checkPeriod(period: { readonly start: string | null; readonly end: string }): void {
  if (period.start === null || period.start <= period.end) return;
  throw invalidInput(`The period ends (${period.end}) before it starts (${period.start}). Give a later end.`);
}
