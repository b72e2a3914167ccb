import satisfies from 'semver/functions/satisfies.js';
import valid from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';

/** True for a semver version, such as `1.2.3`. */
export function isVersion(text: string): boolean {
  return valid(text) !== null;
}

/** True for a semver range as npm reads it, such as `^1.2.0` or `>=1.2 <3`. */
export function isRange(text: string): boolean {
  return validRange(text) !== null;
}

/** True if the version is in the range, where a pre-release is a version like any other. */
export function isInRange(version: string, range: string): boolean {
  return satisfies(version, range, { includePrerelease: true });
}
