import type { SetOptions } from '../src/assembly/compose.ts';
import { describeSet } from '../src/assembly/describe-set.ts';
import { AssemblyError } from '../src/assembly/problems.ts';
import { defineOperation } from '../src/define/operation.ts';
import { definePlugin, type Plugin } from '../src/define/plugin.ts';
import { model } from '../src/schema/model.ts';

/** An operation without content, for tests of the checks of a set. */
export function operation(
  name: string,
  input = model(`${name.replaceAll(/[^A-Za-z]/g, '')}Input`, {}),
  parts: Partial<Parameters<typeof defineOperation>[0]> = {},
): Plugin['operations'][number] {
  return defineOperation({
    name,
    summary: 'Does something.',
    role: 'member',
    openapi: { id: name.replaceAll('-', '_'), tag: 'test' },
    mcp: { held: 'Only for tests.' },
    input,
    output: model('Nothing', {}),
    handle: async () => ({}),
    ...parts,
  } as Parameters<typeof defineOperation>[0]); // The parts belong to an inline operation.
}

export function plugin(name: string, parts: Partial<Parameters<typeof definePlugin>[0]> = {}): Plugin {
  return definePlugin({ name, title: name, version: '1.0.0', kernel: '^0.1.0', ...parts });
}

/** Returns the problems of a set, none if it can be assembled. */
export function problemsOf(plugins: readonly Plugin[], options: Omit<SetOptions, 'plugins'> = {}): readonly string[] {
  try {
    describeSet({ plugins, ...options });
    return [];
  } catch (error) {
    if (error instanceof AssemblyError) return error.problems;
    throw error;
  }
}
