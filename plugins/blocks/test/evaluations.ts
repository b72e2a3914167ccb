import { expect } from 'vitest';
import type { NewFact, NewRule } from '../src/index.ts';
import { type BlockGraph, type BlocksService, balances, conceptId, type Loose, structureId } from './blocks-service.ts';

export const equity = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
export const cash = 'CashAndCashEquivalentsAtCarryingValue';
export const now = new Date('2026-05-04T12:00:00Z');

/** Helpers for evaluations of the classified balance sheet. */
export interface Sheet {
  readonly id: string;
  /** The facts of a balance sheet that foots, with overrides. */
  footing(month: string, more?: Readonly<Record<string, string>>): readonly NewFact[];
  /** The result of an evaluation that must succeed. */
  evaluate(graph: BlockGraph, more?: object): Promise<Loose>;
  /** The rules and the results that the envelope shows. */
  resultsOf(graph: BlockGraph): Promise<Loose>;
  /** A rule about cash, with overrides. */
  ruleOf(more: Partial<NewRule>): NewRule;
}

export function sheetOf(blocks: BlocksService): Sheet {
  const id = structureId(blocks, 'BS-classified');
  return {
    id,
    footing: (month, more = {}) =>
      balances(blocks, month, {
        [cash]: '100',
        AssetsCurrent: '100',
        Assets: '100',
        Liabilities: '30',
        [equity]: '70',
        LiabilitiesAndStockholdersEquity: '100',
        ...more,
      }),
    evaluate: async (graph, more = {}) => {
      const answer = await graph.operation('evaluate-rules', { structure_id: id, ...more });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.result;
    },
    resultsOf: async (graph) => {
      const { informationBlock } = await graph.query(`{ informationBlock(id: "${id}") {
        rules { id rulePattern } verificationResults { ruleId status message factSetId }
        verificationSummary { total passed failed errored skipped byCategory { category total } } } }`);
      return informationBlock;
    },
    ruleOf: (more) => ({
      structureId: null,
      name: 'a rule',
      category: 'ToDoManualTask',
      pattern: 'Exists',
      checkKind: null,
      expression: '$Cash',
      variables: [{ name: 'Cash', elementId: conceptId(blocks, cash), qname: null }],
      target: null,
      createdBy: 'user_1',
      now,
      ...more,
    }),
  };
}
