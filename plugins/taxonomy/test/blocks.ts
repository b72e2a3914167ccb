import { definePlugin } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { expect } from 'vitest';
import taxonomy from '../src/index.ts';

const ledgerDomain = definePlugin({
  name: 'ledger-domain',
  title: 'Owner of the domain',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'ledger',
});

/** A service with the taxonomy plugin, one user, and the id of the shipped standard that extensions need. */
export interface BlockService {
  readonly service: TestService;
  readonly user: TestClient;
  readonly gaapId: string;
}

export type Loose = Awaited<ReturnType<TestClient['post']>>['body'];

/** Starts a real service in which a plugin owns the domain and does nothing else. */
export async function startBlocks(): Promise<BlockService> {
  const service = await startTestService({
    plugins: [ledgerDomain, taxonomy],
    settings: { orgs: { maxGraphs: -1 } },
  });
  const user = await service.newUser('Ada');
  const { body } = await user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  return { service, user, gaapId: body.data.libraryTaxonomy.id };
}

/** One graph with its operations and reads. */
export class Workbench {
  readonly user: TestClient;
  readonly graph: string;

  constructor(user: TestClient, graph: string) {
    this.user = user;
    this.graph = graph;
  }

  /** Creates a graph for one test. */
  static async open(user: TestClient): Promise<Workbench> {
    return new Workbench(user, await user.createGraph('Books', ['ledger']));
  }

  readonly operation = (name: string, body: unknown) =>
    this.user.post(`/extensions/ledger/${this.graph}/operations/${name}`, body);

  /** The result of an operation that must succeed. */
  readonly done = async (name: string, body: unknown): Promise<Loose> => {
    const answer = await this.operation(name, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.result;
  };

  readonly read = async (query: string, variables: Record<string, unknown> = {}): Promise<Loose> => {
    const { body } = await this.user.graphql(this.graph, query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };

  /** All taxonomies of the graph itself as blocks show them, for tests that nothing changed. */
  readonly everything = async (): Promise<Loose> => {
    const atoms = `{ id name
      elements { id qname name trait balanceType periodType parentQname depth }
      structures { id name blockType roleUri }
      associations { id fromElementQname toElementQname associationType weight }
      rules { id name ruleExpression } }`;
    return this.read(`{ taxonomies { taxonomies { id name } }
      charts: taxonomyBlocks(taxonomyType: "chart_of_accounts") ${atoms}
      extensions: taxonomyBlocks(taxonomyType: "reporting_extension") ${atoms}
      vocabularies: taxonomyBlocks(taxonomyType: "custom_ontology") ${atoms}
      schedules: taxonomyBlocks(taxonomyType: "schedule") ${atoms} }`);
  };

  /** Expects 422 with exactly these issue codes, and that nothing was written. */
  readonly refuses = async (name: string, body: unknown, codes: readonly string[]): Promise<Loose> => {
    const before = await this.everything();
    const answer = await this.operation(name, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(answer.body.errors.map(({ code }: { code: string }) => code)).toEqual(codes);
    for (const { phase, code } of answer.body.errors) expect(answer.body.detail).toContain(`[${phase}/${code}]`);
    expect(answer.body.detail).toMatch(new RegExp(`^${codes.length} taxonomy block validation issue\\(s\\): `));
    expect(await this.everything()).toEqual(before);
    return answer.body;
  };
}
