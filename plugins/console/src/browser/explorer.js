/** Connects the explorer’s form to GraphiQL. Runs in the browser after react.js and graphiql.js. */
const byId = (id) => document.getElementById(id);
const form = byId('connection');
const { root } = form.dataset;
const { createElement } = window.React;
const maxGraphs = 200;
const firstQuery = `# Ctrl+Enter runs the query, Ctrl+Space completes it.
{
  entity { name }
  summary { accountCount transactionCount lineItemCount }
  trialBalance {
    totalDebits
    totalCredits
    rows { accountCode accountName netBalance }
  }
}
`;

let drawn;
let connections = 0;

function headersOf(key) {
  return key === '' ? {} : { 'X-API-Key': key };
}

function say(text) {
  byId('state').textContent = text;
  byId('state').hidden = text === '';
}

/** Suggests the graphs that the key can access. The input also accepts an id that is not in the list. */
async function offerGraphs() {
  const key = byId('key').value.trim();
  if (key === '') return [];
  const response = await fetch(`${root}/v1/graphs`, { headers: headersOf(key) });
  if (!response.ok) return [];
  const { graphs = [] } = await response.json();
  const offered = graphs.slice(0, maxGraphs);
  byId('graphs').replaceChildren(
    ...offered.map(({ graphId, graphName }) => {
      const option = document.createElement('option');
      option.value = graphId;
      option.label = graphName;
      return option;
    }),
  );
  return offered;
}

function fetcherFor(graph, key) {
  return async (request) => {
    const response = await fetch(`${root}/extensions/${encodeURIComponent(graph)}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headersOf(key) },
      body: JSON.stringify(request),
    });
    return response.json();
  };
}

async function connect(event) {
  event?.preventDefault();
  const graphs = await offerGraphs().catch(() => []);
  if (byId('graph').value.trim() === '' && graphs.length > 0) byId('graph').value = graphs[0].graphId;
  const [key, graph] = [byId('key').value.trim(), byId('graph').value.trim()];
  if (graph === '') {
    say('No graph is known for this key. Check the API key, or enter the id of a graph.');
    return;
  }
  say(key === '' ? 'Without an API key only the schema can be read.' : '');
  drawn ??= window.ReactDOM.createRoot(byId('explorer'));
  connections += 1;
  // A new key makes React discard the schema of the previous graph.
  drawn.render(
    createElement(window.GraphiQL, {
      key: connections,
      fetcher: fetcherFor(graph, key),
      defaultQuery: firstQuery,
      shouldPersistHeaders: false,
      isHeadersEditorEnabled: false,
    }),
  );
}

form.addEventListener('submit', connect);
byId('key').addEventListener('change', () => offerGraphs().catch(() => []));
if (byId('graph').value !== '') connect();
