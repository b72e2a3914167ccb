// Prints the quality of the deterministic scorer on each part of the labeled names, and the names it gets wrong.
// Run: npx tsx --conditions=@pacioli/source plugins/taxonomy/test/measure-suggestions.ts [tune|held|fresh]

import { readShippedFrameworks } from '../src/library/framework-files.ts';
import { createLibraryCatalog } from '../src/library/library-catalog.ts';
import { parts, readAccountNames } from './account-names.ts';
import { judge, measure } from './suggestion-quality.ts';

const catalog = createLibraryCatalog(readShippedFrameworks());
const judged = judge(catalog, readAccountNames());
for (const part of parts) {
  const quality = measure(judged.filter(({ label }) => label.part === part));
  console.log(part, JSON.stringify(quality));
}
const shown = process.argv[2];
for (const { label, outcome, qname, confidence, isRight } of judged) {
  if (label.part !== shown || (outcome === 'mapped' && isRight)) continue;
  const wanted = label.concepts.map((name) => name.slice(8)).join('|') || '(nobody)';
  console.log(
    `${outcome} ${isRight ? 'right' : 'WRONG'} ${confidence} ${label.name} → ${qname?.slice(8)} (wanted ${wanted})`,
  );
}
