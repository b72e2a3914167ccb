import { type DocumentTexts, invalidInput, type Transaction } from '@pacioli/core';
import { libraryGraphId, type StructurePart, type StructureParts } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';
import {
  columnsOfSet,
  isAdmitted,
  pinnedChoice,
  readFactsOfSets,
  readSets,
  readShownSets,
  type SetChoice,
  seriesColumns,
  setWish,
  shownChoice,
} from '../facts/index.ts';
import type { BlockConnection, BlockElement, BlockView, ViewSubject } from '../models/block-view.ts';
import type { StoredFact, StoredFactSet } from '../models/facts.ts';
import type { Rule } from '../models/rules.ts';
import { listedRules, type RuleFinder, readResults } from '../rules/index.ts';
import { driftedStructures, isTextArrangement, withDriftWarning } from '../texts/index.ts';
import type { BlockEnvelopes, BlockType, BlockViewer, EnvelopeOptions, ReportingEntities } from '../tokens.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { chartOf, plainTable } from './plain-table.ts';

export interface BlockReaderParts {
  readonly structures: StructureParts;
  readonly finder: RuleFinder;
  readonly types: readonly BlockType[];
  readonly viewers: readonly BlockViewer[];
  readonly entities: readonly ReportingEntities[];
  readonly documents: readonly DocumentTexts[];
}

type ListFilter = Parameters<BlockEnvelopes['list']>[1];

/** Reads blocks with a constant number of statements, however many blocks there are (B-19). */
export class BlockReader implements BlockEnvelopes {
  readonly #parts: BlockReaderParts;
  readonly #types: ReadonlyMap<string, BlockType>;

  constructor(parts: BlockReaderParts) {
    this.#parts = parts;
    this.#types = new Map(parts.types.map((type) => [type.key, type]));
  }

  async read(
    tx: Transaction,
    structureIds: readonly string[],
    options: EnvelopeOptions = {},
  ): Promise<ReadonlyMap<string, Envelope>> {
    const found = await this.#parts.structures.find(tx, structureIds);
    const envelopes = await this.#envelopes(tx, [...found.values()], options);
    return new Map(envelopes.map((envelope) => [envelope.id, envelope]));
  }

  async list(tx: Transaction, filter: ListFilter): Promise<readonly Envelope[]> {
    const { blockType, category, limit, offset, scenarioId } = filter;
    if (blockType !== undefined && !this.#types.has(blockType)) {
      const known = [...this.#types.keys()].join(', ');
      throw invalidInput(`blockType: '${blockType}' is not registered. Use one of ${known}.`);
    }
    const types = this.#parts.types.filter(
      (type) =>
        (blockType === undefined || type.key === blockType) &&
        (category === undefined || type.category === category) &&
        this.#isOpenIn(tx, type),
    );
    if (types.length === 0) return [];
    const page = await this.#parts.structures.list(tx, {
      blockTypes: types.map(({ key }) => key),
      typesNeedingPresentation: types.flatMap((type) => (type.isListedOnlyWhenPresented === true ? type.key : [])),
      limit,
      offset,
    });
    return this.#envelopes(tx, page, scenarioId === undefined ? {} : { scenarioId });
  }

  /** Reporting B-18: the library exposes only its statements. */
  #isOpenIn(tx: Transaction, type: BlockType): boolean {
    return type.surfacesInLibrary || !isLibrary(tx);
  }

  async #envelopes(
    tx: Transaction,
    structures: readonly StructurePart[],
    options: EnvelopeOptions,
  ): Promise<readonly Envelope[]> {
    const blocks = structures.flatMap((structure): readonly TypedStructure[] => {
      const type = this.#types.get(structure.blockType);
      return type === undefined || !this.#isOpenIn(tx, type) ? [] : [{ structure, type }];
    });
    if (blocks.length === 0) return [];
    const choices = await this.#chooseSets(tx, blocks, options);
    const facts = await factsOf(tx, choices);
    const atoms = await this.#atoms(tx, blocks, textElementIds(facts));
    const results = await readResults(
      tx,
      blocks.map(({ structure }) => ({
        structureId: structure.id,
        factSetId: choices.get(structure.id)?.shown?.id ?? null,
      })),
    );
    const subjects = blocks.map(({ structure, type }) =>
      subjectOf({ structure, type }, atoms, choices.get(structure.id), facts),
    );
    const mechanics = await this.#mechanics(tx, blocks);
    const views = await this.#views(tx, subjects);
    const drifted = await driftedStructures(tx, subjects, this.#parts.documents);
    return subjects.flatMap((subject) => {
      const type = this.#types.get(subject.structure.blockType);
      const view = views.get(subject.structure.id);
      if (type === undefined || view === undefined) return [];
      const own = results.filter(({ structureId }) => structureId === subject.structure.id);
      const shown = drifted.has(subject.structure.id) ? withDriftWarning(view) : view;
      const parts = { type, subject, results: own, mechanics: mechanics.get(subject.structure.id) ?? {} };
      return [envelopeOf({ ...parts, view: shown })];
    });
  }

  async #atoms(tx: Transaction, blocks: readonly TypedStructure[], textElementIds: readonly string[]): Promise<Atoms> {
    const ids = blocks.map(({ structure }) => structure.id);
    const connections = groupBy(await this.#parts.structures.connections(tx, ids), (each) => each.structureId);
    const ends = [...connections.values()].flat().flatMap((each) => [each.fromElementId, each.toElementId]);
    const targets = [...connections.values()].flat().map(({ id }) => id);
    return {
      connections,
      elements: await this.#parts.structures.elements(tx, [...new Set([...ends, ...textElementIds])]),
      rules: await this.#parts.finder.about(tx, new Set([...ids, ...ends, ...targets])),
    };
  }

  async #chooseSets(
    tx: Transaction,
    blocks: readonly TypedStructure[],
    options: EnvelopeOptions,
  ): Promise<ReadonlyMap<string, SetChoice>> {
    // The library has no facts of its own (B-18).
    if (isLibrary(tx)) return new Map();
    const open = blocks.filter(({ structure }) => options.pins?.has(structure.id) !== true);
    const wishes = open.flatMap(({ structure, type }) => setWish(structure.id, type, options) ?? []);
    const entityId = await this.#parts.entities[0]?.defaultId(tx);
    const shown = wishes.length === 0 ? new Map() : await readShownSets(tx, wishes, entityId);
    const pinIds = [...(options.pins?.values() ?? [])];
    const pinned = pinIds.length === 0 ? [] : await readSets(tx, { scenario: 'all', factSetIds: pinIds });
    return new Map(
      blocks.map(({ structure, type }): [string, SetChoice] => {
        const pin = options.pins?.get(structure.id);
        if (pin !== undefined) return [structure.id, pinnedChoice(structure.id, pin, pinned)];
        return [structure.id, shownChoice(type, shown.get(structure.id) ?? [], options)];
      }),
    );
  }

  async #mechanics(tx: Transaction, blocks: readonly TypedStructure[]): Promise<ReadonlyMap<string, object>> {
    const all = new Map<string, object>();
    for (const [type, group] of groupBy(blocks, (block) => block.type)) {
      const ids = group.map(({ structure }) => structure.id);
      for (const [id, mechanics] of await type.mechanics(tx, ids)) all.set(id, mechanics);
    }
    return all;
  }

  async #views(tx: Transaction, subjects: readonly ViewSubject[]): Promise<ReadonlyMap<string, BlockView>> {
    const all = new Map<string, BlockView>();
    for (const [typeId, group] of groupBy(subjects, ({ structure }) => structure.blockType)) {
      const viewer = this.#parts.viewers.find(({ key }) => key === typeId);
      const drawn = viewer === undefined ? new Map<string, BlockView>() : await viewer.draw(tx, group);
      const isChart = this.#types.get(typeId)?.factsShown === 'all-sets';
      for (const subject of group) {
        all.set(subject.structure.id, drawn.get(subject.structure.id) ?? plainView(subject, isChart));
      }
    }
    return all;
  }
}

