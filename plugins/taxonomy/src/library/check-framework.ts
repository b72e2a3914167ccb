import { findCycle, reachableFrom } from '../values/index.ts';
import { type CuratedGaap, type FrameworkElement, type Frameworks, traitsCompatibleWith } from '../vocabulary/index.ts';
import { cashFlowProblems } from './check-cash-flow.ts';
import { driverProblems } from './driver-catalog.ts';
import { identityArcs } from './identity-arcs.ts';
import { metricProblems } from './metric-catalog.ts';
import { mappableRootNames } from './statements.ts';

/** Counts the rows of each kind; a test pins the shipped numbers. */
export function countFrameworks({ traits, fac, gaap }: Frameworks): Readonly<Record<string, number>> {
  const monetary = gaap.elements.filter((element) => element.isMonetary);
  const disclosures = gaap.structures.filter((structure) => structure.blockType === 'regulatory_disclosure');
  return {
    elements: gaap.elements.length,
    monetary: monetary.length,
    abstract: gaap.elements.filter((element) => element.isAbstract).length,
    other: gaap.elements.filter((element) => !element.isMonetary && !element.isAbstract).length,
    name_verified: gaap.elements.filter((element) => element.nameVerified).length,
    balance_checked: gaap.elements.filter((element) => element.balanceChecked).length,
    monetary_balance_unchecked: monetary.filter((element) => !element.balanceChecked).length,
    structures: gaap.structures.length,
    statements: gaap.structures.length - disclosures.length,
    disclosures: disclosures.length,
    presentation: gaap.presentation.length,
    calculation: gaap.calculation.length,
    rollforward: gaap.rollForward.length,
    fac: fac.elements.length,
    identities: fac.identities.length,
    imputation: fac.imputation.length,
    crosswalk: gaap.crosswalk.length,
    trait_categories: new Set(traits.map(({ category }) => category)).size,
    traits: traits.length,
    synonyms: gaap.synonyms.length,
    styles: gaap.styles.length,
    derivations: gaap.cashFlowDerivation.length,
    noncash_items: gaap.noncashItems.length,
    equity_changes: gaap.equityChanges.length,
    metrics: gaap.metrics.length,
    drivers: gaap.drivers.length,
    fallback: gaap.catchAlls.length,
  };
}

/**
 * Finds every contradiction within the frameworks, one sentence each; an empty list means that they may be loaded
 * (LB-3).
 */
export function checkFrameworks(frameworks: Frameworks): readonly string[] {
  const { fac, gaap } = frameworks;
  const derived = [...gaap.metrics, ...gaap.drivers].map(({ element }) => element);
  const shipped = [...fac.elements, ...gaap.elements, ...derived];
  const elements = new Map(shipped.map((element) => [element.qname, element]));
  return [
    ...doubles('element', shipped, ({ qname }) => qname),
    ...doubles('structure', gaap.structures, ({ key }) => key),
    ...doubles('role URI', gaap.structures, ({ roleUri }) => roleUri),
    ...doubles('presentation arc', gaap.presentation, (arc) => `${arc.structure} ${arc.parent} ${arc.child}`),
    ...doubles('calculation arc', gaap.calculation, (arc) => `${arc.structure} ${arc.total} ${arc.item}`),
    ...doubles('trait', frameworks.traits, (trait) => `${trait.category} ${trait.identifier}`),
    ...doubles(
      'roll-forward',
      gaap.rollForward,
      (arc) => `${arc.structure} ${arc.balanceConcept} ${arc.changeConcept}`,
    ),
    ...doubles('crosswalk', gaap.crosswalk, (row) => `${row.fac} ${row.usGaap}`),
    ...doubles('derivation', gaap.cashFlowDerivation, (row) => `${row.balanceSheetConcept} ${row.cashFlowConcept}`),
    ...doubles('non-cash item', gaap.noncashItems, ({ incomeConcept }) => incomeConcept),
    ...doubles('equity change', gaap.equityChanges, (row) => `${row.form} ${row.equityConcept}`),
    ...doubles('retired concept', gaap.retired, ({ qname }) => qname),
    ...doubles('style', gaap.styles, ({ code }) => code),
    ...doubles('identity', fac.identities, ({ id }) => id),
    ...doubles('imputation', fac.imputation, ({ order }) => `${order}`),
    ...gaap.elements.flatMap((element) => elementProblems(element, frameworks)),
    ...gaap.structures.flatMap((structure) => structureProblems(structure.key, gaap)),
    ...calculationProblems(gaap, elements),
    ...rollForwardProblems(gaap, elements),
    ...crosswalkProblems(gaap, elements),
    ...referenceProblems(frameworks, elements),
    ...formulaProblems(frameworks),
    ...identityProblems(frameworks, elements),
    ...cashFlowProblems(gaap, elements),
    ...retirementProblems(gaap, elements),
    ...targetProblems(gaap, elements),
    ...metricProblems(gaap.metrics, elements),
    ...driverProblems(gaap.drivers, elements),
  ];
}

