import { decimal } from '@pacioli/blocks';
import type { PlannedMovement } from '@pacioli/ledger';
import type { MappedAccount } from '@pacioli/taxonomy';
import type { Layout } from '../statements/index.ts';
import type { DriverRule, UnusableRule } from './driver-rules.ts';
import { type ForecastLines, lineAmount } from './forecast-lines.ts';
import { growthValues, lineValues, type StoredForecast } from './stored-forecasts.ts';
import type { LineMovement, MonthValues, WalkInput } from './walk-input.ts';

/** The stored parts of a walk. */
export interface WalkParts
  extends Pick<WalkInput, 'layout' | 'digits' | 'anchor' | 'months' | 'movements' | 'isDriver'> {
  readonly forecast: StoredForecast;
  readonly lines: ForecastLines;
  readonly rules: { readonly usable: readonly DriverRule[]; readonly unusable: readonly UnusableRule[] };
}

/** The input of a walk; lines that the style does not show are left out. */
export function walkInput({ forecast, lines, rules, ...parts }: WalkParts): WalkInput {
  const { definition, values } = forecast;
  const shown = <Line extends { readonly qname: string }>(named: readonly Line[]): readonly Line[] =>
    named.filter(({ qname }) => lines.isLine(qname));
  return {
    ...parts,
    concepts: lines.concepts,
    levers: byMonth(lineValues(definition.levers, values)),
    assertions: byMonth(shown(lineValues(definition.line_assertions, values))),
    growth: byMonth(shown(definition.line_growth).map(growthValues)),
    rules: rules.usable,
    unusableRules: rules.unusable,
  };
}

function byMonth(
  lines: readonly { readonly qname: string; readonly values: ReadonlyMap<string, string> }[],
): ReadonlyMap<string, MonthValues> {
  return new Map(
    lines.map(({ qname, values }) => [
      qname,
      new Map([...values].map(([month, value]): [string, ReturnType<typeof decimal>] => [month, decimal(value)])),
    ]),
  );
}

/** The movements of accounts on the lines that show them; accounts without a concept have none. */
export function movementsOf(
  layout: Layout,
  arcs: readonly MappedAccount[],
  movements: readonly PlannedMovement[],
): readonly LineMovement[] {
  const mapped = new Map(arcs.map((arc) => [arc.accountId, arc]));
  return movements.flatMap(({ accountId, period, amount }) => {
    const account = mapped.get(accountId);
    const onLine = account === undefined ? undefined : lineAmount(layout, account, amount);
    return onLine === undefined ? [] : [{ ...onLine, period }];
  });
}
