import { Command } from 'commander';
import { hostSwitches } from '../host-switches.ts';
import { kernelSwitches, takenBy } from '../kernel-switches.ts';
import { pluginSwitches, settingsIn } from '../plugin-switches.ts';

/** Column widths; with the borders the table is 120 columns wide. */
const columns = [39, 20, 57];

/** Lists every environment switch with its meaning, accepted values and default. */
export function switchesCommand(): Command {
  return new Command('switches')
    .description('Lists every PACIOLI_ switch with its default, its meaning and its accepted values.')
    .action(async () => {
      const { default: Table } = await import('cli-table3'); // Imported here because every command loads this file.
      const table = new Table({
        head: ['Switch', 'Default', 'Meaning and values'],
        colWidths: columns,
        wordWrap: true,
        style: { head: [], border: [] },
      });
      for (const [name, standard, meaning, takes] of [...switchRows(), ...(await pluginRows())].sort(byName))
        table.push([name, standard, `${meaning}\nTakes ${takes}.`]);
      console.log(table.toString());
    });
}

type SwitchRow = readonly [name: string, standard: string, meaning: string, takes: string];

function byName([a]: SwitchRow, [b]: SwitchRow): number {
  return a < b ? -1 : 1;
}

/** The switches of plugins, described by their schemas. Loads the plugins. */
async function pluginRows(): Promise<readonly SwitchRow[]> {
  const { plugins } = await import('../plugins.ts');
  return Object.entries(pluginSwitches).map(([name, { plugin, setting }]) => {
    const schema = plugins.find((each) => each.name === plugin)?.config?.schema;
    const described = settingsIn(schema)[setting];
    if (described === undefined) throw new Error(`The plugin ${plugin} has no setting ${setting}.`);
    return [name, String(described.default), described.description, 'true or false'] as const;
  });
}

function switchRows(): readonly SwitchRow[] {
  const host = Object.entries(hostSwitches).map(
    ([name, { standard, meaning, takes }]) => [name, standard, meaning, takes] as const,
  );
  const kernel = [...kernelSwitches].map(
    ([name, each]) => [name, shown(each.standard), each.words.meaning, takenBy(each)] as const,
  );
  return [...host, ...kernel];
}

function shown(standard: unknown): string {
  if (Array.isArray(standard)) return standard.join(',');
  return typeof standard === 'number' ? String(Number(standard.toPrecision(6))) : String(standard);
}
