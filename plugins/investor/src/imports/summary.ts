import { amountText } from '../values/index.ts';
import type { ImportPlan } from './import-plan.ts';

/** The contents of an import as lines for people: how many positions and securities, and their cost by currency. */
export function summaryLines({ positions, unknownIssuers }: ImportPlan): readonly string[] {
  const created = positions.filter(({ security }) => typeof security !== 'string').length;
  const costs = new Map<string, bigint>();
  for (const { fields } of positions)
    costs.set(fields.currency, (costs.get(fields.currency) ?? 0n) + BigInt(fields.cost_basis));
  const cost = [...costs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, cents]) => `${amountText(cents)} ${currency}`);
  return [
    `${counted(positions.length, 'position')}, ${counted(created, 'new security', 'new securities')}, ` +
      `${positions.length - created} of the graph.`,
    `Cost basis: ${cost.join(', ')}.`,
    ...(unknownIssuers.length === 0 ? [] : [unknownLine(unknownIssuers)]),
  ];
}

const maxShownIssuers = 10;

function unknownLine(issuers: readonly string[]): string {
  const rest = issuers.length - maxShownIssuers;
  const more = rest > 0 ? `, and ${rest} more` : '';
  return `Not entities of the graph, so that their securities have no issuer: ${issuers.slice(0, maxShownIssuers).join(', ')}${more}.`;
}

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
