import { fileStem, type ReportBundle, reportIri } from '../bundle/index.ts';
import type { XbrlPlan } from './plan.ts';
import { planConcepts } from './plan-concepts.ts';
import { planInstance } from './plan-instance.ts';
import { planNetworks } from './plan-networks.ts';

/** Contents that no XBRL 2.1 package holds (reporting G-2). */
const neverIncluded = ['ib_envelopes', 'filing_lifecycle', 'fact_sets'];

/** Decides what the package of a report holds; pure. */
export function planPackage(bundle: ReportBundle): XbrlPlan {
  const space = `${reportIri(bundle)}/`;
  const networks = planNetworks(bundle, space);
  const { entity, report, base } = bundle;
  const started = bundle.factSets.map(({ startedAt }) => startedAt).sort();
  return {
    stem: fileStem(bundle),
    space,
    name: report.name,
    generation: report.generation,
    publisher: entity.name,
    publishedOn: (started.at(-1) ?? bundle.columns[0]?.end ?? '').slice(0, 10),
    frameworks: bundle.frameworks.map(({ prefix, namespace }) => {
      return { prefix, namespace: namespace ?? `${base}/concept/${prefix}` };
    }),
    concepts: planConcepts(bundle, networks.extra),
    roles: networks.roles,
    entity: { scheme: entity.scheme, identifier: entity.identifier },
    ...planInstance(bundle),
    omitted: [...neverIncluded, ...networks.omitted],
  };
}

/** Lists the parts of a report that its package leaves out, as its plan does. */
export function omittedOf(bundle: ReportBundle): readonly string[] {
  return [...neverIncluded, ...planNetworks(bundle, `${reportIri(bundle)}/`).omitted];
}
