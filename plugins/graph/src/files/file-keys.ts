/** The keys of all uploaded files begin with it. */
export const uploadedFilesPrefix = 'user-staging/';

interface KeyParts {
  readonly userId: string;
  readonly graphId: string;
  readonly table: string;
  readonly fileId: string;
  readonly format: string;
}

/** The key of an uploaded file in the file store (graphs F-2). */
export function keyOf({ userId, graphId, table, fileId, format }: KeyParts): string {
  return `${uploadedFilesPrefix}${userId}/${graphId}/${table}/${fileId}/content.${format}`;
}

/** The graph and the file of a key; undefined if it is not one of an uploaded file. */
export function fileOfKey(key: string): { readonly graph_id: string; readonly file_id: string } | undefined {
  const [, , graphId, , fileId, name, ...more] = key.split('/');
  if (graphId === undefined || fileId === undefined || name === undefined || more.length > 0) return undefined;
  return { graph_id: graphId, file_id: fileId };
}
