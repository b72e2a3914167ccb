import type { PaymentOutcome } from './local-charges.ts';
import { testCards } from './local-rows.ts';

/** The pages load nothing and run no scripts; forms can only be submitted to this host. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

const cardTexts = {
  ok: 'pays now and every month',
  decline: 'is declined',
  expire: 'pays now, and no later charge',
} as const;

/** Escapes text for HTML, including attribute values. */
export function escapeHtml(text: string): string {
  const signs: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
}

/** Formats minor units for display, such as `99.00 USD`, without floating point. */
export function priceText(amountCents: number, currency: string): string {
  const sign = amountCents < 0 ? '-' : '';
  const digits = String(Math.abs(amountCents)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)} ${currency.toUpperCase()}`;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`;
}

/** The page for choosing a test card. */
export function checkoutPage(facts: {
  label: string;
  amount_cents: number;
  currency: string;
  cancelUrl: string;
  wasDeclined: boolean;
}): string {
  const choices = testCards
    .map(
      (card, index) =>
        `<p><label><input type="radio" name="card" value="${card}"${index === 0 ? ' checked' : ''}> ` +
        `Card <code>${card}</code>: ${cardTexts[card]}</label></p>`,
    )
    .join('\n');
  const declined = facts.wasDeclined ? '<p role="alert">The card was declined. Choose another one.</p>' : '';
  return page(
    'Checkout',
    `<p>${escapeHtml(facts.label)}: ${escapeHtml(priceText(facts.amount_cents, facts.currency))} for 30 days.</p>
<p>No money moves: this deployment uses its built-in payment provider.</p>
${declined}
<form method="post">
${choices}
<p><button type="submit">Pay</button></p>
</form>
<p><a href="${escapeHtml(facts.cancelUrl)}" rel="noreferrer">Leave without paying</a></p>`,
  );
}

const closedTexts = {
  paid: 'This checkout is paid.',
  declined: 'The card was declined.',
  closed: 'This checkout is closed. Start a new one.',
} as const;

/** The page for a checkout that has ended. */
export function outcomePage(outcome: PaymentOutcome, nextUrl: string | undefined): string {
  const link = nextUrl === undefined ? '' : `<p><a href="${escapeHtml(nextUrl)}" rel="noreferrer">Go on</a></p>`;
  return page('Checkout', `<p>${closedTexts[outcome]}</p>\n${link}`);
}

/** The page with a customer’s card and subscriptions. */
export function portalPage(facts: {
  name: string;
  email: string;
  card: string | null;
  subscriptions: readonly { label: string; status: string; periodEnd: Date }[];
}): string {
  const rows = facts.subscriptions
    .map(
      ({ label, status, periodEnd }) =>
        `<tr><td>${escapeHtml(label)}</td><td>${escapeHtml(status)}</td>` +
        `<td>${periodEnd.toISOString().slice(0, 10)}</td></tr>`,
    )
    .join('\n');
  return page(
    'Billing',
    `<p>${escapeHtml(facts.name)} (${escapeHtml(facts.email)})</p>
<p>Card on file: ${facts.card === null ? 'none' : `<code>${escapeHtml(facts.card)}</code>`}</p>
<table>
<thead><tr><th>Subscription</th><th>Status</th><th>Paid until</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`,
  );
}

/** The page shown after a checkout. */
export function returnPage(isPaid: boolean): string {
  return page('Checkout', isPaid ? '<p>Thank you. You can close this page.</p>' : '<p>Nothing was paid.</p>');
}
