/** Finds code of one package that names a table of another, whose services are the way to its rows. */
import { isTest, type SourceFile } from './rules-files.ts';

/** The tables of a package, and its folder relative to the root of the repository. */
export interface OwnedTables {
  readonly folder: string;
  readonly tables: readonly string[];
}

const source = /^(?:core|plugins\/[^/]+|hosts\/(?:drivers\/)?[^/]+)\/src\/.*\.ts$/;
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;

/** One problem for each line that names a table of another package. Tests may read every table. */
export function foreignTables(files: readonly SourceFile[], owners: readonly OwnedTables[]): readonly string[] {
  const ownerOf = new Map(owners.flatMap(({ folder, tables }) => tables.map((table) => [table, folder] as const)));
  return files
    .filter(({ path }) => source.test(path) && !isTest(path))
    .flatMap(({ path, text }) => {
      const lines = text.replace(comments, (comment) => comment.replace(/[^\n]/g, ' ')).split('\n');
      return lines.flatMap((line, index) =>
        (line.match(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g) ?? []).flatMap((word) => {
          const owner = ownerOf.get(word);
          if (owner === undefined || path.startsWith(`${owner}/`)) return [];
          return [`${path}:${index + 1}: ${word} is a table of ${owner}. Use a service of that package instead.`];
        }),
      );
    });
}
