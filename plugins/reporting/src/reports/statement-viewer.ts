import type { BlockView, FactStore, Rendering, ViewSubject } from '@pacioli/blocks';
import type { Transaction } from '@pacioli/core';
import type { LibraryCatalog } from '@pacioli/taxonomy';
import { type BalanceElement, periodsOf, statementColumns, statementRows } from './statement-rendering.ts';
import { findStatementsOfSets, type StatementOfSet } from './statement-rows.ts';

interface ViewerServices {
  readonly facts: FactStore;
  readonly library: LibraryCatalog;
}

/** Draws statements in their envelopes; a report’s with the checks of its generation (R-25, S-30, P-23). */
export class StatementViewer {
  readonly #use: ViewerServices;

  constructor(use: ViewerServices) {
    this.#use = use;
  }

  /** One statement for all subjects, and one more if a roll-forward shows all equity for a part of it. */
  async draw(tx: Transaction, subjects: readonly ViewSubject[]): Promise<ReadonlyMap<string, BlockView>> {
    const setIds = subjects.flatMap(({ factSet }) => factSet?.id ?? []);
    const statements = setIds.length === 0 ? new Map() : await findStatementsOfSets(tx, setIds);
    const replaced = new Map(subjects.flatMap((subject) => this.#replacedBalance(subject, statements)));
    const facts =
      replaced.size === 0
        ? []
        : await this.#use.facts.facts(tx, {
            scenario: 'all',
            factSetIds: [...replaced.keys()],
            elementIds: [...new Set([...replaced.values()].map(({ id }) => id))],
          });
    return new Map(
      subjects.map((subject): [string, BlockView] => {
        const setId = subject.factSet?.id ?? '';
        const own = facts.filter(({ factSetId }) => factSetId === setId);
        const shown = { ...subject, facts: [...subject.facts, ...own] };
        return [
          subject.structure.id,
          { rendering: renderingOf(shown, statements.get(setId), replaced.get(setId)), chart: null },
        ];
      }),
    );
  }

  /** The concept of the balance rows, if the network of the statement lacks it (S-16b). */
  #replacedBalance(
    { factSet, elements }: ViewSubject,
    statements: ReadonlyMap<string, StatementOfSet>,
  ): [string, BalanceElement][] {
    const id = factSet === undefined ? undefined : statements.get(factSet.id)?.opening_element_id;
    if (factSet === undefined || id == null || elements.some((element) => element.id === id)) return [];
    const element = this.#use.library.elementById(id);
    return element === undefined ? [] : [[factSet.id, element]];
  }
}

function renderingOf(
  subject: ViewSubject,
  statement: StatementOfSet | undefined,
  balance: BalanceElement | undefined,
): Rendering {
  const validation = statement?.validation;
  return {
    rows: statementRows(subject, balance),
    periods: periodsOf(statementColumns(subject)),
    validation: {
      passed: validation?.passed ?? false,
      status: validation?.status ?? 'inconclusive',
      checks: [...(validation?.checks ?? [])],
      failures: [...(validation?.failures ?? [])],
      warnings: [...(validation?.warnings ?? [])],
    },
    unmapped_count: statement?.unmapped_count ?? 0,
  };
}
