import { decimalUnits, scaleOf } from '../bundle/index.ts';
import type { PlannedArc, XbrlPlan } from './plan.ts';
import { arcsOf, locate } from './write-linkbases.ts';

/** What is wrong with a package before it is written; empty for a sound one (reporting X-42). */
export function selfCheck(plan: XbrlPlan): readonly string[] {
  return [...conceptProblems(plan), ...networkProblems(plan), ...factProblems(plan), ...sumProblems(plan)];
}

function conceptProblems({ concepts, frameworks }: XbrlPlan): readonly string[] {
  const typed = concepts.flatMap(({ prefix, typedDomain }) => (typedDomain === null ? [] : `${prefix}:${typedDomain}`));
  const names = [...concepts.map(({ qname }) => qname), ...typed];
  const prefixes = new Set([...frameworks.map(({ prefix }) => prefix), 'report']);
  return [
    ...names.filter((qname, index) => names.indexOf(qname) !== index).map((qname) => `${qname} is declared twice`),
    ...concepts.filter(({ prefix }) => !prefixes.has(prefix)).map(({ qname }) => `${qname} has no schema`),
  ];
}

function networkProblems({ roles, concepts }: XbrlPlan): readonly string[] {
  const known = new Map(concepts.map((concept) => [concept.qname, concept]));
  return roles.flatMap((role) =>
    (['presentation', 'calculation', 'definition'] as const).flatMap((kind) => {
      const arcs = arcsOf(role, kind);
      const unresolved = arcs.flatMap(({ from, to }) => [from, to].filter((qname) => !known.has(qname)));
      const ends = locate(arcs).arcs.map(({ from, to }) => `${from} ${to}`);
      const repeated = ends.filter((pair, index) => ends.indexOf(pair) !== index);
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
  const numbers = facts.filter(({ unit }) => unit !== null);
  const scale = Math.max(0, ...numbers.map(({ text }) => scaleOf(text)));
  const known = new Map(
    numbers.map(({ concept, context, unit, text }) => [`${concept} ${context} ${unit}`, decimalUnits(text, scale)]),
  );
  return roles.flatMap(({ id, calculation }) => {
    const totals = new Set(calculation.map(({ from }) => from));
    return numbers
      .filter(({ concept }) => totals.has(concept))
      .flatMap(({ concept, context, unit, text }) => {
        const items = calculation
          .filter(({ from }) => from === concept)
          .flatMap(({ to, weight }) => {
            const item = known.get(`${to} ${context} ${unit}`);
            return item === undefined ? [] : [BigInt(weight ?? 1) * item];
          });
        const sum = items.reduce((total, item) => total + item, 0n);
        if (items.length === 0 || sum === decimalUnits(text, scale)) return [];
        return [`${id}: ${concept} in ${context} is ${text}, and its parts differ`];
      });
  });
}
