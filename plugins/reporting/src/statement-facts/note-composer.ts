import { invalidInput, type Transaction } from '@pacioli/core';
import type { StructureParts, TaxonomyReads } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';
import { composeNotes, type NoteNetwork, type NoteSet } from './compose-notes.ts';
import type { LabeledWindow } from './compose-statements.ts';
import type { Composition } from './statement-composer.ts';

const maxStructures = 1_000;
const maxNotes = 400;

interface NoteServices {
  readonly structures: StructureParts;
  readonly taxonomyReads: Pick<TaxonomyReads, 'extensionsOf'>;
}

/** Reads the disclosure structures of a taxonomy and its extensions, and fills them (S-21). */
export class NoteComposer {
  readonly #use: NoteServices;

  constructor(use: NoteServices) {
    this.#use = use;
  }

  /** The disclosure structures of the taxonomy and of its extensions, in display order (P-24); three statements. */
  async networks(tx: Transaction, taxonomyId: string): Promise<readonly NoteNetwork[]> {
    const { structures, taxonomyReads } = this.#use;
    const closure = new Set([taxonomyId, ...(await taxonomyReads.extensionsOf(tx, taxonomyId))]);
    const found = await structures.list(tx, {
      blockTypes: ['regulatory_disclosure'],
      typesNeedingPresentation: [],
      limit: maxStructures + 1,
      offset: 0,
    });
    if (found.length > maxStructures) {
      throw invalidInput(`The graph has more than ${maxStructures} disclosure structures. Deactivate some of them.`);
    }
    const own = found.filter((structure) => closure.has(structure.taxonomyId ?? ''));
    const ids = own.map(({ id }) => id);
    const connections = groupBy(await structures.connections(tx, ids), ({ structureId }) => structureId);
    return own
      .map((structure) => ({ structure, connections: connections.get(structure.id) ?? [] }))
      .toSorted((a, b) => compare(a.structure.name, b.structure.name) || compare(a.structure.id, b.structure.id));
  }

  /** The notes that have a value; one statement. */
  async compose(
    tx: Transaction,
    composition: Composition,
    windows: readonly LabeledWindow[],
    networks: readonly NoteNetwork[],
  ): Promise<NoteSet> {
    const ids = networks.flatMap(({ connections }) =>
      connections.flatMap((arc) => [arc.fromElementId, arc.toElementId]),
    );
    const elements = await this.#use.structures.elements(tx, [...new Set(ids)]);
    const made = composeNotes(composition, windows, networks, elements);
    if (made.notes.length <= maxNotes) return made;
    throw invalidInput(`A report has at most ${maxNotes} notes, not ${made.notes.length}. Deactivate some structures.`);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
