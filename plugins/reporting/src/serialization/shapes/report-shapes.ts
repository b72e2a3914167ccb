import { readFileSync } from 'node:fs';

/** The base in the file of the shapes, which a deployment may replace. */
const shippedBase = 'https://vocab.example.org';

/** The constraints for documents of the vocabulary below a base, as Turtle (reporting 13.3). */
export function reportShapes(base: string): string {
  const text = readFileSync(new URL('./report-shapes.ttl', import.meta.url), 'utf8');
  return text.replaceAll(`<${shippedBase}/`, `<${base}/`);
}
