/**
 * Goal: clients are told of the changes on their graph, in any process, and of nothing else. Method: streams over HTTP at
 * two services on one store; the order of a stream shows that nothing was sent in between.
 */
import { joinTeam } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import {
  ann,
  keyOf,
  listen,
  messageOf,
  newReader,
  other,
  post,
  sam,
  service,
  store,
  subscriptionId,
  uriOf,
  useStreams,
} from './listen-fixture.ts';
import { connectClient } from './official-client.ts';

useStreams();

const listChanged = { method: 'notifications/resources/list_changed' };
const toolsChanged = { method: 'notifications/tools/list_changed' };
const updated = (uri: string) => ({ method: 'notifications/resources/updated', params: { uri } });

describe('subscriptions/listen', () => {
  it('is acknowledged with what can change on the graph, and tagged with its id (ai-surface M-20f)', async () => {
    const own = uriOf(ann, 'doc_1');
    const filter = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: [own, own, uriOf(sam, 'doc_1'), `graph://${ann.graphId}/schema`, 'https://example.org'],
    };
    const { honored, next } = await listen(ann, filter);
    expect(honored).toEqual({ toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [own] });
    await store(ann, { title: 'Leases', content: 'All of them.' });
    expect(await next()).toMatchObject({ ...listChanged, params: { _meta: { [subscriptionId]: 7 } } });
  });

  it('is offered by the capabilities of the stateless revision only (ai-surface M-10, M-20f)', async () => {
    const { result } = await messageOf(await post(ann, 'server/discover', {}));
    expect(result.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const { capabilities } = (await ann.client.post(`/v1/graphs/${ann.graphId}/mcp`, initialize)).body.result;
    expect([capabilities.tools, capabilities.resources]).toEqual([{ listChanged: false }, {}]);
  });

  it('tells of created, renamed, moved and deleted documents, and of changes of one document (ai-surface M-20f)', async () => {
    const id = await store(ann, { title: 'Rates', content: 'Five percent.' });
    const uri = uriOf(ann, id);
    const { next } = await listen(ann, { resourcesListChanged: true, resourceSubscriptions: [uri] });
    await store(ann, { document_id: id, content: 'Six percent.' });
    expect(await next()).toMatchObject(updated(uri));
    await store(ann, { document_id: id, title: 'Interest' });
    expect([await next(), await next()]).toMatchObject([listChanged, updated(uri)]);
    await store(ann, { document_id: id, folder: 'Policies' });
    expect([await next(), await next()]).toMatchObject([listChanged, updated(uri)]);
    await ann.client.post(`/v1/graphs/${ann.graphId}/operations/delete-document`, { document_id: id });
    expect([await next(), await next()]).toMatchObject([listChanged, updated(uri)]);
  });

  it('sends only what the filter names (ai-surface M-20f)', async () => {
    const watched = await store(ann, { title: 'Watched', content: 'One.' });
    const { next, honored } = await listen(ann, { resourceSubscriptions: [uriOf(ann, watched)] });
    expect(honored).toEqual({ resourceSubscriptions: [uriOf(ann, watched)] });
    const unwatched = await store(ann, { title: 'Another', content: 'Two.' });
    await store(ann, { document_id: unwatched, content: 'Three.' });
    await store(ann, { document_id: watched, content: 'Four.' });
    expect(await next()).toMatchObject(updated(uriOf(ann, watched)));
  });

  it('ends at once when nothing of the filter can change (ai-surface M-20f)', async () => {
    const { honored, rest } = await listen(ann, { promptsListChanged: true });
    expect(honored).toEqual({});
    expect(await rest()).toMatchObject([{ id: 7, result: { _meta: { [subscriptionId]: 7 } } }]);
  });

  it('tells of a change in another process (ai-surface M-20f)', async () => {
    const { next } = await listen(ann, { resourcesListChanged: true });
    await store(ann, { title: 'From elsewhere', content: 'Text.' }, other);
    expect(await next()).toMatchObject(listChanged);
  });

  it('does not tell of changes on the graphs of others (ai-surface M-20f)', async () => {
    const id = await store(sam, { title: 'Own', content: 'Text.' });
    const uri = uriOf(sam, id);
    const { next } = await listen(sam, { resourcesListChanged: true, resourceSubscriptions: [uri] });
    await store(ann, { title: 'Foreign', content: 'Text.' });
    await store(sam, { document_id: id, content: 'New text.' });
    // A change of the list, as the foreign document is one, would have been sent first.
    expect(await next()).toMatchObject(updated(uri));
  });

  it('tells of all that it watches when notifications may have been missed (ai-surface M-20f)', async () => {
    const uri = uriOf(ann, 'doc_1');
    const { next } = await listen(ann, { resourcesListChanged: true, resourceSubscriptions: [uri] });
    await service.store.notify('pacioli_change', `${ann.graphId} of-a-later-version`);
    await service.store.notify('pacioli_change', '');
    expect([await next(), await next()]).toMatchObject([listChanged, updated(uri)]);
  });

  it('tells of changed tools when the list of the caller has changed (ai-surface M-20f)', async () => {
    const owner = await newReader('Olive');
    const path = `/v1/graphs/${owner.graphId}/members`;
    const member = await joinTeam(service, owner.client);
    await owner.client.post(path, { user_id: member.userId, role: 'viewer' });
    const reader = { graphId: owner.graphId, headers: await keyOf(member.client) };
    const [theirs, owners] = [
      await listen(reader, { toolsListChanged: true }),
      await listen(owner, { toolsListChanged: true, resourcesListChanged: true }),
    ];
    await owner.client.put(`${path}/${member.userId}`, { role: 'member' });
    expect(await theirs.next()).toMatchObject(toolsChanged);
    await store(owner, { title: 'Later', content: 'Text.' });
    expect(await owners.next(), 'the list of the owner is the same').toMatchObject(listChanged);
  });

  it('serves the official client, which closes it (ai-surface M-20f)', async () => {
    const client = await connectClient(`${service.url}/v1/graphs/${ann.graphId}/mcp`, ann.headers, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    });
    const heard = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/resources/list_changed', () => resolve());
    });
    const subscription = await client.listen({ resourcesListChanged: true });
    expect(subscription.honoredFilter).toEqual({ resourcesListChanged: true });
    await store(ann, { title: 'For the client', content: 'Text.' });
    await heard;
    await subscription.close();
    expect(await subscription.closed).toBe('local');
    await client.close();
  });
});

