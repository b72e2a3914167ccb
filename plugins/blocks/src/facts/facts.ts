import { columnsOf, type Ids, type RowOf, ServiceError, StoreError, sql, type Transaction } from '@pacioli/core';
import type { FactFilter, NewFact, StoredFact, TextFact } from '../models/facts.ts';
import type { BlocksDimension, BlocksFact } from '../rows.gen.ts';
import { countDeleted } from './count-deleted.ts';
import { factConditions } from './fact-conditions.ts';
import { refuseFinal } from './final-sets.ts';

const maxFactsPerStatement = 5_000;
const maxFactsRead = 50_000;
const factsRead = { maxRows: maxFactsRead, remedy: 'Narrow the period or the structures.' } as const;

/** Allows a page of 200 blocks of the largest kind, a schedule of 600 months. */
const maxFactsPerPage = 400_000;

/** Adds facts to sets, 5,000 per statement, and returns their ids in order. */
export async function insertFacts(
  tx: Transaction,
  sets: readonly { readonly setId: string; readonly facts: readonly NewFact[] }[],
  options: { readonly ids: Ids; readonly now: Date },
): Promise<readonly string[]> {
  const facts = sets.flatMap((set) => set.facts.map((fact) => ({ setId: set.setId, fact })));
  const ids: string[] = [];
  for (let at = 0; at < facts.length; at += maxFactsPerStatement) {
    const rows = facts
      .slice(at, at + maxFactsPerStatement)
      .map(({ setId, fact }) => ({ ...rowOf(fact, options.ids.make('fact')), fact_set_id: setId }));
    await insertRows(tx, rows, options.now);
    const links = rows.flatMap(({ id, members }) => members.map((member) => ({ ...member, fact_id: id })));
    if (links.length > 0) await insertMembers(tx, links, options.ids);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** The matching facts, by period end, element and id. */
export async function readFacts(tx: Transaction, filter: FactFilter): Promise<readonly StoredFact[]> {
  const rows = await tx.query(sql<FactRow>`select ${factColumns} from blocks_fact_set s, blocks_fact f
    where ${factConditions(tx, filter)} order by f.period_end, f.element_id, f.id limit ${maxFactsRead + 1}`);
  refuseTooMany(rows.length);
  return rows.map(factOf);
}

/** The number of facts of these sets. */
export async function countFacts(tx: Transaction, factSetIds: readonly string[]): Promise<number> {
  const [row] = await tx.query(sql<{ readonly total: number }>`select count(*)::int as total from blocks_fact
    where graph_id = ${tx.graphId} and fact_set_id = any(${[...factSetIds]}::text[])`);
  return row?.total ?? 0;
}

/** The text facts of these sets that begin within the characters, by set and element, and the number of all. */
export async function readTextFacts(
  tx: Transaction,
  factSetIds: readonly string[],
  limit: { readonly facts: number; readonly characters: number },
): Promise<{ readonly facts: readonly TextFact[]; readonly total: number }> {
  const rows = await tx.query(sql<TextFact & { readonly total: number }>`
    select t.id, t.fact_set_id as "factSetId", t.element_id as "elementId", t.text_value as "textValue", t.total
    from (select f.*, count(*) over ()::int as total, row_number() over place as ordinal,
        sum(length(f.text_value)) over place - length(f.text_value) as begins_at
      from blocks_fact f where f.graph_id = ${tx.graphId} and f.fact_set_id = any(${[...factSetIds]}::text[])
        and f.fact_type = 'Nonnumeric' and f.text_value is not null
      window place as (order by f.fact_set_id, f.element_id, f.period_end, f.id)) t
    where t.begins_at < ${limit.characters} and t.ordinal <= ${limit.facts} order by t.ordinal`);
  return { facts: rows.map(({ total: _total, ...fact }) => fact), total: rows[0]?.total ?? 0 };
}

/** The facts of many sets, up to the limit for one page of blocks. Splits long reads without ever splitting a set. */
export async function readFactsOfSets(tx: Transaction, factSetIds: readonly string[]): Promise<readonly StoredFact[]> {
  const sizes = await tx.query(sql<{ readonly id: BlocksFact['fact_set_id']; readonly size: number }>`
    select fact_set_id as id, count(*)::int as size from blocks_fact
    where graph_id = ${tx.graphId} and fact_set_id = any(${[...factSetIds]}::text[]) group by 1 order by 1`);
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  if (total > maxFactsPerPage) {
    const message = `The blocks of this page have ${total} facts, and ${maxFactsPerPage} are shown at once. Request fewer blocks with limit.`;
    throw new ServiceError('too_large', 'TOO_MANY_FACTS', message);
  }
  const facts: StoredFact[][] = [];
  for (const group of groupsWithin(sizes, maxFactsRead))
    facts.push([...(await readFacts(tx, { scenario: 'all', factSetIds: group }))]);
  return facts.flat();
}

/** Groups ids so that each group's total size is within the limit; a larger set forms a group alone. */
function groupsWithin(
  sizes: readonly { readonly id: string; readonly size: number }[],
  limit: number,
): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let remaining = 0;
  for (const { id, size } of sizes) {
    const last = groups.at(-1);
    if (last === undefined || size > remaining) {
      groups.push([id]);
      remaining = limit - size;
    } else {
      last.push(id);
      remaining -= size;
    }
  }
  return groups;
}

/** Deletes the matching facts. */
export async function deleteFacts(tx: Transaction, filter: FactFilter): Promise<number> {
  return countDeleted(
    tx,
    sql`delete from blocks_fact f using blocks_fact_set s where ${factConditions(tx, filter)}`,
  ).catch(refuseFinal);
}

const storedColumns = columnsOf<BlocksFact>('f')(
  'id',
  'fact_set_id',
  'element_id',
  'entity_id',
  'period_start',
  'period_end',
  'period_type',
  'fact_type',
  'unit',
  'decimals',
  'text_value',
  'content_type',
  'fact_scope',
  'provenance',
);
export const factColumns = sql`${storedColumns}, trim_scale(f.value)::text as value`;

export type FactRow = RowOf<typeof storedColumns> & {
  readonly value: BlocksFact['value'];
  readonly provenance: Readonly<Record<string, unknown>> | null;
};

export function factOf(row: FactRow): StoredFact {
  return {
    id: row.id,
    factSetId: row.fact_set_id,
    elementId: row.element_id,
    entityId: row.entity_id,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    periodType: row.period_type,
    factType: row.fact_type,
    value: row.value,
    unit: row.unit,
    decimals: row.decimals,
    textValue: row.text_value,
    contentType: row.content_type,
    factScope: row.fact_scope,
    provenance: row.provenance,
  };
}

/** Refuses reads that would be incomplete, because missing facts would fail rules and distort sums. */
export function refuseTooMany(
  count: number,
  limit: { readonly maxRows: number; readonly remedy: string } = factsRead,
): void {
  const { maxRows, remedy } = limit;
  if (count <= maxRows) return;
  throw new ServiceError('too_large', 'TOO_MANY_FACTS', `More than ${maxRows} facts would be read at once. ${remedy}`);
}

function rowOf(fact: NewFact, id: string) {
  const members = (fact.members ?? []).map((member) => ({
    dimension_type: member.dimensionType,
    axis_element_id: member.axisElementId,
    value: member.value,
    display_name: member.displayName,
  }));
  return {
    id,
    members,
    element_id: fact.elementId,
    entity_id: fact.entityId ?? null,
    period_start: fact.periodStart,
    period_end: fact.periodEnd,
    period_type: fact.periodType,
    fact_type: fact.text === undefined ? 'Numeric' : 'Nonnumeric',
    value: fact.value,
    unit: fact.unit,
    decimals: fact.decimals ?? null,
    text_value: fact.text?.value ?? null,
    content_type: fact.text?.contentType ?? null,
    fact_scope: fact.factScope ?? 'in_scope',
    dimension_key: keyOf(members),
    provenance: fact.provenance ?? null,
  };
}

/** Reporting F-1: different axis members make a different fact, a scenario marker does not (F-15). */
function keyOf(members: readonly Pick<BlocksDimension, 'dimension_type' | 'axis_element_id' | 'value'>[]): string {
  return members
    .filter(({ dimension_type }) => dimension_type !== 'scenario')
    .map(({ axis_element_id, value }) => `${axis_element_id ?? ''}=${value}`)
    .sort()
    .join('|');
}

async function insertRows(tx: Transaction, rows: readonly object[], now: Date): Promise<void> {
  try {
    await tx.query(sql`
      insert into blocks_fact (graph_id, fact_set_id, created_at, entity_id, id, element_id, period_start, period_end,
        period_type, fact_type, value, unit, decimals, text_value, content_type, fact_scope, dimension_key, provenance)
      select s.graph_id, s.id, ${now.toISOString()}::timestamptz, coalesce(r.entity_id, s.entity_id), r.id,
        r.element_id, r.period_start, r.period_end, r.period_type, r.fact_type, r.value, r.unit, r.decimals,
        r.text_value, r.content_type, r.fact_scope, r.dimension_key, r.provenance
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id text, fact_set_id text, element_id text,
        entity_id text, period_start date, period_end date, period_type text, fact_type text, value numeric(24, 6),
        unit text, decimals text, text_value text, content_type text, fact_scope text, dimension_key text,
        provenance jsonb)
      join blocks_fact_set s on s.graph_id = ${tx.graphId} and s.id = r.fact_set_id`);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique') return refuseFinal(error);
    const message = 'The set already has a fact for this element, period and unit. Replace it instead.';
    throw new ServiceError('conflict', 'FACT_EXISTS', message, { cause: error });
  }
}

async function insertMembers(tx: Transaction, links: readonly object[], ids: Ids): Promise<void> {
  const rows = JSON.stringify(links.map((link) => ({ ...link, id: ids.make('dim') })));
  const columns = sql`(id text, fact_id text, dimension_type text, axis_element_id text, value text, display_name text)`;
  // Two statements, because the second must see the dimensions of the first, including those of concurrent requests.
  await tx.query(sql`
    insert into blocks_dimension (graph_id, id, dimension_type, axis_element_id, value, display_name)
    select distinct on (r.dimension_type, r.axis_element_id, r.value) ${tx.graphId}, r.id, r.dimension_type, r.axis_element_id, r.value,
      r.display_name
    from jsonb_to_recordset(${rows}::text::jsonb) as r${columns} order by r.dimension_type, r.axis_element_id, r.value, r.id
    on conflict (graph_id, dimension_type, axis_element_id, value) do nothing`);
  await tx.query(sql`
    insert into blocks_fact_dimension (graph_id, fact_id, dimension_id)
    select distinct d.graph_id, r.fact_id, d.id from jsonb_to_recordset(${rows}::text::jsonb) as r${columns}
    join blocks_dimension d on d.graph_id = ${tx.graphId} and d.dimension_type = r.dimension_type and d.value = r.value
      and d.axis_element_id is not distinct from r.axis_element_id`);
}
