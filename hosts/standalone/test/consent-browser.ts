import type { TestClient } from '@pacioli/testing';
import type { CDPSession, Page } from 'playwright-core';

/** The password of the users of a test service. */
export const password = 'Harbour-Lantern-42';

/** Lists the texts of a page with a contrast below 4.5 to 1; it runs in the browser. */
export const textsWithLowContrast = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color[3] === undefined || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('main *')].filter((element) => {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!isText || !element.checkVisibility() || element.matches('option, :disabled')) return false;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
  }).map((element) => element.textContent);
})()`;

/** Adds an authenticator that confirms everything. */
export async function addAuthenticator(devices: CDPSession): Promise<void> {
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Creates a passkey for a user in the browser, on a page of the service's origin. */
export async function enrollPasskeyOn(page: Page, user: TestClient): Promise<void> {
  const asked = await user.post('/v1/auth/passkeys/register/options', { password });
  const credential = await page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(asked.body.options)});
    return (await navigator.credentials.create({ publicKey })).toJSON();
  })()`);
  const made = await user.post('/v1/auth/passkeys/register/verify', { credential, name: 'Laptop' });
  if (made.status !== 200) throw new Error(`The passkey was refused: ${JSON.stringify(made.body)}`);
}
