/**
 * Goal: clients hear of what changes on their graph, in whatever process, and of nothing else. Method: streams over HTTP
 * at two services on one store; the order of a stream shows that nothing was sent in between.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
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

  it('is offered by the capabilities of its revision only (ai-surface M-20b, M-20f)', async () => {
    const { result } = await messageOf(await post(ann, 'server/discover', {}));
    expect(result.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
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

  it('ends at once when nothing of the filter can change', async () => {
    const { honored, rest } = await listen(ann, { promptsListChanged: true });
    expect(honored).toEqual({});
    expect(await rest()).toMatchObject([{ id: 7, result: { _meta: { [subscriptionId]: 7 } } }]);
  });

  it('hears of a change in another process, and not of one on a graph of others (ai-surface M-20f)', async () => {
    const here = await listen(ann, { resourcesListChanged: true });
    const there = await listen(
      sam,
      { resourcesListChanged: true, resourceSubscriptions: [uriOf(sam, 'doc_1')] },
      other,
    );
    await store(ann, { title: 'From elsewhere', content: 'Text.' }, other);
    expect(await here.next()).toMatchObject(listChanged);
    // The change of the other graph was notified before this one, and would have arrived before it.
    const [id] = [await store(sam, { title: 'Own', content: 'Text.' })];
    expect(await there.next()).toMatchObject(listChanged);
    const watching = await listen(sam, { resourceSubscriptions: [uriOf(sam, id)] }, other);
    await store(sam, { document_id: id, content: 'New text.' });
    expect(await watching.next()).toMatchObject(updated(uriOf(sam, id)));
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
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const address = new URL(`${service.url}/v1/graphs/${ann.graphId}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: ann.headers } }));
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
  it('are 5 for each user in all processes; a closed one frees its place (ai-surface M-20f)', async () => {
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

  it('are 100 documents in a filter (ai-surface M-20f)', async () => {
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

  it('are a filter of the form of the protocol, and a client that takes event streams', async () => {
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
