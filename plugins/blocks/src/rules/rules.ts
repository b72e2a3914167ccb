import { columnsOf, type Ids, type RowOf, sql, type Transaction } from '@pacioli/core';
import { countDeleted } from '../facts/index.ts';
import type { NewRule, Rule, RuleMetadata } from '../models/rules.ts';
import type { BlocksRule } from '../rows.gen.ts';

const maxRulesRead = 20_000;

/** Inserts the rules with one statement. */
export async function insertRules(tx: Transaction, rules: readonly NewRule[], ids: Ids): Promise<readonly string[]> {
  const rows = rules.map((rule) => ({
    id: ids.make('rule'),
    structure_id: rule.structureId,
    name: rule.name,
    category: rule.category,
    pattern: rule.pattern,
    check_kind: rule.checkKind,
    expression: rule.expression,
    variables: rule.variables,
    message: rule.message ?? null,
    severity: rule.severity ?? 'error',
    origin: rule.origin ?? 'native',
    target_kind: rule.target?.kind ?? null,
    target_id: rule.target?.id ?? null,
    metadata: rule.metadata ?? {},
    created_by: rule.createdBy,
    created_at: rule.now.toISOString(),
  }));
  if (rows.length === 0) return [];
  await tx.query(sql`
    insert into blocks_rule (graph_id, id, structure_id, name, category, pattern, check_kind, expression, variables,
      message, severity, origin, target_kind, target_id, metadata, created_by, created_at)
    select ${tx.graphId}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id text,
      structure_id text, name text, category text, pattern text, check_kind text, expression text, variables jsonb,
      message text, severity text, origin text, target_kind text, target_id text, metadata jsonb, created_by text,
      created_at timestamptz)`);
  return rows.map(({ id }) => id);
}

/** Deletes the rules of the structures, restricted to one pattern if given. */
export async function removeRules(
  tx: Transaction,
  structureIds: readonly string[],
  pattern: string | undefined,
): Promise<number> {
  const ofPattern = pattern === undefined ? sql`` : sql`and pattern = ${pattern}`;
  return countDeleted(
    tx,
    sql`delete from blocks_rule
      where graph_id = ${tx.graphId} and structure_id = any(${[...structureIds]}::text[]) ${ofPattern}`,
  );
}

/** The rules of the structures. */
export async function readRulesOfStructures(
  tx: Transaction,
  structureIds: readonly string[],
): Promise<readonly Rule[]> {
  const rows = await tx.query(sql<RuleRow>`select ${ruleColumns} from blocks_rule
    where graph_id = ${tx.graphId} and structure_id = any(${[...structureIds]}::text[])
    order by category, id limit ${maxRulesRead}`);
  return rows.map(ruleOf);
}

/** The rules about any of the targets, and those about the whole graph. */
export async function readRulesOfTargets(tx: Transaction, targetIds: readonly string[]): Promise<readonly Rule[]> {
  const rows = await tx.query(sql<RuleRow>`select ${ruleColumns} from blocks_rule
    where graph_id = ${tx.graphId} and (target_id = any(${[...targetIds]}::text[]) or target_id is null)
    order by category, id limit ${maxRulesRead}`);
  return rows.map(ruleOf);
}

const ruleColumns = columnsOf<BlocksRule>()(
  'id',
  'structure_id',
  'name',
  'category',
  'pattern',
  'check_kind',
  'expression',
  'variables',
  'message',
  'severity',
  'origin',
  'target_kind',
  'target_id',
  'metadata',
);

type RuleRow = RowOf<typeof ruleColumns> & Pick<Rule, 'variables'> & { readonly metadata: RuleMetadata };

function ruleOf(row: RuleRow): Rule {
  const { structure_id, check_kind, target_kind, target_id, ...same } = row;
  return {
    ...same,
    structureId: structure_id,
    checkKind: check_kind,
    target: target_kind === null || target_id === null ? null : { kind: target_kind, id: target_id },
  };
}
