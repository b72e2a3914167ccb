import { GraphStoreError, type StatementInfo } from '@pacioli/core/ports';
import type { Plan, ResultSummary, Transaction } from 'neo4j-driver';
import { failureOf } from './failure.ts';

/** Makes the server return the plan of a statement instead of its rows. */
const planWord = 'EXPLAIN ';

/**
 * Operators of a plan that reach beyond the rows of the graph. The server counts reading a file or a URL as a read, and
 * also procedures and settings, so its access mode alone is no boundary (graphs Q-20).
 */
const refusedOperators = /LoadCSV|Procedure|Transaction|Show|Terminate|Command/i;

/** Lets the server plan a statement, which never runs it, and refuses plans that do more than read or write rows. */
export async function checkedPlan(
  tx: Transaction,
  text: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<StatementInfo> {
  const { summary } = await tx.run(`${planWord}${text}`, parameters).catch((error: unknown) => {
    throw failureOf(error, planWord.length);
  });
  const refused = operatorsOf(summary.plan).find((name) => refusedOperators.test(name));
  if (refused !== undefined || !['r', 'w', 'rw'].includes(summary.queryType))
    throw new GraphStoreError('read-only', 'This statement does more than read or write rows of the graph.', {
      cause: new Error(`The plan has the operator ${refused ?? summary.queryType}.`),
    });
  return { kind: kindOf(summary) };
}

const kindOf = ({ queryType }: ResultSummary): StatementInfo['kind'] => (queryType === 'r' ? 'read' : 'write');

function operatorsOf(plan: Plan | false): readonly string[] {
  if (plan === false) return [];
  const name = plan.operatorType.replace(/@.*$/, '');
  return [name, ...plan.children.flatMap(operatorsOf)];
}
