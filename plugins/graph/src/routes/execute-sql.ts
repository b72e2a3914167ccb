import {
  defineRoute,
  graphOf,
  graphSchemas,
  invalidInput,
  kernel,
  model,
  nullable,
  openObject,
  ServiceError,
  tierNumbers,
} from '@pacioli/core';
import { isStagingError, type SqlOptions, type SqlParameters } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { maxJsonRows, querySlots, toJson } from '../cypher/index.ts';
import { runSql } from '../files/index.ts';

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
  services: {
    store: kernel.store,
    graphs: kernel.graphs,
    schemas: graphSchemas,
    staging: kernel.stagingStore,
    slots: querySlots,
  },
  errors: {
    SQL_NOT_ALLOWED: {
      kind: 'refused',
      meaning: 'The statement is not one SELECT, or reads something else than tables.',
    },
    INVALID_QUERY: { kind: 'refused', meaning: 'The statement cannot be parsed, bound or executed as written.' },
    QUERY_TIMEOUT: { kind: 'timeout', meaning: 'The statement ran longer than its limit and was stopped.' },
    SQL_TOO_LARGE: { kind: 'refused', meaning: 'The statement needs more memory than is allowed.' },
    CONCURRENCY_LIMIT: { kind: 'rate_limited', meaning: 'The user has too many statements that run or wait.' },
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
    // With the statements of Cypher: one user cannot take all places in the line.
    const release = use.slots.take(ctx.caller.userId);
    try {
      const answer = await runSql(use, graph, { text, parameters, options });
      return {
        columns: [...answer.columns],
        rows: answer.rows.map((row) => row.map(toJson)),
        row_count: answer.rows.length,
        execution_time_ms: Math.round(performance.now() - started),
        ...(answer.truncated
          ? { truncated: true, warning: `Only the first ${answer.rows.length} rows are given: add a LIMIT.` }
          : {}),
      };
    } catch (error) {
      throw sqlFailure(error, timeoutMs);
    } finally {
      release();
    }
  },
});

function sqlFailure(error: unknown, timeoutMs: number): unknown {
  if (!isStagingError(error)) return error;
  switch (error.code) {
    case 'refused':
      return new ServiceError('refused', 'SQL_NOT_ALLOWED', error.message, { cause: error });
    case 'timeout':
    case 'cancelled': {
      const details = { timeout_seconds: timeoutMs / 1_000, suggestion: 'Add a LIMIT or a WHERE.' };
      return new ServiceError('timeout', 'QUERY_TIMEOUT', 'The query was stopped at its time limit.', {
        cause: error,
        details,
      });
    }
    case 'memory':
      return new ServiceError('refused', 'SQL_TOO_LARGE', error.message, { cause: error });
    case 'unavailable':
      return new ServiceError('unavailable', 'STAGING_UNAVAILABLE', error.message, {
        cause: error,
        headers: { 'Retry-After': '30' },
      });
    default:
      return new ServiceError('refused', 'INVALID_QUERY', `Query failed: ${error.message}`, { cause: error });
  }
}
