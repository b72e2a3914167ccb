/**
 * Starts graph servers.
 * @module-tag full-run
 */
import { describeGraphStore } from '@pacioli/graph-statements/testing';
import { describe, it } from 'vitest';
import { openBoltTestStore } from '../test/bolt-test-store.ts';
import { reasonToSkip } from './testing/bolt-servers.ts';

/** Undefined on a machine that can start graph servers. */
const reason = reasonToSkip();
if (reason === undefined) describeGraphStore('bolt', () => openBoltTestStore(8));
else describe.skip(`graph store bolt: ${reason}`, () => it('is tested', () => undefined));
