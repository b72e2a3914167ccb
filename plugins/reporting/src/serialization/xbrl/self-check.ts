import type { PlannedArc, XbrlPlan } from './plan.ts';
import { SumValues } from './sum-values.ts';
import { arcsOf, locate } from './write-linkbases.ts';

/** The problems of a package before it is written; empty for a sound one (reporting X-42). */
export function selfCheck(plan: XbrlPlan): readonly string[] {
  return [...conceptProblems(plan), ...networkProblems(plan), ...factProblems(plan), ...sumProblems(plan)];
}

function conceptProblems({ concepts, frameworks }: XbrlPlan): readonly string[] {
  const typed = concepts.flatMap(({ prefix, typedDomain }) => (typedDomain === null ? [] : `${prefix}:${typedDomain}`));
  const names = [...concepts.map(({ qname }) => qname), ...typed];
  const prefixes = new Set([...frameworks.map(({ prefix }) => prefix), 'report']);
  return [
    ...repeatedIn(names).map((qname) => `${qname} is declared twice`),
    ...concepts.filter(({ prefix }) => !prefixes.has(prefix)).map(({ qname }) => `${qname} has no schema`),
  ];
}

function networkProblems({ roles, concepts }: XbrlPlan): readonly string[] {
  const known = new Map(concepts.map((concept) => [concept.qname, concept]));
  return roles.flatMap((role) =>
    (['presentation', 'calculation', 'definition'] as const).flatMap((kind) => {
      const arcs = arcsOf(role, kind);
      const unresolved = arcs.flatMap(({ from, to }) => [from, to].filter((qname) => !known.has(qname)));
      const repeated = repeatedIn(locate(arcs).arcs.map(({ from, to }) => `${from} ${to}`));
      const missing = arcs.filter(({ to, preferredLabel }) => {
        return preferredLabel !== undefined && known.get(to)?.labels.every(({ role: own }) => own !== preferredLabel);
      });
      return [
        ...unresolved.map((qname) => `${role.id}: ${qname} is not declared`),
        ...repeated.map((pair) => `${role.id}: two arcs connect ${pair}`),
        ...missing.map(({ to, preferredLabel }) => `${role.id}: ${to} has no label for ${preferredLabel}`),
        ...arcs
          .filter((arc) => !isBalanced(arc, known))
          .map(({ from, to }) => `${role.id}: ${from} > ${to} is unbalanced`),
      ];
    }),
  );
}

type Balances = ReadonlyMap<string, { readonly balance: 'debit' | 'credit' | null }>;

function isBalanced({ from, to, weight }: PlannedArc, known: Balances): boolean {
  const [total, part] = [known.get(from)?.balance ?? null, known.get(to)?.balance ?? null];
  if (weight === undefined || total === null || part === null) return true;
  return (total === part) === weight > 0;
}

function factProblems({ facts, contexts, concepts }: XbrlPlan): readonly string[] {
  const known = new Map(concepts.map((concept) => [concept.qname, concept]));
  const periods = new Map(contexts.map(({ id, period }) => [id, 'instant' in period ? 'instant' : 'duration']));
  return facts.flatMap(({ id, concept, context, unit }) => {
    const declared = known.get(concept);
    if (declared === undefined) return [`${id}: ${concept} is not declared`];
    const isText = declared.type === 'dtr:textBlockItemType';
    return [
      ...(declared.isAbstract ? [`${id}: ${concept} is abstract`] : []),
      ...(declared.periodType === periods.get(context) ? [] : [`${id}: ${concept} is a ${declared.periodType}`]),
      ...(isText === (unit === null) ? [] : [`${id}: ${concept} has facts with and without a unit`]),
    ];
  });
}

/** Every sum is added again from the facts, exactly. */
function sumProblems({ roles, facts }: XbrlPlan): readonly string[] {
  const values = new SumValues(roles.flatMap(({ calculation }) => calculation));
  for (const { concept, context, unit, text } of facts) {
    if (unit !== null) values.add(concept, `${context} ${unit}`, text);
  }
  return roles.flatMap(({ id, calculation }) => {
    return values.unequalTotals(calculation).map(({ total, aspects, value }) => {
      return `${id}: ${total} in ${aspects} is ${value}, and its parts differ`;
    });
  });
}

/** Each text of the list that an equal one precedes. */
function repeatedIn(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}
