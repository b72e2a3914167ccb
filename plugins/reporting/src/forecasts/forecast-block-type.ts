import { type BlockType, blockTypes } from '@pacioli/blocks';
import { type Contribution, contribute } from '@pacioli/core';
import type { ForecastDefinition } from './definition.ts';
import { ForecastWriter } from './forecast-writer.ts';
import type { LineRequest } from './planned-values.ts';
import { forecastServices } from './services.ts';
import { lineValues, type StoredForecast, StoredForecasts } from './stored-forecasts.ts';

/** The payloads of forecasts in the block operations. */
interface ForecastPayload {
  readonly structure_id: string;
  readonly name?: string | null;
  readonly entity_id?: string | null;
  readonly scenario_kind?: ForecastDefinition['scenario_kind'] | null;
  readonly base_anchor?: ForecastDefinition['base_anchor'] | null;
  readonly base_period?: string | null;
  readonly horizon_months?: number | null;
  readonly levers?: readonly LineRequest[] | null;
  readonly line_assertions?: readonly LineRequest[] | null;
  readonly line_growth?: readonly LineRequest[] | null;
}

const defaultHorizonMonths = 12;

/** Blocks that project the statements (reporting 10). */
export const forecastBlockType: Contribution = contribute(blockTypes, 'forecast', {
  services: forecastServices,
  create: (use): Omit<BlockType, 'key'> => {
    const writer = new ForecastWriter(use);
    const stored = new StoredForecasts(use);
    return {
      displayName: 'Forecast',
      displayPlural: 'Forecasts',
      category: 'Planning',
      icon: 'telescope',
      description: 'Projects the statements of coming months from drivers, assertions and growth rates.',
      mode: 'declarative',
      conceptArrangement: 'set',
      memberArrangement: null,
      surfacesInLibrary: false,
      factsShown: 'selected',
      scenarios: 'own',
      create: async (work, payload) => {
        const given = payloadOf(payload);
        const structureId = await writer.create(work, {
          name: given.name ?? '',
          entityId: given.entity_id ?? null,
          scenarioKind: given.scenario_kind ?? 'forecast',
          baseAnchor: given.base_anchor ?? 'seam',
          basePeriod: given.base_period ?? null,
          horizonMonths: given.horizon_months ?? defaultHorizonMonths,
          levers: given.levers ?? [],
          assertions: given.line_assertions ?? [],
          growth: given.line_growth ?? [],
        });
        return { structureId };
      },
      update: async (work, payload) => {
        const given = payloadOf(payload);
        await writer.update(work, {
          structureId: given.structure_id,
          name: given.name ?? undefined,
          scenarioKind: given.scenario_kind ?? undefined,
          baseAnchor: given.base_anchor ?? undefined,
          basePeriod: given.base_period ?? undefined,
          horizonMonths: given.horizon_months ?? undefined,
          levers: given.levers ?? undefined,
          assertions: given.line_assertions ?? undefined,
          growth: given.line_growth ?? undefined,
        });
        return { structureId: given.structure_id };
      },
      remove: (work, payload) => writer.remove(work, payloadOf(payload).structure_id),
      mechanics: async (tx, structureIds) => {
        const forecasts = await stored.find(tx, structureIds);
        const months = await use.facts.countScenarioSets(tx, {
          structureIds: stored.incomeStatementIds,
          scenarioIds: structureIds,
        });
        return new Map([...forecasts].map(([id, forecast]) => [id, mechanicsOf(forecast, months.get(id) ?? 0)]));
      },
    };
  },
});

function payloadOf(payload: Readonly<Record<string, unknown>>): ForecastPayload {
  // The operation has validated the payload against the forecast member of its union.
  return payload as unknown as ForecastPayload;
}

function mechanicsOf({ definition, values }: StoredForecast, computedMonths: number): object {
  const { levers, line_assertions, line_growth } = definition;
  const numbers = (byMonth: Iterable<readonly [string, string]>) =>
    Object.fromEntries([...byMonth].toSorted().map(([month, value]) => [month, Number(value)]));
  const listed = (lines: typeof levers) =>
    lineValues(lines, values).map(({ qname, element_id, item_type, period_type, values: own }) => {
      return { qname, element_id, item_type, period_type, values_by_period: numbers(own) };
    });
  return {
    kind: 'forecast',
    scenario_kind: definition.scenario_kind,
    base_anchor: definition.base_anchor,
    base_period: definition.base_period,
    horizon_months: definition.horizon_months,
    levers: listed(levers).map(({ period_type: _period, ...lever }) => lever),
    line_assertions: listed(line_assertions),
    line_growth: line_growth.map(({ qname, element_id, values_by_period }) => ({
      qname,
      element_id,
      values_by_period: numbers(Object.entries(values_by_period)),
      item_type: 'percent',
    })),
    computed_months: computedMonths,
  };
}
