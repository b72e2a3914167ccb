import type { Plugin } from '../define/plugin.ts';
import type { Problem } from './problem.ts';

/** Finds operations and views with neither a tool nor a reason for having none (ai-surface M-50). */
export function undecidedTools(plugins: readonly Plugin[]): readonly Problem[] {
  return plugins.flatMap((plugin) =>
    [...plugin.operations, ...plugin.views].flatMap((part): readonly Problem[] => {
      const where = `${part.kind} "${part.name}" of ${plugin.name}`;
      if (part.mcp === undefined)
        return [
          {
            text: `${where} does not say whether AI clients may call it; state mcp: { hint: '…' } or mcp: { held: '…' }`,
          },
        ];
      const isOffGraph = part.kind === 'operation' && part.path !== undefined && !part.path.includes('{graph_id}');
      return isOffGraph && !('held' in part.mcp)
        ? [{ text: `${where} has no graph in its path, so it cannot be a tool; state mcp: { held: '…' }` }]
        : [];
    }),
  );
}
