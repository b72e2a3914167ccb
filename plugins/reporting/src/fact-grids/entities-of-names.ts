import type { GraphReader } from './graph-reader.ts';

const maxEntities = 10_000;

interface NamedEntity {
  readonly id: string;
  readonly ticker: string | null;
  readonly cik: string | null;
  readonly name: string | null;
}

/** The companies with these tickers (in any case), CIKs, names or ids (V-5). */
export async function entitiesOfNames(graph: GraphReader, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await graph.read<NamedEntity>(
    'MATCH (e:Entity) RETURN e.identifier AS id, e.ticker AS ticker, e.cik AS cik, e.name AS name ORDER BY id',
    {},
    maxEntities,
  );
  const exact = new Set(names);
  const tickers = new Set(names.map((name) => name.toUpperCase()));
  const isNamed = ({ id, ticker, cik, name }: NamedEntity): boolean =>
    (ticker !== null && tickers.has(ticker.toUpperCase())) ||
    [id, cik, name].some((value) => value !== null && exact.has(value));
  return rows.filter(isNamed).map(({ id }) => id);
}
