import { defineRoute } from '../../define/route.ts';
import { anything } from '../../schema/model.ts';
import { captcha } from '../accounts/captcha.ts';

export default defineRoute({
  name: 'get-captcha-config',
  path: 'GET /v1/auth/captcha/config',
  summary: 'Returns the captcha provider that registration requires, if any.',
  openapi: { id: 'get_captcha_config', tag: 'auth' },
  category: 'auth',
  auth: [],
  answers: { 200: anything() },
  fails: [400, 429, 500],
  services: { captcha },
  async handle({ use }) {
    const { required, siteKey, provider } = use.captcha;
    return { required, site_key: siteKey, provider };
  },
});
