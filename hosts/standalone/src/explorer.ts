import { randomBytes } from 'node:crypto';

/** A page to try GraphQL queries by hand; nothing in it comes from the network. */
export function explorerPage(graphId: string): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; connect-src 'self'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
  const safeId = graphId.replaceAll(/[^A-Za-z0-9_]/g, '');
  return {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    body: page(safeId, nonce),
  };
}

function page(graphId: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pacioli explorer · ${graphId}</title>
<style nonce="${nonce}">
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1.5rem; color: #1b1f24; }
label { display: block; font-weight: 600; margin: 0.75rem 0 0.25rem; }
input, textarea, pre { box-sizing: border-box; width: 100%; font: 13px/1.5 ui-monospace, monospace; padding: 0.6rem; border: 1px solid #8c959f; border-radius: 6px; }
textarea { height: 14rem; }
pre { min-height: 10rem; background: #f6f8fa; overflow: auto; }
button { margin: 0.75rem 0; padding: 0.5rem 1.25rem; font: inherit; border: 0; border-radius: 6px; background: #0b5d3b; color: #fff; cursor: pointer; }
</style>
</head>
<body>
<h1>Explorer</h1>
<p>Graph <code>${graphId}</code>. Queries are read-only. The key stays in this page.</p>
<label for="key">API key</label>
<input id="key" autocomplete="off" spellcheck="false" placeholder="rfs…">
<label for="query">Query</label>
<textarea id="query" spellcheck="false">{
  entity { name }
  summary { accountCount transactionCount lineItemCount }
  trialBalance {
    totalDebits
    totalCredits
    rows { accountCode accountName netBalance }
  }
}</textarea>
<button id="run" type="button">Run (Ctrl+Enter)</button>
<label for="result">Answer</label>
<pre id="result" aria-live="polite"></pre>
<script nonce="${nonce}">
const field = (id) => document.getElementById(id);
async function run() {
  field('result').textContent = '…';
  try {
    const response = await fetch(location.pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(field('key').value ? { 'x-api-key': field('key').value.trim() } : {}) },
      body: JSON.stringify({ query: field('query').value }),
    });
    field('result').textContent = JSON.stringify(await response.json(), null, 2);
  } catch (error) {
    field('result').textContent = String(error);
  }
}
field('run').addEventListener('click', run);
field('query').addEventListener('keydown', (event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(); });
</script>
</body>
</html>
`;
}
