import graph from '@pacioli/graph';
import mcp from '@pacioli/mcp';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { hasConsent } from '../src/http-server.ts';

describe('the consent page', () => {
  it.each([
    ['exists where apps can be connected', true, [graph, mcp]],
    ['does not exist while oauth is off', false, [graph, mcp.with({ oauth: false })]],
    ['does not exist without the plugin', false, [graph]],
  ])('%s (ai-surface 6, O-24)', async (_title, expected, plugins) => {
    const service = await startTestService({ plugins, worker: false });
    try {
      expect(hasConsent(service.service)).toBe(expected);
    } finally {
      await service.close();
    }
  });
});
