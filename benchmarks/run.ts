import { authentication } from './authentication.ts';
import { closing } from './close.ts';
import { coldStart } from './cold-start.ts';
import { cypherRows } from './cypher.ts';
import { envelope } from './envelope.ts';
import { csvFiles } from './files.ts';
import { growth } from './growth.ts';
import { holdings } from './holdings.ts';
import { materializing } from './materialize.ts';
import { mcp } from './mcp.ts';
import { type Benchmark, print } from './measure.ts';
import { memoryAtRest } from './memory.ts';
import { memoryRecall } from './memory-recall.ts';
import { neighbor } from './neighbor.ts';
import { peer } from './peer.ts';
import { posting } from './posting.ts';
import { smallQueries } from './queries.ts';
import { reports } from './reports.ts';
import { searching } from './search.ts';
import { searchQuality } from './search-quality.ts';
import { sharing } from './sharing.ts';
import { storage } from './storage.ts';
import { eventStreams } from './streams.ts';
import { trialBalance } from './trial-balance.ts';

// As the program of `standalone` does: in development, the GraphQL library checks each value of an answer again.
process.env['NODE_ENV'] ??= 'production';

const benchmarks: Readonly<Record<string, Benchmark>> = {
  authentication,
  envelope,
  posting,
  peer: () => peer(),
  'trial-balance': trialBalance,
  holdings,
  neighbor,
  storage,
  close: closing,
  growth,
  reports,
  sharing,
  cypher: cypherRows,
  queries: smallQueries,
  mcp,
  materialize: materializing,
  files: csvFiles,
  search: searching,
  'search-quality': searchQuality,
  'cold-start': coldStart,
  memory: memoryAtRest,
  recall: memoryRecall,
  streams: eventStreams,
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
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  for (const figure of await benchmark(wanted.get(name))) print(figure);
}
process.exit(0);
