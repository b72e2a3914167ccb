import type { Plugin } from '../define/plugin.ts';
import type { Domains } from '../services/kernel-tokens.ts';
import { type Aliases, domainOwners } from './endpoints.ts';

/** Maps the domains of a set to the names that this host gives them. */
export function domainNames(plugins: readonly Plugin[], aliases: Aliases): Domains {
  const owners = domainOwners(plugins);
  const byWireName = new Map<string, string>();
  for (const domain of owners.keys())
    for (const name of [domain, ...(aliases[domain] ?? [])]) byWireName.set(name, domain);
  return {
    resolve: (wireName) => byWireName.get(wireName),
    wireName: (domain) => aliases[domain]?.[0] ?? domain,
    all: () => [...owners].map(([domain, plugin]) => ({ domain, title: plugin.title, plugin: plugin.name })),
  };
}
