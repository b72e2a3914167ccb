/**
 * Starts a release with all plugins several times.
 * @module-tag full-run
 */
// Goal: an operator learns what a release changes in the library, and pins graphs to an edition. Method: the functions
// of the commands run in this process over one service.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@pacioli/core';
import { assemble } from '@pacioli/core/assembly';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { library } from '@pacioli/taxonomy';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeView, reportGraph, reportRelease, showView } from '../src/library-answers.ts';
import { aliases, plugins } from '../src/plugins.ts';
import {
  cash,
  gone,
  mapOneAccount,
  onEarlierLibrary,
  pinBehindItsBack,
  standard,
  storedHash,
  timeout,
} from './library-fixture.ts';

const text = { isJson: false };

describe('pacioli library', () => {
  let folder: string;
  let service: TestService;
  let user: TestClient;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-library-'));
    service = await startTestService({ plugins, aliases });
    user = await service.newUser('Ann');
  }, timeout);
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts this release on the test database, as a server would. */
  async function startRelease(): Promise<void> {
    const graphStore = ladybugGraphStore({ folder: join(folder, 'graphs') });
    const auth = { jwtSecret: 'a secret that only tests know: 0123456789', issuer: 'test', audience: 'test' };
    try {
      await (await assemble({ plugins, store: service.store, graphStore, auth })).close();
    } finally {
      await graphStore.close();
    }
  }

  async function mapTo(graphId: string, qname: string): Promise<void> {
    await service.store.transaction({ graphId }, (tx) =>
      tx.query(sql`update taxonomy_association set to_element_id = (
          select id from taxonomy_element where graph_id = 'library' and qname = ${qname})
        where graph_id = ${graphId} and association_type = 'mapping'`),
    );
  }

  it('pins a graph, reports the pin, and removes it (taxonomy LB-9)', { timeout }, async () => {
    const graph = await mapOneAccount(user);
    const pin = { ...standard, overrides: { fac: 'v1' } };
    const pinned = await changeView(service, graph, (views, work) => views.pin(work, pin));
    expect(JSON.parse(pinned.text)).toEqual({ pin, excludedIds: [] });
    const other = changeView(service, graph, (views, work) => views.pin(work, { framework: 'rs-gaap@v9' }));
    await expect(other).rejects.toThrow(/^rs-gaap@v9 is not shipped\. Choose from .*rs-gaap@v1/);
    expect(await showView(service, graph)).toEqual(pinned);
    const unpinned = await changeView(service, graph, (views, work) => views.unpin(work));
    expect(JSON.parse(unpinned.text)).toEqual({ pin: standard, excludedIds: [] });
  });

  it('hides concepts from the lists of a graph, except those that a mapping needs (taxonomy LB-10)', {
    timeout,
  }, async () => {
    const graph = await mapOneAccount(user);
    const hide = (id: string) => changeView(service, id, (views, work) => views.exclude(work, [cash]));
    await expect(hide(graph)).rejects.toThrow(`These concepts cannot be hidden: ${cash} (mapped). Leave them out.`);
    for (const ask of [hide, (id: string) => showView(service, id), (id: string) => reportGraph(service, id, text)])
      await expect(ask('kg0')).rejects.toThrow("There is no graph 'kg0'.");
    expect(JSON.parse((await showView(service, graph)).text)).toMatchObject({ excludedIds: [] });
  });

  it('reports the changes of a release for a graph (taxonomy LB-12)', { timeout }, async () => {
    const graph = await mapOneAccount(user);
    await onEarlierLibrary(service.store, async () => {
      const report = await reportGraph(service, graph, text);
      expect(report.text).toContain(`Removed concepts: 1 (${gone}).\n`);
      expect(report.text).toContain(`  ${cash} in rs-gaap:AssetsCurrent: -1 before, 1 after.\n`);
      const affected = `1 mapping\\(s\\) of ${graph} are affected\\.\n {2}elem_\\w+ -> ${cash}: one of its calculations changes`;
      expect(report.text).toMatch(new RegExp(affected));
      expect(report.text).toMatch(/Nothing blocks it\.$/);
      expect(report.exitCode).toBe(0);
    });
  });

  it('reports what blocks the start of a release, before it writes anything (taxonomy LB-11)', {
    timeout,
  }, async () => {
    const graph = await mapOneAccount(user);
    await onEarlierLibrary(service.store, async () => {
      await mapTo(graph, gone);
      const held = await reportRelease(service, text);
      expect(held.text).toContain(`${graph} has mapped 1 account(s) to ${gone}, which is removed.`);
      expect(held.text).toMatch(/The release cannot start\.$/);
      const report = await reportGraph(service, graph, { isJson: true });
      expect(JSON.parse(report.text)).toMatchObject({
        missing: [gone],
        affected: [{ concept: gone, because: 'missing' }],
        leftBehind: null,
      });
      expect([held.exitCode, report.exitCode]).toEqual([1, 1]);
      expect((await reportGraph(service, graph, text)).text).toMatch(/Refused: first map the accounts [^\n]+$/);
      await expect(startRelease()).rejects.toThrow(
        `This release removes concepts to which graphs have mapped accounts: ${graph}: ${gone}`,
      );
      expect(await storedHash(service.store)).toBe('earlier');
      await mapTo(graph, cash);
    });
    expect(await reportRelease(service, text)).toEqual({
      text:
        'Removed concepts: 0.\nNew concepts: 0.\nAdded, removed or changed calculations: 0.\n' +
        'The release can start.',
      exitCode: 0,
    });
  });

  it('lists the accounts that move from a retired concept to its replacement, and moves them at start (taxonomy LB-5)', {
    timeout,
  }, async () => {
    const [row] = service.service.services.resolve(library).rows.retired;
    if (row === undefined) throw new Error('The release retires no concept.');
    const graph = await mapOneAccount(user);
    await onEarlierLibrary(service.store, async () => {
      await service.store.transaction({ graphId: 'library' }, (tx) =>
        tx.query(sql`insert into taxonomy_element
          select (jsonb_populate_record(e, jsonb_build_object('id', ${row.id}::text, 'qname', ${row.qname}::text))).*
          from taxonomy_element e where graph_id = 'library' and id = ${row.replacedById}`),
      );
      await mapTo(graph, row.qname);
      const release = await reportRelease(service, text);
      expect(release.text).toContain(
        `${graph}: 1 account(s) move from ${row.qname} to ${row.replacedBy}, which replaces it.`,
      );
      const report = await reportGraph(service, graph, text);
      expect(report.text).toMatch(new RegExp(`elem_\\w+ -> ${row.qname}: another concept replaces it\\.`));
      expect(report.text).not.toContain('closed month(s) change');
      expect([release.exitCode, report.exitCode]).toEqual([0, 0]);
      await startRelease();
    });
    const { body } = await user.graphql(graph, '{ mappings { structures { id } } }');
    const id = body.data.mappings.structures[0].id;
    const mapping = await user.graphql(graph, `{ mapping(mappingId: "${id}") { associations { toElementQname } } }`);
    expect(mapping.body.data.mapping.associations).toEqual([{ toElementQname: row.replacedBy }]);
  });

  it('blocks a release that does not include the edition of a pin, and names the graphs (taxonomy LB-9)', {
    timeout,
  }, async () => {
    const [graph, other] = [await mapOneAccount(user), await mapOneAccount(user)];
    const pin = { framework: 'rs-gaap@v0', overrides: {} };
    await onEarlierLibrary(service.store, async () => {
      await pinBehindItsBack(service.store, graph, pin.framework);
      const release = await reportRelease(service, text);
      expect(release.text).toContain(`${graph}: pinned to ${JSON.stringify(pin)}, which this release`);
      const report = await reportGraph(service, graph, text);
      expect(report.text).toMatch(/Refused: kg\w+ is pinned to [^\n]+"pacioli library unpin"[^\n]+$/);
      expect(report.text).not.toContain('Nothing blocks it.');
      expect([release.exitCode, report.exitCode]).toEqual([1, 1]);
      expect(JSON.parse((await reportGraph(service, graph, { isJson: true })).text)).toMatchObject({ leftBehind: pin });
      expect((await reportGraph(service, other, text)).exitCode).toBe(0);
      await expect(startRelease()).rejects.toThrow(
        `This release does not contain the editions to which graphs are pinned: ${JSON.stringify(pin)} of ${graph}. Remove`,
      );
      await changeView(service, graph, (views, work) => views.unpin(work));
      expect(await reportGraph(service, graph, text)).toMatchObject({ exitCode: 0 });
      expect(await reportRelease(service, text)).toMatchObject({ exitCode: 0 });
    });
  });
});