function doubles<T>(kind: string, items: readonly T[], keyOf: (item: T) => string): readonly string[] {
  const seen = new Set<string>();
  return items.map(keyOf).flatMap((key) => {
    if (seen.has(key)) return [`The ${kind} ${key} occurs twice.`];
    seen.add(key);
    return [];
  });
}

function elementProblems(element: FrameworkElement, { traits }: Frameworks): readonly string[] {
  const known = (category: string, identifier: string | null) =>
    identifier === null || traits.some((trait) => trait.category === category && trait.identifier === identifier);
  const problems: string[] = [];
  if (!known('elementsOfFinancialStatements', element.trait)) problems.push(`has the unknown trait ${element.trait}.`);
  if (!known('liquidity', element.liquidity)) problems.push(`has the unknown liquidity ${element.liquidity}.`);
  if (!known('activityType', element.activity)) problems.push(`has the unknown activity ${element.activity}.`);
  if (element.isAbstract && (element.balance !== null || element.itemType !== null)) {
    problems.push('is abstract but has a side or a type.');
  }
  return problems.map((problem) => `${element.qname} ${problem}`);
}

function structureProblems(key: string, gaap: CuratedGaap): readonly string[] {
  const problems: string[] = [];
  const presentation = gaap.presentation
    .filter(({ structure }) => structure === key)
    .map(({ parent, child }) => ({ from: parent, to: child }));
  const calculation = gaap.calculation
    .filter(({ structure }) => structure === key)
    .map(({ total, item }) => ({ from: total, to: item }));

  const children = new Set(presentation.map(({ to }) => to));
  const roots = new Set(presentation.map(({ from }) => from).filter((name) => !children.has(name)));
  if (roots.size !== 1) problems.push(`must have one root and has ${roots.size}: ${[...roots].join(', ')}.`);
  const reached = reachableFrom(roots, presentation);
  const lost = [...children].filter((name) => !reached.has(name));
  if (lost.length > 0) problems.push(`cannot reach ${lost.join(', ')} from its root.`);
  for (const [kind, arcs] of [
    ['presentation', presentation],
    ['calculation', calculation],
  ] as const) {
    const cycle = findCycle(arcs);
    if (cycle !== undefined) problems.push(`has a ${kind} cycle: ${cycle.join(' → ')}.`);
  }
  const unseen = new Set(calculation.flatMap(({ from, to }) => [from, to]).filter((name) => !reached.has(name)));
  if (unseen.size > 0) problems.push(`calculates with ${[...unseen].join(', ')} but does not present it.`);
  return problems.map((problem) => `The structure ${key} ${problem}`);
}

