import { CreationError } from './creation-error.ts';

/** The longest prefix that leaves half of PostgreSQL's 63 characters for the noun of a table. */
const maxLength = 30;

/** The plugins that come with Pacioli, and the kernel: each owns the tables with its name. */
const taken = [
  'billing',
  'blocks',
  'connections',
  'console',
  'graph',
  'investor',
  'kernel',
  'ledger',
  'mcp',
  'reporting',
  'taxonomy',
];

/** The spellings of a plugin's name. */
export interface PluginNames {
  /** `expense-claims`: the plugin and its domain. */
  readonly kebab: string;
  /** `expense_claims`: the prefix of its tables. */
  readonly snake: string;
  /** `ExpenseClaims`: the prefix of its row types. */
  readonly pascal: string;
  /** `Expense claims`: for people. */
  readonly title: string;
}

/** Throws a CreationError that says what is wrong with a name. */
export function pluginNames(kebab: string): PluginNames {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kebab)) {
    const advice = 'Use lower-case letters, digits and single dashes, beginning with a letter: expense-claims.';
    throw new CreationError(`"${kebab}" cannot be the name of a plugin. ${advice}`);
  }
  if (kebab.length > maxLength) {
    const reason = 'The names of its tables begin with it.';
    throw new CreationError(`"${kebab}" has ${kebab.length} characters; at most ${maxLength} are allowed. ${reason}`);
  }
  if (taken.includes(kebab)) {
    throw new CreationError(`"${kebab}" is the name of a part of Pacioli. Choose another one, such as my-${kebab}.`);
  }
  const words = kebab.replaceAll('-', ' ');
  return {
    kebab,
    snake: kebab.replaceAll('-', '_'),
    pascal: kebab.replace(/(?:^|-)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
    title: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
  };
}
