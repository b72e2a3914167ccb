import { type Benchmark, print } from './measure.ts';

// As the program of `standalone` does: in development, the GraphQL library checks each value of an answer again.
process.env['NODE_ENV'] ??= 'production';

/** Each is loaded when it runs, so that a benchmark that runs alone is measured without the modules of the others. */
const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  authentication: async () => (await import('./authentication.ts')).authentication,
  envelope: async () => (await import('./envelope.ts')).envelope,
  posting: async () => (await import('./posting.ts')).posting,
  peer: async () => (await import('./peer.ts')).peer,
  'trial-balance': async () => (await import('./trial-balance.ts')).trialBalance,
  holdings: async () => (await import('./holdings.ts')).holdings,
  neighbor: async () => (await import('./neighbor.ts')).neighbor,
  storage: async () => (await import('./storage.ts')).storage,
  close: async () => (await import('./close.ts')).closing,
  growth: async () => (await import('./growth.ts')).growth,
  reports: async () => (await import('./reports.ts')).reports,
  sharing: async () => (await import('./sharing.ts')).sharing,
  cypher: async () => (await import('./cypher.ts')).cypherRows,
  queries: async () => (await import('./queries.ts')).smallQueries,
  mcp: async () => (await import('./mcp.ts')).mcp,
  materialize: async () => (await import('./materialize.ts')).materializing,
  files: async () => (await import('./files.ts')).csvFiles,
  search: async () => (await import('./search.ts')).searching,
  'search-quality': async () => (await import('./search-quality.ts')).searchQuality,
  'cold-start': async () => (await import('./cold-start.ts')).coldStart,
  memory: async () => (await import('./memory.ts')).memoryAtRest,
  recall: async () => (await import('./memory-recall.ts')).memoryRecall,
  streams: async () => (await import('./streams.ts')).eventStreams,
};

/** The arguments of the benchmarks that were asked for, by name; empty when all were. */
const wanted = new Map(
  process.argv.slice(2).map((given) => {
    const [name = '', argument] = given.split('=');
    return [name, argument];
  }),
);
const unknown = [...wanted.keys()].filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`There is no benchmark named ${unknown.join(', ')}. Available: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(1);
}
for (const [name, load] of Object.entries(benchmarks)) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  const benchmark = await load();
  for (const figure of await benchmark(wanted.get(name))) print(figure);
}
process.exit(0);
