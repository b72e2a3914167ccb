/** Signs a user in and lets them decide about the access of an AI client. Runs in the browser. */
const byId = (id) => document.getElementById(id);
const requestId = new URLSearchParams(window.location.search).get('request_id') ?? '';
const steps = ['sign-in', 'second-factor', 'consent', 'done'];

// The session lives in this page only: it is neither stored nor sent as a cookie, and ends with the decision.
let token;
let mfaToken;
let graphs = [];

/** An answer of the service that is not a success. */
class Refusal extends Error {
  constructor(status, body) {
    super(typeof body?.detail === 'string' ? body.detail : 'The service could not answer. Try again in a moment.');
    this.status = status;
  }
}

async function call(method, path, body) {
  const headers = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(`../v1/${path}`, {
    method,
    headers,
    credentials: 'omit',
    cache: 'no-store',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

/** Shows one step and moves the focus to its title, so that a screen reader announces it. */
function show(step) {
  for (const id of steps) byId(id).hidden = id !== step;
  document.querySelector('main').removeAttribute('aria-busy');
  byId('brand').hidden = step === 'consent';
  const title = byId(`${step}-title`);
  title.focus();
  document.title = `${title.textContent} · Pacioli`;
}

/** Shows an error message; an empty text hides the last one. */
function showProblem(problem) {
  byId('problem').textContent = problem;
  byId('problem').hidden = problem === '';
}

/** Runs the action of a button, and disables all buttons meanwhile. */
async function run(work) {
  showProblem('');
  const buttons = [...document.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  try {
    await work();
  } catch (error) {
    showProblem(sentenceOf(error));
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

function sentenceOf(error) {
  if (error instanceof Refusal) return error.message;
  if (error.name === 'NotAllowedError') return 'The passkey was not used. Try again, or sign in with your password.';
  return 'The service cannot be reached at the moment. Check your connection and try again.';
}

function finish(title, text) {
  byId('done-title').textContent = title;
  byId('done-text').textContent = text;
  show('done');
}

async function assertion(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return (await navigator.credentials.get({ publicKey })).toJSON();
}

async function signedIn(answer) {
  if (answer.status === 'mfa_required') {
    mfaToken = answer.mfa_token;
    show('second-factor');
    return;
  }
  if (typeof answer.token !== 'string') {
    finish('Set up a passkey first', 'Your organization requires one. Set it up, then start again from the app.');
    return;
  }
  token = answer.token;
  await openRequest(answer.user?.email ?? '');
}

async function openRequest(email) {
  let request;
  try {
    request = await call('GET', `oauth/authorize/${encodeURIComponent(requestId)}`);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    await signOut();
    finish('This request has ended', 'It expired or was already answered. Start again from the app.');
    return;
  }
  const listed = await call('GET', 'graphs');
  graphs = listed.graphs.filter((graph) => request.profile === null || fits(graph, request.profile));
  drawRequest(request, email);
  drawGraphs(request.graph_id, listed.selectedGraphId);
  show('consent');
}

/** True if an app of one domain can be connected to the graph: it has the extension, and is no subgraph. */
function fits({ isSubgraph, schemaExtensions = [] }, extension) {
  return !isSubgraph && schemaExtensions.includes(extension);
}

function drawRequest(request, email) {
  byId('client-name').textContent = request.client_name;
  byId('initial').textContent = [...request.client_name][0]?.toUpperCase() ?? '';
  byId('account').textContent = email;
  byId('redirect-host').textContent = request.is_loopback_redirect
    ? `This computer (${request.redirect_host})`
    : request.redirect_host;
  // For a likely fraud, Cancel is the prominent button.
  byId('allow').className = request.resembles === null ? 'primary' : 'secondary';
  byId('cancel').className = request.resembles === null ? 'secondary' : 'primary';
  byId('verified').hidden = !request.is_trusted;
  byId('site-row').hidden = request.client_uri === null;
  byId('site').textContent = request.client_uri ?? '';
  const warnings = warningsOf(request);
  byId('warnings').hidden = warnings.length === 0;
  byId('warnings').replaceChildren(
    ...warnings.map(([text, isSevere]) => {
      const item = document.createElement('li');
      item.textContent = text;
      item.className = isSevere ? 'severe' : '';
      return item;
    }),
  );
}

function warningsOf({ client_name: name, resembles, redirect_host: host, ...request }) {
  const warnings = [];
  if (resembles !== null) {
    warnings.push([`“${name}” looks like ${resembles}, but the response goes to ${host}. This may be a fraud.`, true]);
  }
  if (request.is_loopback_redirect) {
    warnings.push(['The response goes to a program on this computer. Continue only if you just started it yourself.']);
  } else if (!request.is_trusted) {
    warnings.push([`Nobody has verified this app. Continue only if you know ${host}.`]);
  }
  return warnings;
}

function drawGraphs(fixedId, selectedId) {
  const offered = fixedId === null ? graphs : graphs.filter(({ graphId }) => graphId === fixedId);
  byId('graph').replaceChildren(
    ...offered.map(({ graphId, graphName, isRepository }) => {
      const option = document.createElement('option');
      option.value = graphId;
      const isAmbiguous = offered.some((other) => other.graphName === graphName && other.graphId !== graphId);
      option.textContent = graphName + (isRepository ? ' (shared repository)' : isAmbiguous ? ` (${graphId})` : '');
      option.selected = graphId === selectedId;
      return option;
    }),
  );
  byId('graph').disabled = fixedId !== null;
  byId('allow').hidden = offered.length === 0;
  byId('choice').hidden = offered.length === 0;
  drawPermission();
  if (offered.length === 0) {
    showProblem(
      fixedId === null
        ? 'You have no graph that this app can be connected to. Cancel, and create one first.'
        : 'You do not have access to the graph that this app asks for. Cancel, or ask its administrator for access.',
    );
  }
}

function drawPermission() {
  const graph = graphs.find(({ graphId }) => graphId === byId('graph').value);
  const can = graph?.role === 'viewer' || graph?.isRepository ? 'read' : 'read and change';
  byId('permission').textContent =
    graph === undefined ? '' : `It can ${can} this graph, as you can (${graph.role}), and no other graph.`;
}

async function decide(isApproved) {
  const graph = byId('graph').value;
  const body = isApproved ? { approved: true, graph_id: graph } : { approved: false };
  let answer;
  try {
    answer = await call('POST', `oauth/authorize/${encodeURIComponent(requestId)}/decision`, body);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500 || error.status === 429) throw error;
    // The request is consumed in any case.
    await signOut();
    finish('The app was not connected', `${error.message.replace(/\.$/, '')}. Start again from the app.`);
    return;
  }
  await signOut();
  finish(
    isApproved ? 'Connected' : 'Not connected',
    'You are being sent back to the app. You can close this page if it does not close itself.',
  );
  window.location.assign(answer.redirect_to);
}

/** The session was only for this decision. */
async function signOut() {
  await call('POST', 'auth/logout', {}).catch(() => undefined);
  token = undefined;
}

function onSubmit(id, work) {
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault();
    run(work);
  });
}

async function start() {
  if (requestId === '') {
    finish('There is nothing to decide', 'Start from the app that you want to connect.');
    return;
  }
  const offered = await call('GET', 'auth/providers');
  const hasPasskeys = offered.passkeys && window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;
  byId('password-form').hidden = !offered.password_auth;
  byId('passkey').hidden = !hasPasskeys;
  byId('or').hidden = !(offered.password_auth && hasPasskeys);
  show('sign-in');
  if (offered.password_auth) byId('email').focus();
}

onSubmit('password-form', async () => {
  const answer = await call('POST', 'auth/login', { email: byId('email').value, password: byId('password').value });
  byId('password').value = '';
  await signedIn(answer);
});
onSubmit('recovery-form', async () => {
  const body = { mfa_token: mfaToken, recovery_code: byId('recovery').value.trim() };
  await signedIn(await call('POST', 'auth/mfa/verify', body));
});
onSubmit('decision', () => decide(true));
byId('cancel').addEventListener('click', () => run(() => decide(false)));
byId('graph').addEventListener('change', drawPermission);
byId('passkey').addEventListener('click', () =>
  run(async () => {
    const { options } = await call('POST', 'auth/passkeys/login/options', {});
    await signedIn(await call('POST', 'auth/passkeys/login/verify', { assertion: await assertion(options) }));
  }),
);
byId('confirm-passkey').addEventListener('click', () =>
  run(async () => {
    const { options } = await call('POST', 'auth/mfa/options', { mfa_token: mfaToken });
    const body = { mfa_token: mfaToken, assertion: await assertion(options) };
    await signedIn(await call('POST', 'auth/mfa/verify', body));
  }),
);
run(start);
