import { type Contribution, contribute, credits as creditsToken, definePlugin } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import type { LanguageModel, ModelAnswer, ModelRequest } from '@pacioli/core/ports';
import taxonomy from '@pacioli/taxonomy';
import {
  type FixedClock,
  fixedClock,
  joinTeam,
  startTestService,
  type TestClient,
  type TestService,
  teamSettings,
} from '@pacioli/testing';
import plugin, { type Operator, offlineLanguageModel, operators } from '../src/index.ts';
import { resetSampleTools, sampleTools } from './sample-tools.ts';

/** The offline provider, whose answers a test can replace. It records the requests, except those of scripted runs. */
export class ModelDouble implements LanguageModel {
  readonly id = 'offline';
  readonly requests: ModelRequest[] = [];
  readonly #offline = offlineLanguageModel();
  /** Replaces the answers while it is set. */
  answerWith: ((request: ModelRequest) => Promise<ModelAnswer>) | undefined;

  models() {
    return this.#offline.models();
  }

  createMessage(request: ModelRequest): Promise<ModelAnswer> {
    this.requests.push(request);
    return this.answerWith === undefined ? this.#offline.createMessage(request) : this.answerWith(request);
  }
}

/** An answer with a text, which used these tokens. */
export const textAnswer = (text: string, usage: Partial<ModelAnswer['usage']> = {}): ModelAnswer => ({
  content: [{ type: 'text', text }],
  stopReason: 'end_turn',
  usage: { input: 1_000, output: 200, cacheRead: 0, cacheWrite: 0, ...usage },
  model: 'offline',
});

/** An answer that asks for a tool. */
export const toolAnswer = (name: string, input: unknown = {}): ModelAnswer => ({
  content: [{ type: 'tool_use', id: `call_${name}`, name, input }],
  stopReason: 'tool_use',
  usage: { input: 1_000, output: 200, cacheRead: 0, cacheWrite: 0 },
  model: 'offline',
});

/** A plugin that contributes operators, as third parties do. */
export const pluginWith = (entries: Readonly<Record<string, Partial<Omit<Operator, 'key'>>>>) =>
  definePlugin({
    name: 'more-operators',
    title: 'More operators',
    version: '0.1.0',
    kernel: '^0.1.0',
    dependsOn: ['operators'],
    contributions: Object.entries(entries).map(
      ([type, more]): Contribution => contribute(operators, type, { create: () => ({ ...plainOperator, ...more }) }),
    ),
  });

const plainOperator: Omit<Operator, 'key'> = {
  name: 'Plain Operator',
  description: 'Answers with a text.',
  version: '1.0.0',
  capabilities: ['custom'],
  modes: ['quick', 'standard'],
  needsModel: false,
  fits: () => true,
  run: async ({ query }) => ({ content: `You said: ${query}`, confidence: 0.7, metadata: {} }),
};

/** A service with operators, a user and one graph. */
export class OperatorsFixture {
  readonly service: TestService;
  readonly clock: FixedClock;
  readonly model: ModelDouble;
  readonly user: TestClient;
  readonly graphId: string;
  /** The warnings in the log, in order. */
  readonly warnings: string[];

  constructor(parts: Pick<OperatorsFixture, 'service' | 'clock' | 'model' | 'user' | 'graphId' | 'warnings'>) {
    this.service = parts.service;
    this.clock = parts.clock;
    this.model = parts.model;
    this.user = parts.user;
    this.graphId = parts.graphId;
    this.warnings = parts.warnings;
  }

  get path(): string {
    return `/v1/graphs/${this.graphId}/operator`;
  }

  /** Asks and waits until the run has ended; throws if the request is refused. */
  async ask(body: object, { type, user = this.user }: { type?: string; user?: TestClient } = {}) {
    const accepted = await user.post(type === undefined ? this.path : `${this.path}/${type}`, body);
    if (accepted.status !== 202) throw new Error(`Refused: ${accepted.status} ${JSON.stringify(accepted.body)}`);
    return (await user.follow(accepted.body.operation_id)).body;
  }

  /** Asks with a script for the offline provider, whose answers then do not pass through the model double. */
  async script(steps: readonly object[], more: object = {}, type = 'analyst') {
    const { context, ...others } = { context: {}, ...more };
    return this.ask({ message: 'Go on.', ...others, context: { offline_script: steps, ...context } }, { type });
  }

  /** A new colleague with a role on the graph. */
  async colleague(role: 'viewer' | 'member') {
    const { client, userId } = await joinTeam(this.service, this.user);
    await this.user.post(`/v1/graphs/${this.graphId}/members`, { user_id: userId, role });
    return { client, userId };
  }

  async balance(graphId = this.graphId): Promise<number> {
    return (await this.user.get(`/v1/graphs/${graphId}/credits`)).body.current_balance;
  }

  /** Grants or takes credits until the graph has this balance. */
  async setBalance(balance: number, graphId = this.graphId): Promise<void> {
    const pools = this.service.service.services.resolve(creditsToken);
    const change = balance - (await this.balance(graphId));
    const grant = { credits: change, description: 'Set by a test', idempotencyKey: `test_${graphId}_${Math.random()}` };
    await this.service.store.transaction('kernel', (tx) => pools.grant(tx, { graphId }, grant));
  }

  async transactions(graphId = this.graphId) {
    return (await this.user.get(`/v1/graphs/${graphId}/credits/transactions`)).body.transactions;
  }

  /** Forgets the calls, texts, requests and warnings of earlier tests. */
  reset(): void {
    resetSampleTools();
    this.model.requests.length = 0;
    this.model.answerWith = undefined;
    this.warnings.length = 0;
  }

  close(): Promise<void> {
    return this.service.close();
  }
}

export async function startOperators(
  options: {
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly more?: ReturnType<typeof pluginWith>;
    readonly languageModel?: LanguageModel | null;
  } = {},
): Promise<OperatorsFixture> {
  const model = new ModelDouble();
  const clock = fixedClock('2026-03-02T09:00:00Z');
  const warnings: string[] = [];
  const language = options.languageModel === undefined ? model : options.languageModel;
  const service = await startTestService({
    plugins: [
      taxonomy,
      sampleTools,
      plugin.with(options.settings ?? {}),
      ...(options.more === undefined ? [] : [options.more]),
    ],
    settings: teamSettings,
    clock,
    // Some tests provoke errors.
    log: { ...silentLog, warn: (message) => warnings.push(message) },
    ...(language === null ? {} : { languageModel: language }),
  });
  const user = await service.newUser('Ada');
  const graphId = await user.createGraph('Books', ['samples']);
  return new OperatorsFixture({ service, clock, model, user, graphId, warnings });
}