function calculationProblems(gaap: CuratedGaap, elements: ReadonlyMap<string, FrameworkElement>): readonly string[] {
  return gaap.calculation.flatMap(({ structure, total, item, weight }) => {
    const [from, to] = [elements.get(total), elements.get(item)];
    if (from === undefined || to === undefined) return [];
    const problems: string[] = [];
    if (Math.abs(weight) !== 1) problems.push(`has the weight ${weight}, not +1 or -1`);
    // Equal sides add and opposite sides subtract; a concept without a side may do either (taxonomy T-41).
    if (from.balance !== null && to.balance !== null && weight > 0 !== (from.balance === to.balance)) {
      problems.push('has a weight that contradicts the sides of its ends');
    }
    if (from.period !== to.period) problems.push('mixes an instant and a duration');
    if (from.itemType !== to.itemType) problems.push('mixes two data types');
    if (from.isAbstract || to.isAbstract) problems.push('touches an abstract concept');
    return problems.map((problem) => `The calculation arc ${total} → ${item} of ${structure} ${problem}.`);
  });
}

function rollForwardProblems(gaap: CuratedGaap, elements: ReadonlyMap<string, FrameworkElement>): readonly string[] {
  return gaap.rollForward.flatMap(({ structure, balanceConcept, changeConcept, sign }) => {
    const problems: string[] = [];
    if (elements.get(balanceConcept)?.period === 'duration') problems.push('starts from a duration');
    if (elements.get(changeConcept)?.period === 'instant') problems.push('changes by an instant');
    if (Math.abs(sign) !== 1) problems.push(`has the sign ${sign}, not +1 or -1`);
    return problems.map(
      (problem) => `The roll-forward ${balanceConcept} ← ${changeConcept} of ${structure} ${problem}.`,
    );
  });
}

function crosswalkProblems(gaap: CuratedGaap, elements: ReadonlyMap<string, FrameworkElement>): readonly string[] {
  return gaap.crosswalk.flatMap(({ fac, usGaap }) => {
    const [source, target] = [elements.get(fac), elements.get(usGaap)];
    if (source === undefined || target === undefined) return [];
    const agrees =
      source.period === target.period &&
      // The flows to noncontrolling interests have no side in fac by design, and so agree with any.
      (source.balance === null || target.balance === null || source.balance === target.balance);
    return agrees ? [] : [`The crosswalk ${fac} → ${usGaap} joins concepts of another side or period type.`];
  });
}

function referenceProblems({ gaap }: Frameworks, elements: ReadonlyMap<string, FrameworkElement>): readonly string[] {
  const structures = new Set(gaap.structures.map(({ key }) => key));
  const concepts = [
    ...gaap.presentation.flatMap(({ parent, child }) => [parent, child]),
    ...gaap.calculation.flatMap(({ total, item }) => [total, item]),
    ...gaap.rollForward.flatMap(({ balanceConcept, changeConcept }) => [balanceConcept, changeConcept]),
    ...gaap.crosswalk.flatMap(({ fac, usGaap }) => [fac, usGaap]),
    ...gaap.cashFlowDerivation.flatMap((row) => [row.balanceSheetConcept, row.cashFlowConcept]),
    ...gaap.noncashItems.flatMap((row) => [row.incomeConcept, row.cashFlowConcept, ...row.absorbedBy]),
    ...gaap.equityChanges.flatMap((row) => [row.equityConcept, row.increase, row.decrease]),
    ...gaap.catchAlls.map(({ concept }) => concept),
    ...gaap.synonyms.map(({ concept }) => concept),
    ...gaap.priors.map(({ concept }) => concept),
    ...gaap.styles.map(({ retainedEarnings }) => retainedEarnings),
  ];
  const networks = [
    ...[...gaap.presentation, ...gaap.calculation, ...gaap.rollForward].map(({ structure }) => structure),
    ...gaap.styles.flatMap((style) => [
      style.balanceSheet,
      style.incomeStatement,
      style.cashFlowStatement,
      style.equityStatement,
      style.comprehensiveIncome,
    ]),
  ];
  return [
    ...[...new Set(concepts)].filter((name) => !elements.has(name)).map((name) => `${name} is used but not defined.`),
    ...[...new Set(networks)]
      .filter((key) => !structures.has(key))
      .map((key) => `The structure ${key} is not defined.`),
  ];
}

