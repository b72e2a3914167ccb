import {
  contribute,
  type DocumentText,
  definePlugin,
  documentTexts,
  type Plugin,
  sql,
  type Transaction,
} from '@pacioli/core';

/** A plugin that stores documents in its own table. */
export const documentsPlugin: Plugin = definePlugin({
  name: 'documents',
  title: 'Documents',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['blocks'],
  migrations: new URL('./documents-migrations/', import.meta.url),
  contributions: [
    contribute(documentTexts, 'documents', {
      create: () => ({
        find: async (tx, ids) => {
          const rows = await tx.query(sql<DocumentText>`
            select id, body from documents_document where graph_id = ${tx.graphId} and id = any(${[...ids]}::text[])`);
          return new Map(rows.map((row) => [row.id, row]));
        },
      }),
    }),
  ],
});

/** Inserts or replaces a document. */
export async function writeDocument(tx: Transaction, id: string, body: string): Promise<void> {
  await tx.query(sql`insert into documents_document (graph_id, id, body) values (${tx.graphId}, ${id}, ${body})
    on conflict (graph_id, id) do update set body = excluded.body`);
}

export async function removeDocument(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`delete from documents_document where graph_id = ${tx.graphId} and id = ${id}`);
}
