import { sql } from 'kysely';
import type { Issue } from '../errors/kinds.ts';
import { notFound } from '../errors/service-error.ts';
import type { KernelGraph } from '../rows.gen.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Transaction } from '../store/store.ts';
import { normalizedTags, problemOfName, problemsOfTags } from './graph-label.ts';

/** The fields to change; null and undefined leave a field as it is, an empty description or list clears it. */
export interface MetadataChange {
  readonly graph_name?: string | null;
  readonly description?: string | null;
  readonly tags?: readonly string[] | null;
}

const columns = columnsOf<KernelGraph>()('name', 'description', 'tags');
type MetadataRow = RowOf<typeof columns>;

/** The issues of a change (graphs G-52). */
export function issuesOfMetadata({ graph_name: name, tags }: MetadataChange): readonly Issue[] {
  const wrongName = name == null ? undefined : problemOfName(name.trim());
  return [
    ...(wrongName === undefined ? [] : [{ loc: ['body', 'graph_name'], ...wrongName }]),
    ...problemsOfTags(normalizedTags(tags ?? [])).map((problem) => ({ loc: ['body', 'tags'], ...problem })),
  ];
}

/** Changes the name, description and tags of a graph; fields that already have the value are not in `updated_fields`. */
export async function updateMetadata(
  tx: Transaction,
  graphId: string,
  { change, now }: { readonly change: MetadataChange; readonly now: Date },
): Promise<{ graph_id: string; graph_name: string; description: string; tags: string[]; updated_fields: string[] }> {
  const [row] = await tx.query(sql<MetadataRow>`
    SELECT ${columns} FROM kernel_graph WHERE graph_id = ${graphId} FOR NO KEY UPDATE`);
  if (row === undefined) throw notFound('Graph not found.');
  const before = { graph_name: row.name, description: row.description, tags: [...row.tags] };
  const after = {
    graph_name: change.graph_name?.trim() ?? before.graph_name,
    description: change.description?.trim() ?? before.description,
    tags: change.tags == null ? before.tags : [...normalizedTags(change.tags)],
  };
  const updated = (['graph_name', 'description', 'tags'] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (updated.length > 0)
    await tx.query(sql`
      UPDATE kernel_graph SET name = ${after.graph_name}, description = ${after.description}, tags = ${after.tags}::text[],
        updated_at = ${now} WHERE graph_id = ${graphId}`);
  return { graph_id: graphId, ...after, updated_fields: updated };
}
