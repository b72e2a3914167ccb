import { defineCase } from '../src/define-case.ts';
import { textAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-007',
  level: 'MUST',
  title: "another user's organization and an unknown one get the same error",
  clause: 'platform U-4',
  async run({ tenants, expectStatus, expectError, expectThat }) {
    const { owner, stranger, orgId } = await tenants();
    expectStatus(200, await owner.client.get(`/v1/orgs/${orgId}`));
    const foreign = await stranger.client.get(`/v1/orgs/${orgId}`);
    const unknown = await stranger.client.get('/v1/orgs/org_00000000000000000000000000');
    for (const answer of [foreign, unknown]) expectError(403, answer);
    expectThat(textAt(foreign, 'detail') === textAt(unknown, 'detail'), 'Both errors must have the same text');
  },
});
