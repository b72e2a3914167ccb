import type { BlockView, FactStore, Rendering, ViewSubject } from '@pacioli/blocks';
import type { Transaction } from '@pacioli/core';
import type { LibraryCatalog } from '@pacioli/taxonomy';
import {
  type BalanceElement,
  periodsOf,
  type ScheduleLine,
  scheduleRows,
  statementColumns,
  statementRows,
} from './statement-rendering.ts';
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

  /** One statement for all subjects, and one more if a statement shows concepts that its network lacks. */
  async draw(tx: Transaction, subjects: readonly ViewSubject[]): Promise<ReadonlyMap<string, BlockView>> {
    const setIds = subjects.flatMap(({ factSet }) => factSet?.id ?? []);
    const statements = setIds.length === 0 ? new Map<string, StatementOfSet>() : await findStatementsOfSets(tx, setIds);
    const additions = new Map(
      subjects.map((subject) => [subject.structure.id, this.#additions(subject, statements)] as const),
    );
    const elementIds = [...additions.values()].flatMap(({ elementIds: ids }) => ids);
    const facts =
      elementIds.length === 0
        ? []
        : await this.#use.facts.facts(tx, { scenario: 'all', factSetIds: setIds, elementIds });
    return new Map(
      subjects.map((subject): [string, BlockView] => {
        const own = facts.filter(({ factSetId }) => factSetId === subject.factSet?.id);
        const shown = { ...subject, facts: [...subject.facts, ...own] };
        const statement = statements.get(subject.factSet?.id ?? '');
        const rendering = renderingOf(shown, statement, additions.get(subject.structure.id));
        return [subject.structure.id, { rendering, chart: null }];
      }),
    );
  }

  /** All equity in place of a part of it (S-16b), and the schedule below a direct cash flow (S-17). */
  #additions({ factSet, elements }: ViewSubject, statements: ReadonlyMap<string, StatementOfSet>): Additions {
    const statement = statements.get(factSet?.id ?? '');
    if (statement === undefined) return { elementIds: [], balance: undefined, schedule: [] };
    const own = new Set(elements.map(({ id }) => id));
    const openingId = statement.opening_element_id;
    const balance = openingId === null || own.has(openingId) ? undefined : this.#use.library.elementById(openingId);
    const schedule = statement.reconciliation.flatMap((head) => {
      const element = this.#use.library.elementById(head.element_id);
      return element === undefined ? [] : [{ head, element }];
    });
    const ids = [balance?.id, ...schedule.map(({ element }) => element.id)];
    return { elementIds: ids.filter((id): id is string => id !== undefined && !own.has(id)), balance, schedule };
  }
}

interface Additions {
  /** The elements that the network of the statement lacks. */
  readonly elementIds: readonly string[];
  readonly balance: BalanceElement | undefined;
  readonly schedule: readonly ScheduleLine[];
}

function renderingOf(
  subject: ViewSubject,
  statement: StatementOfSet | undefined,
  additions: Additions | undefined,
): Rendering {
  const validation = statement?.validation;
  return {
    rows: [...statementRows(subject, additions?.balance), ...scheduleRows(subject, additions?.schedule ?? [])],
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
