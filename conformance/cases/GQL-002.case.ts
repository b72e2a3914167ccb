import { defineCase } from '../src/define-case.ts';
import { valueAt } from '../src/expectations.ts';

export default defineCase({
  id: 'GQL-002',
  level: 'MUST',
  title: 'anonymous callers get no data',
  clause: 'platform E-21',
  requires: ['ledger'],
  async run({ tenants, anonymous, expectStatus, expectThat }) {
    const { graphId } = await tenants();
    const answer = await anonymous.graphql(graphId, '{ entity { id } }');
    expectStatus(200, answer);
    const code = valueAt(answer, 'errors.0.extensions.code');
    expectThat(code === 'UNAUTHENTICATED', `Expected UNAUTHENTICATED, got ${code}`);
    expectThat(
      valueAt(answer, 'data.entity') !== undefined || valueAt(answer, 'data') === null,
      'No data may be returned',
    );
  },
});
