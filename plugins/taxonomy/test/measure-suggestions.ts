// Prints how the deterministic scorer does on the labelled names, each half alone, and which names it gets wrong.
// Run: npx tsx --conditions=@pacioli/source plugins/taxonomy/test/measure-suggestions.ts [tune|held]
import { createLibraryCatalogue } from '../src/domain/library-catalogue.ts';
import { readShippedFrameworks } from '../src/framework-files.ts';
import { readAccountNames } from './account-names.ts';
import { judge, measure } from './suggestion-quality.ts';

const catalogue = createLibraryCatalogue(readShippedFrameworks());
const judged = judge(catalogue, readAccountNames());
for (const half of ['tune', 'held'] as const) {
  const quality = measure(judged.filter(({ label }) => label.half === half));
  console.log(half, JSON.stringify(quality));
}
const shown = process.argv[2];
for (const { label, outcome, qname, confidence, isRight } of judged) {
  if (label.half !== shown || (outcome === 'mapped' && isRight)) continue;
  const wanted = label.concepts.map((name) => name.slice(8)).join('|') || '(nobody)';
  console.log(
    `${outcome} ${isRight ? 'right' : 'WRONG'} ${confidence} ${label.name} → ${qname?.slice(8)} (wanted ${wanted})`,
  );
}
