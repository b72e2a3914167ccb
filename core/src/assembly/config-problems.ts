import type { Plugin } from '../define/plugin.ts';
import { isJsonSchema, propertiesOf } from '../schema/names.ts';
import { SchemaValidator } from '../schema/validate.ts';
import type { Problem } from './problem.ts';

/** Finds configurations with unknown settings or values that their schema rejects (platform X-11). */
export function wrongConfigurations(plugins: readonly Plugin[]): readonly Problem[] {
  const validator = new SchemaValidator({ checksSchemas: false });
  return plugins.flatMap(({ name, config }) => {
    if (config === undefined) return [];
    const unknown = unknownSettings(config.schema, config.value, []);
    // The validator fills in defaults, and is silent about unknown settings unless the model is closed.
    const checked = validator.check(config.schema, structuredClone(config.value), 'body');
    const issues = checked.ok ? [] : checked.issues.filter(({ type }) => type !== 'extra_forbidden');
    const reasons = [
      ...unknown.map((setting) => `${setting}: unknown setting`),
      ...issues.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`),
    ];
    return reasons.length === 0 ? [] : [{ text: `The configuration of ${name} is not valid: ${reasons.join('; ')}` }];
  });
}

/** Lists the settings that a schema does not have; an object without declared fields may have any. */
function unknownSettings(schema: object, value: unknown, path: readonly string[]): readonly string[] {
  const properties = new Map(propertiesOf(schema));
  if (properties.size === 0 || !isJsonSchema(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    const known = properties.get(key);
    return known === undefined ? [[...path, key].join('.')] : unknownSettings(known, field, [...path, key]);
  });
}
