import type { LibraryTaxonomyRow } from './library-taxonomies.ts';

/** The edition of the library that a graph uses (taxonomy LB-9). */
export interface LibraryPin {
  /** For example `rs-gaap@v1`. */
  readonly framework: string;
  /** Versions of single packages, by package. */
  readonly overrides: Readonly<Record<string, string>>;
}

export const defaultPin: LibraryPin = { framework: 'rs-gaap@v1', overrides: {} };

type Shipped = readonly Pick<LibraryTaxonomyRow, 'standard' | 'version'>[];

/**
 * Reads a pin in either of its forms: `{framework, overrides?}`, or versions by standard alone, which are overrides of
 * the default. Null is the default. Returns an error message for an invalid pin.
 */
export function readPin(value: unknown, shipped: Shipped): LibraryPin | string {
  if (value === null || value === undefined) return defaultPin;
  if (typeof value !== 'object' || Array.isArray(value))
    return 'A pin is an object such as {"framework": "rs-gaap@v1"}.';
  const { framework, overrides, ...rest } = value as Readonly<Record<string, unknown>>; // Neither null nor a list.
  const isFlat = framework === undefined && overrides === undefined;
  if (!isFlat && Object.keys(rest).length > 0)
    return 'A pin has either framework and overrides, or versions by standard.';
  const chosen = framework ?? defaultPin.framework;
  const versions = (isFlat ? rest : overrides) ?? {};
  if (typeof chosen !== 'string') return 'framework is text such as rs-gaap@v1.';
  if (typeof versions !== 'object' || Array.isArray(versions)) return 'overrides is an object of versions by package.';
  const entries = Object.entries(versions);
  const [name = '', version = ''] = chosen.split('@');
  const unknown = [[name, version] as const, ...entries].find(
    ([standard, wanted]) => !shipped.some((row) => row.standard === standard && row.version === wanted),
  );
  if (unknown !== undefined) {
    const known = [...new Set(shipped.map((row) => `${row.standard}@${row.version}`))].join(', ');
    return `${unknown[0]}@${String(unknown[1])} is not shipped. Choose from ${known}.`;
  }
  return { framework: chosen, overrides: Object.fromEntries(entries.map(([key, each]) => [key, String(each)])) };
}