describe('the limits of streams', () => {
  it('allow 5 open streams for each user in all processes, and another after one was closed (ai-surface M-20f)', async () => {
    const reader = await newReader('Lin');
    const filter = { toolsListChanged: true };
    const open = [];
    for (const at of [service, other, service, other, service]) open.push(await listen(reader, filter, at));
    const sixth = () => post(reader, 'subscriptions/listen', { notifications: filter });
    const refused = await sixth();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await messageOf(refused)).error.message).toMatch(/^Too many open subscriptions \(limit: 5 for each user\)/);
    await listen(ann, filter);
    open[1]?.leave();
    await expect.poll(() => listen(reader, filter).then(() => 'open', String)).toBe('open');
  });

  it('allow 100 documents in a filter, and refuse 101 (ai-surface M-20f)', async () => {
    const uris = Array.from({ length: 101 }, (_each, at) => uriOf(ann, `doc_${at}`));
    const { honored } = await listen(ann, { resourceSubscriptions: uris.slice(1) });
    expect(honored.resourceSubscriptions).toHaveLength(100);
    const refused = await post(ann, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
    expect(refused.status).toBe(400);
    expect((await messageOf(refused)).error).toEqual({
      code: -32602,
      message: 'Invalid params: at most 100 resourceSubscriptions. Ask for resourcesListChanged instead.',
    });
  });

  it('refuse a malformed filter, a client without event streams, and a user without access to the graph', async () => {
    for (const params of [{}, { notifications: [] }, { notifications: { resourceSubscriptions: [1] } }]) {
      const refused = await messageOf(await post(ann, 'subscriptions/listen', params));
      expect(refused.error).toMatchObject({ code: -32602 });
    }
    const json = { ...ann, headers: { ...ann.headers, Accept: 'application/json' } };
    expect((await post(json, 'subscriptions/listen', { notifications: {} })).status).toBe(406);
    const stranger = { ...sam, graphId: ann.graphId };
    expect((await post(stranger, 'subscriptions/listen', { notifications: {} })).status).toBe(403);
  });
});
