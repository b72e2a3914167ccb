import { randomBytes } from 'node:crypto';
import type { Assets } from './assets.ts';
import { createPage, type Page } from './shell.ts';

/**
 * The page on which a user signs in and decides about the access of an AI client (ai-surface O-24). It contains nothing
 * about a user or a client: its script reads that through the API, with a session that only the page knows. So no cookie
 * exists that another site could use.
 */
export function consentPage(files: Assets): Page {
  const nonce = randomBytes(16).toString('base64');
  const page = createPage(files, {
    title: 'Connect an app · Pacioli',
    root: '..',
    styles: ['console.css', 'consent.css'],
    scripts: ['consent.js'],
    nonce,
    policy: {
      'script-src': `'nonce-${nonce}'`,
      'style-src': `'nonce-${nonce}'`,
      'img-src': "'self'",
      'connect-src': "'self'",
      'require-trusted-types-for': "'script'",
    },
    body,
  });
  return {
    ...page,
    headers: {
      ...page.headers,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'publickey-credentials-get=(self), geolocation=(), camera=(), microphone=()',
    },
  };
}

const body = `<main class="consent" aria-busy="true">
<p id="brand" class="brand" aria-hidden="true"><span>P</span> Pacioli</p>
<noscript><p class="problem">This page needs JavaScript to sign you in.</p></noscript>
<p id="problem" class="problem" role="alert" hidden></p>

<section id="sign-in" aria-labelledby="sign-in-title" hidden>
<h1 id="sign-in-title" tabindex="-1">Sign in to continue</h1>
<p class="lead">An app wants to connect to Pacioli. Sign in to see which one, and decide.</p>
<form id="password-form">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username webauthn" required maxlength="254" spellcheck="false">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256">
<button type="submit" class="primary">Sign in</button>
</form>
<p id="or" class="or"><span>or</span></p>
<button id="passkey" type="button" class="secondary">Sign in with a passkey</button>
</section>

<section id="second-factor" aria-labelledby="second-factor-title" hidden>
<h1 id="second-factor-title" tabindex="-1">Confirm that it is you</h1>
<p class="lead">Your account is protected by a passkey.</p>
<button id="confirm-passkey" type="button" class="primary">Confirm with a passkey</button>
<details>
<summary>Use a recovery code instead</summary>
<form id="recovery-form">
<label for="recovery">Recovery code</label>
<input id="recovery" name="recovery" autocomplete="one-time-code" required maxlength="64" spellcheck="false">
<button type="submit" class="secondary">Confirm</button>
</form>
</details>
</section>

<section id="consent" aria-labelledby="consent-title" hidden>
<div class="parties" aria-hidden="true"><span id="initial"></span><i></i><span class="own">P</span></div>
<h1 id="consent-title" tabindex="-1"><span id="client-name"></span> wants to connect</h1>
<p id="verified" class="verified" hidden>This deployment trusts the host of this app.</p>
<ul id="warnings" class="warnings" aria-label="Warnings" hidden></ul>
<form id="decision">
<div id="choice">
<label for="graph">Graph to connect</label>
<select id="graph" name="graph" required></select>
</div>
<p id="permission" class="permission"></p>
<dl>
<div><dt>Account</dt><dd id="account"></dd></div>
<div><dt>Response goes to</dt><dd id="redirect-host"></dd></div>
<div id="site-row" hidden><dt>Stated website</dt><dd id="site"></dd></div>
</dl>
<div class="actions">
<button id="allow" type="submit" class="primary">Allow</button>
<button id="cancel" type="button" class="secondary">Cancel</button>
</div>
</form>
<p class="note">You can disconnect an app at any time in the list of your connected apps. To use another account, cancel and start again from the app.</p>
</section>

<section id="done" aria-labelledby="done-title" hidden>
<h1 id="done-title" tabindex="-1"></h1>
<p id="done-text" class="lead"></p>
</section>
</main>`;
