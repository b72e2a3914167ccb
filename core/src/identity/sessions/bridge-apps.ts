import { parseUrl } from '../../schema/parse-url.ts';
import { isWebLink } from '../../schema/web-link.ts';

/** Another app of the deployment; `base` has no trailing slash. */
export interface BridgeApp {
  readonly name: string;
  readonly base: string;
}

/** Parses the apps of the setting `bridge.apps`, by name. Throws a readable message for an invalid entry. */
export function bridgeApps(entries: readonly string[]): ReadonlyMap<string, BridgeApp> {
  return new Map(
    entries.map((entry) => {
      const split = entry.indexOf('=');
      const name = entry.slice(0, Math.max(split, 0)).trim();
      const base = entry
        .slice(split + 1)
        .trim()
        .replace(/\/+$/, '');
      if (name === '' || !isWebLink(base)) {
        throw new Error(`The app "${entry}" of the bridge must look like name=https://app.example.org.`);
      }
      return [name, { name, base }];
    }),
  );
}

/** True if a browser may be redirected there: a path of the app itself, or a URL on one of the origins. */
export function isAllowedReturn(text: string, origins: readonly string[]): boolean {
  // Browsers read a backslash as a slash and skip control characters, so `/\host` leads to another host.
  if (/[\\\p{Cc}\s]/u.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  const url = parseUrl(text);
  return url !== undefined && origins.some((origin) => parseUrl(origin)?.origin === url.origin);
}
