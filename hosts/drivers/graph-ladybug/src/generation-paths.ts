import { join } from 'node:path';
import { type GenerationRef, GraphStoreError } from '@pacioli/core/ports';

/** Only ids that match may become file names, so no other text can touch the file system (graphs I-1). */
const graphIdPattern = /^[a-zA-Z0-9_]{1,64}$/;

/** The file of a generation, which may not exist. */
export function generationPath(folder: string, { graphId, generation }: GenerationRef): string {
  checkGraphId(graphId);
  if (!Number.isSafeInteger(generation) || generation < 0) {
    throw new GraphStoreError('database-missing', 'A generation is a whole number from 0.');
  }
  return join(folder, `${graphId}.g${generation}.lbug`);
}

/** The generations of a graph whose files are among these names, complete or not, in ascending order. */
export function generationsOf(graphId: string, names: readonly string[]): readonly number[] {
  const numbers = names.flatMap((name) => {
    if (!name.startsWith(`${graphId}.g`)) return [];
    const [, digits] = /^(\d+)\.lbug(?:\.part)?$/.exec(name.slice(graphId.length + 2)) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  return [...new Set(numbers)].sort((left, right) => left - right);
}

export function checkGraphId(graphId: string): void {
  if (!graphIdPattern.test(graphId)) throw new GraphStoreError('database-missing', 'This is not the id of a graph.');
}
