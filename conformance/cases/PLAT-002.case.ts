import { defineCase } from '../src/define-case.ts';
import { textAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-002',
  level: 'MUST',
  title: 'a wrong password and an unknown address get the same response',
  clause: 'platform A-21',
  async run({ newUser, anonymous, expectError, expectStatus, expectThat }) {
    const { email, password } = await newUser();
    const wrong = await anonymous.post('/v1/auth/login', { email, password: `${password}x` });
    const unknown = await anonymous.post('/v1/auth/login', { email: `nobody-${email}`, password });
    for (const answer of [wrong, unknown]) expectError(401, answer, 'INVALID_CREDENTIALS');
    expectThat(textAt(wrong, 'detail') === textAt(unknown, 'detail'), 'Both errors must have the same text');
    expectStatus(200, await anonymous.post('/v1/auth/login', { email, password }));
  },
});
