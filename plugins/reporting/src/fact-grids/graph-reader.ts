import { type GraphReads, notFound, type ReadContext, ServiceError } from '@pacioli/core';

/** Reads of one view from the analytical graph of its caller. */
export interface GraphReader {
  /** At most `maxRows` rows of a Cypher statement, and whether there are more (graphs Q-55). */
  read<R>(
    text: string,
    parameters: Readonly<Record<string, unknown>>,
    maxRows: number,
  ): Promise<{ readonly rows: readonly R[]; readonly isTruncated: boolean }>;
  /** The first write since the last build; null if the graph is fresh. */
  readonly staleSince: Date | null;
}

/** The errors of views that read the analytical graph, for their definitions. */
export const graphErrors = {
  GRAPH_NOT_MATERIALIZED: {
    kind: 'invalid_input',
    meaning: 'The analytical graph was never built. Run the operation materialize, then try again.',
  },
  NO_ANALYTICAL_GRAPHS: {
    kind: 'disabled',
    meaning: 'This deployment has no analytical graphs; its operator adds the plugin graph.',
  },
} as const;

/** The errors of views that read one report. */
export const reportErrors = {
  ...graphErrors,
  INVALID_INPUT: 'The report is not named, or a field of the request is not valid.',
  NOT_FOUND: 'The report is not in the analytical graph.',
  TOO_MANY_FACTS: {
    kind: 'too_large',
    meaning: 'The section has more than 10,000 facts, members or arcs. Read them with query/cypher, which streams.',
  },
} as const;

/** Opens the analytical graph of the request; throws if it has none, or none that was ever built. */
export async function openGraph(graphs: readonly GraphReads[], ctx: ReadContext): Promise<GraphReader> {
  const [reads] = graphs;
  if (reads === undefined) {
    const message =
      'This deployment has no analytical graphs. Its operator adds the plugin graph; live-financial-statement and the report queries read the books without one.';
    throw new ServiceError('disabled', 'NO_ANALYTICAL_GRAPHS', message);
  }
  const { materializedAt, staleSince } = await reads.freshness(ctx.tx, ctx.graph);
  if (materializedAt === null) {
    const message =
      'The analytical graph was never built. Run the operation materialize, wait until it is completed, and try again.';
    throw new ServiceError('invalid_input', 'GRAPH_NOT_MATERIALIZED', message);
  }
  return {
    staleSince,
    read: async <R>(text: string, parameters: Readonly<Record<string, unknown>>, maxRows: number) => {
      const limits = { maxRows, signal: ctx.signal };
      const { rows, isTruncated } = await reads.rows(ctx.tx, ctx.graph, { text, parameters }, limits);
      return { rows: rows as unknown as readonly R[], isTruncated }; // The statement names the columns of R.
    },
  };
}

/** A report in the analytical graph. */
export interface GraphReport {
  readonly report_id: string;
  readonly form: string | null;
  readonly filing_date: string | null;
  readonly fiscal_year: number | null;
  readonly fiscal_period: string | null;
}

/** The report of a request on a tenant graph, which names it (V-10). */
export async function requireReport(graph: GraphReader, reportId: string | null | undefined): Promise<GraphReport> {
  if (reportId === undefined || reportId === null || reportId === '')
    throw new ServiceError('refused', 'INVALID_INPUT', 'Provide report_id; the query reports lists the reports.');
  const { rows } = await graph.read<GraphReport>(
    `MATCH (r:Report) WHERE r.identifier = $report
     RETURN r.identifier AS report_id, r.form AS form, r.filing_date AS filing_date,
       r.fiscal_year_focus AS fiscal_year, r.fiscal_period_focus AS fiscal_period`,
    { report: reportId },
    1,
  );
  const [report] = rows;
  if (report !== undefined) return report;
  const hint =
    graph.staleSince === null
      ? ''
      : ' The books have changed since the graph was built: materialize it, then try again.';
  throw notFound(`Report '${reportId}' is not in the analytical graph.${hint}`);
}

/** Says that the books have changed since the graph was built; null if it is fresh. */
export function staleNote({ staleSince }: GraphReader): string | null {
  if (staleSince === null) return null;
  return 'The books have changed since the analytical graph was built; materialize it to read them as they are now.';
}
