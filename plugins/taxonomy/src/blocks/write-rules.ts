import type { Ids, Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import { autoRuleKey, autoRules } from '../library/index.ts';
import type { TaxonomyRule } from '../rows.gen.ts';
import { insertRows, type RowValues, ruleTable } from '../values/index.ts';
import type { Block, BlockRule, StoredRule } from '../vocabulary/index.ts';
import type { WrittenIds } from './write-block.ts';

export interface RuleParts {
  readonly ids: Ids;
  readonly taxonomyId: string;
  readonly written: WrittenIds;
  readonly userId: string;
  readonly now: Date;
}

/** Inserts the rules of a block that have no id yet, in one statement. */
export async function insertRules(tx: Transaction, rules: readonly BlockRule[], parts: RuleParts): Promise<void> {
  const stamp = {
    graph_id: tx.graphId,
    created_by: parts.userId,
    created_at: parts.now,
    updated_at: parts.now,
  };
  const added = rules.filter(({ id }) => id === null);
  await insertRows(
    tx,
    ruleTable,
    added.map((rule) => ({ ...stamp, ...ruleValues(rule, parts), id: parts.ids.make('rule') })),
  );
}

/**
 * Updates the automatic rules of a block to match its parts (taxonomy T-35): a rule with the same identity keeps its id
 * and history. Returns the ids of the deleted rules.
 */
export async function refreshAutoRules(
  tx: Transaction,
  block: Block,
  stored: readonly StoredRule[],
  parts: RuleParts,
): Promise<readonly string[]> {
  const structureIdOf = (ref: string) => parts.written.structureId(ref) ?? ref;
  const before = new Map(
    stored.filter(({ origin }) => origin === 'auto').map((rule) => [autoRuleKey(rule, structureIdOf), rule]),
  );
  const added: BlockRule[] = [];
  const kept: RowValues[] = [];
  for (const rule of autoRules(block)) {
    const key = autoRuleKey(rule, structureIdOf);
    const known = before.get(key);
    if (known === undefined) added.push(rule);
    else kept.push({ ...ruleValues(rule, parts), id: known.id });
    before.delete(key);
  }
  const gone = [...before.values()].map(({ id }) => id);
  await deleteRules(tx, gone);
  await updateRules(tx, kept, parts.now);
  await insertRules(tx, added, parts);
  return gone;
}

/** Deletes rules; ids that no longer exist are ignored. */
export async function deleteRules(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`delete from taxonomy_rule where graph_id = ${tx.graphId} and id = any(${ids}::text[])`);
}

/** True for a rule `r` about an arc of one of these structures. */
export function targetsArcsOf(tx: Transaction, structureIds: readonly string[]): RawBuilder<unknown> {
  return sql`(r.target_kind = 'association' and r.target_id in (select a.id from taxonomy_association a
    where a.graph_id = ${tx.graphId} and a.structure_id = any (${[...structureIds]}::text[])))`;
}

/** The ids of the rules that target one of these arcs. */
export async function findRulesOfArcs(tx: Transaction, arcIds: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.query(sql<Pick<TaxonomyRule, 'id'>>`select id from taxonomy_rule
    where graph_id = ${tx.graphId} and target_kind = 'association' and target_id = any(${arcIds}::text[])`);
  return rows.map(({ id }) => id);
}

async function updateRules(tx: Transaction, rows: readonly RowValues[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`update taxonomy_rule r set name = i.name, expression = i.expression, variables = i.variables,
      updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(id text, name text, expression text, variables jsonb)
    where r.graph_id = ${tx.graphId} and r.id = i.id
      and (r.name, r.expression, r.variables) is distinct from (i.name, i.expression, i.variables)`);
}

function ruleValues(rule: BlockRule, { taxonomyId, written }: RuleParts): RowValues {
  const [target] = rule.targets;
  const structureId = target?.kind === 'structure' ? (written.structureId(target.ref) ?? target.ref) : null;
  const targetIds = {
    structure: () => structureId,
    element: (ref: string) => written.elementId(ref) ?? ref,
    association: (ref: string) => ref,
    taxonomy: () => taxonomyId,
  };
  return {
    taxonomy_id: taxonomyId,
    structure_id: structureId,
    name: rule.name,
    description: rule.description,
    rule_category: rule.category,
    rule_pattern: rule.pattern,
    rule_check_kind: rule.checkKind,
    expression: rule.expression,
    variables: rule.variables.map(({ name, qname, extra }) => ({
      ...extra,
      variable_name: name,
      variable_qname: qname,
      variable_element_id: written.elementId(qname) ?? null,
    })),
    severity: rule.severity,
    origin: rule.origin,
    target_kind: target?.kind ?? null,
    target_id: target === undefined ? null : targetIds[target.kind](target.ref),
    message: rule.message,
    metadata: rule.metadata,
  };
}
