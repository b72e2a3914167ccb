interface GraphFacts {
  readonly id: string;
  readonly type: string;
  readonly parentId?: string;
}

/** True if the graph has the records of any of the domains; a subgraph has their types, but no records (graphs 1). */
export function hasRecordsOfAny(
  graph: GraphFacts & { readonly extensions: readonly string[] },
  domains: readonly string[],
): boolean {
  return graph.parentId === undefined && domains.some((domain) => graph.extensions.includes(domain));
}

/** Tells the caller of a part in a domain that the graph does not have what to do instead (platform N-7). */
export function missingExtension({ id, type, parentId }: GraphFacts, domain: string): string {
  // The library has no domains (taxonomy LB-13).
  if (type === 'library') return `The library is read through GraphQL and has no ${domain}. Use a graph of your own.`;
  if (parentId !== undefined) return `A subgraph has no records of ${domain}. Use ${parentId}.`;
  return (
    `This graph does not have ${domain}. ` +
    `An admin adds it with POST /v1/graphs/${id}/operations/add-extension and {"extension":"${domain}"}.`
  );
}
