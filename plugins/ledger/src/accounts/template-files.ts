import { readFileSync } from 'node:fs';
import type { TemplateKey } from './templates.ts';

const folder = new URL('../../data/templates/', import.meta.url);

/** The texts of a template and of the equity accounts; small files that belong to this package. */
export function templateFiles(key: TemplateKey): { readonly template: string; readonly equity: string } {
  return {
    template: readFileSync(new URL(`${key}.csv`, folder), 'utf8'),
    equity: readFileSync(new URL('equity.csv', folder), 'utf8'),
  };
}