interface TypedStructure {
  readonly structure: StructurePart;
  readonly type: BlockType;
}

interface Atoms {
  readonly connections: ReadonlyMap<string, readonly BlockConnection[]>;
  readonly elements: ReadonlyMap<string, BlockElement>;
  readonly rules: readonly Rule[];
}

function subjectOf(
  { structure, type }: TypedStructure,
  atoms: Atoms,
  choice: SetChoice | undefined,
  facts: ReadonlyMap<string, readonly StoredFact[]>,
): ViewSubject {
  const connections = atoms.connections.get(structure.id) ?? [];
  const elementIds = new Set(connections.flatMap((each) => [each.fromElementId, each.toElementId]));
  const sets = choice?.sets ?? [];
  const own = sets.flatMap((set) => admittedOf(set, facts.get(set.id) ?? [], choice?.isSeries === true));
  const isText = isTextArrangement(structure.conceptArrangement);
  // Reporting B-8: a statement shows the facts of its elements, a text block its texts, other blocks all facts of their
  // sets.
  const shownFacts =
    type.mode === 'compositional'
      ? own.filter((fact) => elementIds.has(fact.elementId) || (isText && fact.textValue !== null))
      : own;
  const shownIds = isText ? new Set([...elementIds, ...shownFacts.map(({ elementId }) => elementId)]) : elementIds;
  return {
    structure,
    connections,
    elements: [...shownIds].flatMap((id) => atoms.elements.get(id) ?? []),
    rules: listedRules(atoms.rules, {
      structureId: structure.id,
      taxonomyId: structure.taxonomyId,
      elementIds,
      connectionIds: new Set(connections.map(({ id }) => id)),
    }),
    factSet: choice?.shown,
    columns: choice?.isSeries === true ? seriesColumns(sets) : sets.flatMap((set) => columnsOfSet(set, shownFacts)),
    facts: shownFacts,
  };
}

function admittedOf(set: StoredFactSet, facts: readonly StoredFact[], isSeries: boolean): readonly StoredFact[] {
  return isSeries ? facts.filter((fact) => isAdmitted(fact, set)) : facts;
}

/** The facts of the chosen sets, by set; the window is applied before anything is loaded (B-23). */
async function factsOf(
  tx: Transaction,
  choices: ReadonlyMap<string, SetChoice>,
): Promise<ReadonlyMap<string, readonly StoredFact[]>> {
  const ids = [...choices.values()].flatMap(({ sets }) => sets.map(({ id }) => id));
  if (ids.length === 0) return new Map();
  return groupBy(await readFactsOfSets(tx, ids), ({ factSetId }) => factSetId);
}

/** The elements of texts, which may appear in no arc of their structure. */
function textElementIds(facts: ReadonlyMap<string, readonly StoredFact[]>): readonly string[] {
  return [...facts.values()].flat().flatMap((fact) => (fact.textValue === null ? [] : fact.elementId));
}

function plainView(subject: ViewSubject, isChart: boolean): BlockView {
  const rendering = plainTable(subject, { isAsOfDate: isChart });
  return { rendering, chart: isChart ? chartOf(rendering) : null };
}

function isLibrary(tx: Transaction): boolean {
  return tx.scope !== 'kernel' && tx.scope.graphId === libraryGraphId;
}
