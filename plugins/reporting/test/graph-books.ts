import blocks from '@pacioli/blocks';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, teamSettings } from '@pacioli/testing';
import reporting from '../src/index.ts';
import type { ExampleBooks, Loose, ReportingService } from './example-books.ts';

/** A service that also has analytical graphs, on May 4, 2026. */
export async function startWithGraphs(): Promise<ReportingService> {
  const clock = fixedClock('2026-05-04T12:00:00Z');
  const service = await startTestService({
    plugins: [graph, reporting, taxonomy, blocks, ledger],
    clock,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
  });
  return { service, clock, user: await service.newUser('Ada') };
}

/** Builds the analytical graph from the books. */
export async function materialize({ user }: ReportingService, { graph: graphId }: ExampleBooks): Promise<void> {
  const accepted = await user.post(`/v1/graphs/${graphId}/operations/materialize`, { source: 'extensions' });
  const run = (await user.follow(accepted.body.operationId)).body;
  if (run.status !== 'completed') throw new Error(`The graph was not built: ${JSON.stringify(run)}`);
}

/** The rows of a Cypher statement. */
export async function cypher(
  { user }: ReportingService,
  { graph: graphId }: ExampleBooks,
  query: string,
  parameters: object = {},
): Promise<readonly Loose[]> {
  const answer = await user.post(`/v1/graphs/${graphId}/query/cypher`, { query, parameters });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}