function formulaProblems({ fac }: Frameworks): readonly string[] {
  const names = new Set(fac.elements.map(({ localName }) => localName));
  const used = [
    ...fac.identities.map(({ id, left, right }) => ({ place: `identity ${id}`, text: `${left} ${right}` })),
    ...fac.imputation.map(({ order, target, requires, formula }) => ({
      place: `imputation ${order}`,
      text: `${target} ${requires.join(' ')} ${formula}`,
    })),
  ];
  return used.flatMap(({ place, text }) =>
    (text.match(/[A-Za-z]\w*/g) ?? []).filter((name) => !names.has(name)).map((name) => `${place} uses ${name}.`),
  );
}

/** Checks the identities that are shipped as arcs (taxonomy T-41, LB-3). */
function identityProblems({ fac }: Frameworks, elements: ReadonlyMap<string, FrameworkElement>): readonly string[] {
  return identityArcs(fac).flatMap(({ identity, total, item, weight }) => {
    const [from, to] = [elements.get(total), elements.get(item)];
    if (from === undefined || to === undefined) return [];
    const problems: string[] = [];
    if (from.balance !== null && to.balance !== null && weight > 0 !== (from.balance === to.balance)) {
      problems.push('has a weight that contradicts the sides of its ends');
    }
    if (from.period !== to.period) problems.push('mixes an instant and a duration');
    return problems.map((problem) => `The identity ${identity}, ${total} → ${item}, ${problem}.`);
  });
}

/** Checks that a retired concept is no longer shipped and that its replacement is (taxonomy LB-5). */
function retirementProblems(gaap: CuratedGaap, elements: ReadonlyMap<string, FrameworkElement>): readonly string[] {
  return gaap.retired.flatMap(({ qname, replacedBy }) => [
    ...(elements.has(qname) ? [`${qname} is retired and shipped.`] : []),
    ...(elements.has(replacedBy) ? [] : [`${qname} is replaced by ${replacedBy}, which is not shipped.`]),
  ]);
}

/** Checks that concepts proposed for accounts have a compatible trait and lead up to the root of a statement (M-17). */
function targetProblems(gaap: CuratedGaap, elements: ReadonlyMap<string, FrameworkElement>): readonly string[] {
  const reached = reachableFrom(
    mappableRootNames,
    gaap.calculation.map(({ total, item }) => ({ from: total, to: item })),
  );
  const targets = [
    ...gaap.synonyms.map(({ words, trait, concept }) => ({ place: `synonym "${words.join(' ')}"`, trait, concept })),
    ...gaap.catchAlls.map(({ trait, concept }) => ({ place: `catch-all of ${trait}`, trait, concept })),
  ];
  return targets.flatMap(({ place, trait, concept }) => {
    const element = elements.get(concept);
    if (element === undefined) return [];
    const problems: string[] = [];
    // Concepts of gains also hold losses, with the opposite sign.
    const isTwoSided = element.trait === 'gain' && traitsCompatibleWith('expense').has(trait);
    // Payments to owners are kept as contra-equity balances and reported as flows (taxonomy 4.6, 4).
    const isOwnerFlow = trait === 'contraEquity' && element.activity === 'financingActivity';
    const isInGroup = element.trait !== null && traitsCompatibleWith(trait).has(element.trait);
    if (!isInGroup && !isTwoSided && !isOwnerFlow)
      problems.push(`belongs to ${element.trait}, not to the group of ${trait}`);
    if (!reached.has(concept)) problems.push('leads up to no statement');
    return problems.map((problem) => `The ${place} names ${concept}, which ${problem}.`);
  });
}
