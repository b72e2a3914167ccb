import { buildSchema } from 'graphql';
import { parse } from 'yaml';
import { diffOpenapi } from './diff-openapi.ts';
import { diffSdl } from './diff-sdl.ts';
import { type Comparison, withoutAdditions } from './difference.ts';
import { isObject, textsOf } from './json.ts';
import { readPackageFile } from './package-files.ts';

/** The agreed API: documents without prose, and the places where a deployment may add to them. */
export interface Contract {
  readonly openapi: unknown;
  readonly sdl: string;
  /** Places of permitted additions; a `*` stands for any text. */
  readonly additions: readonly string[];
}

export function readContract(): Contract {
  return {
    openapi: JSON.parse(readPackageFile('contract/openapi.json')),
    sdl: readPackageFile('contract/schema.graphql'),
    additions: parseAdditions(readPackageFile('contract/additions.yaml')),
  };
}

/** Reads a list of `{ reason, places }` groups. */
export function parseAdditions(text: string): readonly string[] {
  const groups: unknown = parse(text) ?? [];
  if (!Array.isArray(groups)) throw new Error('The additions are a list of groups, each with a reason and its places.');
  return groups.flatMap((group) => {
    if (!isObject(group) || typeof group['reason'] !== 'string')
      throw new Error('Each group of additions needs a reason and a list of places.');
    return textsOf(group['places']);
  });
}

/** Compares both documents with the contract, without the permitted additions. */
export function compareWithContract(
  contract: Contract,
  served: { readonly openapi: unknown; readonly sdl: string },
): Comparison {
  const openapi = diffOpenapi(contract.openapi, served.openapi);
  const sdl = diffSdl(buildSchema(contract.sdl), buildSchema(served.sdl));
  return {
    ids: [...openapi.ids, ...sdl.ids],
    differences: withoutAdditions([...openapi.differences, ...sdl.differences], contract.additions),
  };
}
