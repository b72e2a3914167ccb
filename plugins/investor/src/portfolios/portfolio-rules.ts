import { maxNameChars, normalizedText, requiredText } from '../values/index.ts';
import type { PortfolioFields, PortfolioRow } from './stored-portfolios.ts';

/** A new portfolio as the caller sends it. */
export interface NewPortfolio {
  readonly name: string;
  readonly description?: string | null;
  readonly strategy?: string | null;
  readonly inception_date?: string | null;
  readonly base_currency?: string;
  readonly entity_id?: string | null;
}

/** Changes of a portfolio: an absent field stays; null clears a field that may be empty, and leaves the others (I-30). */
export interface PortfolioPatch extends Omit<NewPortfolio, 'name' | 'base_currency'> {
  readonly name?: string | null;
  readonly base_currency?: string | null;
}

export function portfolioOf(given: NewPortfolio): PortfolioFields {
  return {
    name: requiredText(given.name, 'portfolio.name', maxNameChars),
    description: normalizedText(given.description),
    strategy: normalizedText(given.strategy),
    inception_date: given.inception_date ?? null,
    base_currency: (given.base_currency ?? 'USD').toUpperCase(),
    entity_id: given.entity_id ?? null,
  };
}

export function patchedPortfolio(present: PortfolioRow, patch: PortfolioPatch): PortfolioFields {
  return {
    name: patch.name == null ? present.name : requiredText(patch.name, 'portfolio.name', maxNameChars),
    description: patch.description === undefined ? present.description : normalizedText(patch.description),
    strategy: patch.strategy === undefined ? present.strategy : normalizedText(patch.strategy),
    inception_date: patch.inception_date === undefined ? present.inception_date : patch.inception_date,
    base_currency: patch.base_currency?.toUpperCase() ?? present.base_currency,
    entity_id: patch.entity_id === undefined ? present.entity_id : patch.entity_id,
  };
}
