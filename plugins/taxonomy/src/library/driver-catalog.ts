import type { FrameworkDriver, FrameworkElement } from '../vocabulary/index.ts';
import { type CatalogRule, catalogHeading, catalogRule, namesIn } from './catalog-rule.ts';
import { driverPrefix } from './framework.ts';

/** The key and name of the structure that lists the shipped drivers of forecasts (reporting 10.2). */
export const driverCatalog = { key: 'forecast-drivers', name: 'Forecast Drivers' } as const;

/** The heading above the drivers. */
export const driverHeading = catalogHeading(driverPrefix, 'ForecastDriversAbstract', driverCatalog.name);

/** Every name except the `t` of the previous month, `[t-1]`. */
const namePattern = /(?<!\[)\b[A-Za-z]\w*/g;

/** Turns a formula over local names into a rule; a name is a driver or a concept of the framework. */
export function driverRule(driver: FrameworkDriver, drivers: readonly FrameworkDriver[]): CatalogRule {
  const own = new Set(drivers.map(({ element }) => element.localName));
  return catalogRule({ subject: driver.drives, formula: driver.formula, namePattern, prefix: driverPrefix, own });
}

/** Finds names that the library lacks, and drivers that do not occur in their own formula. */
export function driverProblems(
  drivers: readonly FrameworkDriver[],
  elements: ReadonlyMap<string, FrameworkElement>,
): readonly string[] {
  return drivers.flatMap((driver) => {
    const { qname, localName } = driver.element;
    const unknown = driverRule(driver, drivers).variables.filter((variable) => !elements.has(variable.qname));
    const problems = unknown.map((variable) => `uses ${variable.qname}, which is not defined`);
    if (!namesIn(driver.formula, namePattern).includes(localName)) problems.push('does not occur in its formula');
    return problems.map((problem) => `The driver ${qname} ${problem}.`);
  });
}
