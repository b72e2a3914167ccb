import watchlist from '../../plugins/template/src/index.ts';
import { defineCase } from '../src/define-case.ts';
import { describePlugin } from '../src/vitest.ts';

const own = defineCase({
  id: 'WAT-001',
  level: 'MUST',
  title: 'a watched security is listed',
  clause: 'README',
  requires: ['watchlist'],
  async run({ graph, expectBody }) {
    await graph.operation('watch-security', { ticker: 'acme' });
    const listed = await graph.graphql('{ watchedSecurities { ticker } }');
    expectBody({ properties: { data: { const: { watchedSecurities: [{ ticker: 'ACME' }] } } } }, listed);
  },
});

describePlugin(watchlist, { cases: [own] });
