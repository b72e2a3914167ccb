import type { FactStore, RuleStore, StoredFactSet, VerificationResult } from '@pacioli/blocks';
import type { Transaction } from '@pacioli/core';
import type { Entities } from '@pacioli/ledger';
import type { LibraryCatalog, LibraryReads, Statements, StructureParts } from '@pacioli/taxonomy';
import { assembleBundle, type BundleSource, type StatementFindings } from './assemble-bundle.ts';
import type { BundleReport, ReportBundle } from './bundle.ts';
import { factsByStructure } from './facts-by-structure.ts';

/** The services that a bundle is read with. */
export interface BundleServices {
  readonly entities: Entities;
  readonly facts: FactStore;
  readonly ruleDefinitions: RuleStore;
  readonly structures: StructureParts;
  readonly library: LibraryCatalog;
  readonly libraryReads: LibraryReads;
  readonly statements: Statements;
}

/** A report whose facts are stored. */
export interface BundleRequest {
  readonly base: string;
  readonly report: BundleReport;
  readonly columns: ReportBundle['columns'];
  readonly entityName: string;
  readonly createdBy: string;
  readonly statements: readonly StatementFindings[];
  readonly results: readonly VerificationResult[];
}

/** Months of a scenario after a report. */
export interface MonthsRequest {
  readonly report: ReportBundle;
  readonly scenarioId: string;
  /** The statements of the months. */
  readonly sets: readonly StoredFactSet[];
}

/** Reads the facts of a report with what explains them, with a constant number of statements (reporting G-8). */
export async function readBundle(tx: Transaction, use: BundleServices, request: BundleRequest): Promise<ReportBundle> {
  const entity = await use.entities.primary(tx);
  if (entity === undefined) throw new Error('The report has no company.');
  const sets = await use.facts.sets(tx, { reportId: request.report.id, scenario: 'actuals' });
  const setIds = sets.map(({ id }) => id);
  const facts = await use.facts.facts(tx, { factSetIds: setIds, scenario: 'actuals' });
  const members = await use.facts.members(tx, setIds);
  const structureIds = sets.flatMap(({ structureId }) => structureId ?? []);
  const structures = await use.structures.find(tx, structureIds);
  const connections = await use.structures.connections(tx, structureIds);
  const elementIds = new Set([
    ...connections.flatMap(({ fromElementId, toElementId }) => [fromElementId, toElementId]),
    ...facts.map(({ elementId }) => elementId),
    ...members.flatMap(({ axisElementId, value }) => [axisElementId ?? value, value]),
  ]);
  const elements = await use.structures.elements(tx, [...elementIds]);
  const shown = await use.libraryReads.elements(tx, [...elements.keys()]);
  const ruleIds = new Set(request.results.map(({ ruleId }) => ruleId));
  const targets = new Set([...structureIds, ...elementIds, ...connections.map(({ id }) => id)]);
  const rules = ruleIds.size === 0 ? [] : await use.ruleDefinitions.about(tx, targets);
  return assembleBundle({
    ...request,
    entity: { ...entity, name: request.entityName },
    sets,
    facts,
    members,
    structures,
    connections,
    elements,
    namespaces: new Map([...shown.values()].map(({ id, namespace }) => [id, namespace])),
    isShared: (id) => use.library.elementById(id) !== undefined,
    rules: rules.filter(({ id }) => ruleIds.has(id)),
    rollForwards: rollForwardsOf(use.statements, request.report.style),
  });
}

/**
 * Reads months of a scenario as a bundle: their facts, and the networks of their statements with the lines of a report
 * and of these months. Six statements.
 */
export async function readMonths(
  tx: Transaction,
  use: Pick<BundleServices, 'facts' | 'structures' | 'library' | 'libraryReads'>,
  { report, scenarioId, sets }: MonthsRequest,
): Promise<ReportBundle> {
  const scenario = { id: scenarioId };
  const facts = await use.facts.facts(tx, { factSetIds: sets.map(({ id }) => id), scenario });
  const structureIds = [...new Set(sets.flatMap(({ structureId }) => structureId ?? []))];
  const structures = await use.structures.find(tx, structureIds);
  const connections = await use.structures.connections(tx, structureIds);
  const elementIds = new Set([
    ...connections.flatMap(({ fromElementId, toElementId }) => [fromElementId, toElementId]),
    ...facts.map(({ elementId }) => elementId),
  ]);
  const elements = await use.structures.elements(tx, [...elementIds]);
  const shown = await use.libraryReads.elements(tx, [...elements.keys()]);
  const reported = [...factsByStructure(report)].flatMap(([id, own]): [string, string[]][] => {
    return id === null ? [] : [[id, own.map(({ concept }) => concept)]];
  });
  return assembleBundle({
    ...report,
    entity: { ...report.entity, cik: null, lei: null },
    createdBy: '',
    sets,
    facts,
    hasDirectAmounts: true,
    members: [],
    reportedElsewhere: new Map(reported),
    structures,
    connections,
    elements,
    namespaces: new Map([...shown.values()].map(({ id, namespace }) => [id, namespace])),
    isShared: (id) => use.library.elementById(id) !== undefined,
    statements: [],
    rules: [],
    results: [],
    rollForwards: new Map(),
  });
}

/** The roll-forwards of the statements of a style, by structure and balance. */
function rollForwardsOf(statements: Statements, styleCode: string | null): BundleSource['rollForwards'] {
  const style = styleCode === null ? undefined : statements.ofStyle(styleCode);
  if (style === undefined) return new Map();
  return new Map(
    [style.equityStatement].map(({ structureId, rows }) => {
      const balances = rows.filter(({ rollForward }) => rollForward.length > 0);
      const changes = balances.map(({ elementId, rollForward }) => {
        return [elementId, new Map(rollForward.map((change) => [change.elementId, change.weight]))] as const;
      });
      return [structureId, new Map(changes)];
    }),
  );
}
