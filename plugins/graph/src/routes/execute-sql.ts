import {
  type AnalyticalSchema,
  defineRoute,
  type Graph,
  graphSchemas,
  invalidInput,
  kernel,
  model,
  nullable,
  openObject,
  ServiceError,
  type Store,
  type Transaction,
  tierNumbers,
} from '@pacioli/core';
import {
  isStagingError,
  type SqlAnswer,
  type SqlOptions,
  type SqlParameters,
  type StagingStore,
} from '@pacioli/core/ports';
import { Type } from 'typebox';
import { maxJsonRows, toJson } from '../cypher/index.ts';
import { stagedTables } from '../files/index.ts';
import { graphOf } from '../graph-of.ts';

const maxStatementMs = 30_000;
const maxStatementCharacters = 50_000;

export default defineRoute({
  name: 'execute-sql',
  path: 'POST /v1/graphs/{graph_id}/query/sql',
  summary: 'Runs one SELECT on the staged tables of a generic graph, or on the records of an entity graph as tables.',
  openapi: { id: 'execute_sql', tag: 'query' },
  category: 'graph_query',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  exactIntegers: true,
  body: model(
    'SqlStatementRequest',
    {
      sql: Type.String(),
      parameters: Type.Optional(nullable(Type.Union([Type.Array(Type.Unknown()), openObject()]))),
    },
    {
      closed: true,
      fields: {
        sql: 'One SELECT in the dialect of DuckDB; relationships are tables with the columns src and dst.',
        parameters: 'A list for ? and $1, or an object for $name.',
      },
    },
  ),
  answers: {
    200: model('SqlStatementResponse', {
      columns: Type.Array(Type.String()),
      rows: Type.Array(Type.Array(Type.Unknown())),
      row_count: Type.Integer(),
      execution_time_ms: Type.Number(),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [408],
  services: { store: kernel.store, schemas: graphSchemas, staging: kernel.stagingStore },
  errors: {
    QUERY_NOT_ALLOWED: {
      kind: 'refused',
      meaning: 'The statement is not one SELECT, or reads something else than tables.',
    },
    INVALID_QUERY: { kind: 'refused', meaning: 'The statement cannot be parsed, bound or executed as written.' },
    QUERY_TIMEOUT: { kind: 'timeout', meaning: 'The statement ran longer than its limit and was stopped.' },
    QUERY_TOO_LARGE: { kind: 'refused', meaning: 'The statement needs more memory than is allowed.' },
    STAGING_UNAVAILABLE: { kind: 'unavailable', meaning: 'The staging store cannot be reached now.' },
  },

  async handle({ body, ctx, use }) {
    const graph = graphOf(ctx);
    const text = body.sql;
    if (text.trim() === '') throw invalidInput('Query cannot be empty');
    if (text.length > maxStatementCharacters)
      throw invalidInput(`A query has at most ${maxStatementCharacters} characters.`);
    const started = performance.now();
    const timeoutMs = Math.min(maxStatementMs, tierNumbers(graph.tier).query.maxSeconds * 1_000);
    const options: SqlOptions = { timeoutMs, maxRows: maxJsonRows, signal: ctx.signal };
    const parameters: SqlParameters = body.parameters ?? [];
    try {
      const answer = await answerOf(use, graph, { text, parameters, options });
      return {
        columns: [...answer.columns],
        rows: answer.rows.map((row) => row.map(toJson)),
        row_count: answer.rows.length,
        execution_time_ms: Math.round(performance.now() - started),
        ...(answer.truncated ? { truncated: true, warning: `Only the first ${maxJsonRows} rows are given.` } : {}),
      };
    } catch (error) {
      throw sqlFailure(error, timeoutMs);
    }
  },
});

interface Sources {
  readonly store: Store;
  readonly schemas: { of(tx: Transaction, graph: Graph): Promise<AnalyticalSchema> };
  readonly staging: StagingStore;
}

interface Statement {
  readonly text: string;
  readonly parameters: SqlParameters;
  readonly options: SqlOptions;
}

/** Staged rows of a generic graph; of an entity graph, its records as they are now (graphs SQ-7 to SQ-9). */
function answerOf(
  { store, schemas, staging }: Sources,
  graph: Graph,
  { text, parameters, options }: Statement,
): Promise<SqlAnswer> {
  if (graph.parentId !== undefined) return staging.queryRows(graph.id, [], text, parameters, options);
  const inGraph = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    store.transaction({ graphId: graph.id }, work, { readOnly: true, maxStatementMs });
  if (graph.type === 'generic') {
    const tables = inGraph(async (tx) => stagedTables(await schemas.of(tx, graph)));
    return tables.then((list) => staging.query(graph.id, list, text, parameters, options));
  }
  // One snapshot for all tables; the rows of those that the statement names are read within it.
  return inGraph(async (tx) => {
    const schema = await schemas.of(tx, graph);
    const sources = [...schema.nodes, ...schema.relationships].flatMap((table) => {
      const { rows } = table;
      if (rows === undefined) return [];
      const isRelationship = table.kind === 'relationship';
      const columns = table.columns.map(({ name, type }, index) => ({
        name: isRelationship && index < 2 ? (['src', 'dst'][index] ?? name) : name,
        type,
      }));
      return [{ name: table.name, columns, rows: () => renamed(rows({ graphId: graph.id, tx }), isRelationship) }];
    });
    return staging.queryRows(graph.id, sources, text, parameters, options);
  });
}

type Batches = ReturnType<NonNullable<AnalyticalSchema['nodes'][number]['rows']>>;

/** The ends of relationships have the names that they have in staging (graphs T-4). */
async function* renamed(batches: Batches, isRelationship: boolean): Batches {
  for await (const batch of batches)
    yield isRelationship ? batch.map(({ from, to, ...row }) => ({ src: from, dst: to, ...row })) : batch;
}

function sqlFailure(error: unknown, timeoutMs: number): unknown {
  if (!isStagingError(error)) return error;
  switch (error.code) {
    case 'refused':
      return new ServiceError('refused', 'QUERY_NOT_ALLOWED', error.message, { cause: error });
    case 'timeout':
    case 'cancelled': {
      const details = { timeout_seconds: timeoutMs / 1_000, suggestion: 'Add a LIMIT or a WHERE.' };
      return new ServiceError('timeout', 'QUERY_TIMEOUT', 'The query was stopped at its time limit.', {
        cause: error,
        details,
      });
    }
    case 'memory':
      return new ServiceError('refused', 'QUERY_TOO_LARGE', error.message, { cause: error });
    case 'unavailable':
      return new ServiceError('unavailable', 'STAGING_UNAVAILABLE', error.message, {
        cause: error,
        headers: { 'Retry-After': '30' },
      });
    default:
      return new ServiceError('refused', 'INVALID_QUERY', `Query failed: ${error.message}`, { cause: error });
  }
}
