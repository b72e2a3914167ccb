import { answer, defineRoute, graphOf, kernel, notFound, ServiceError, type StreamAnswer } from '@pacioli/core';
import {
  holdingsView,
  overviewOf,
  PortfolioHoldingsResponse,
  pagePolicy,
  writeHoldingsPage,
} from '../holdings-page/index.ts';
import { investments } from '../investments.ts';
import { instruments } from '../terms/index.ts';

/** An addition to the contract, which has holdings by issuer in GraphQL only. */
export default defineRoute({
  name: 'get-portfolio-holdings',
  path: 'GET /v1/graphs/{graph_id}/portfolios/{portfolio_id}/holdings',
  summary:
    'Returns the active positions of a portfolio by issuer and by kind of security; a page for Accept: text/html.',
  openapi: { id: 'get_portfolio_holdings', tag: 'extensions_robo_investor' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: { 200: PortfolioHoldingsResponse },
  fails: [401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, investments, instruments },
  errors: {
    NOT_FOUND: 'The graph has no portfolio with this id.',
    INVESTOR_NOT_INITIALIZED: { kind: 'not_found', meaning: 'The graph does not have the investor extension.' },
  },

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    if (!graph.extensions.includes('investor'))
      throw new ServiceError('not_found', 'INVESTOR_NOT_INITIALIZED', 'Investor module not initialized.');
    const held = await use.store.transaction(
      { graphId: graph.id },
      (tx) => use.investments.blocks.holdings(tx, params.portfolio_id),
      { readOnly: true },
    );
    if (held === undefined) throw notFound('Portfolio not found.');
    const overview = overviewOf(held, use.instruments);
    if (!prefersHtml(ctx.header('accept'))) return answer(200, holdingsView(overview), privateHeaders);
    return htmlAnswer(writeHoldingsPage(overview, ctx.now()));
  },
});

const privateHeaders = { 'Cache-Control': 'no-store', Vary: 'Accept' };

/** True when the caller names HTML and does not prefer JSON; no weight means the highest (RFC 9110, section 12.4.2). */
function prefersHtml(accept: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(type, weight === undefined ? 1 : Number(weight) || 0);
  }
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}

function htmlAnswer(page: string): StreamAnswer {
  return {
    kind: 'stream',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: { ...privateHeaders, 'Content-Security-Policy': pagePolicy, 'X-Content-Type-Options': 'nosniff' },
    chunks: (async function* () {
      yield page;
    })(),
  };
}
