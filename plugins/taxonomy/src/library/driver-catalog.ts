import type { FrameworkDriver, FrameworkElement } from '../vocabulary/index.ts';
import { driverPrefix, gaapPrefix } from './framework.ts';

/** The key and name of the structure that lists the shipped drivers of forecasts (reporting 10.2). */
export const driverCatalog = { key: 'forecast-drivers', name: 'Forecast Drivers' } as const;

/** The heading above the drivers: a presentation arc needs a parent. */
export const driverHeading: FrameworkElement = {
  qname: `${driverPrefix}:ForecastDriversAbstract`,
  localName: 'ForecastDriversAbstract',
  label: driverCatalog.name,
  itemType: null,
  balance: null,
  period: 'duration',
  isAbstract: true,
  isMonetary: false,
  trait: null,
  liquidity: null,
  activity: null,
  isExtension: true,
  nameVerified: false,
  balanceChecked: false,
};

/** The rule of a driver: its expression, and the concept of each variable with the driven line first. */
export interface DriverRule {
  readonly expression: string;
  readonly variables: readonly { readonly name: string; readonly qname: string }[];
}

/** Every name except the `t` of the previous month, `[t-1]`. */
const namePattern = /(?<!\[)\b[A-Za-z]\w*/g;

/** Turns a formula over local names into a rule; a name is a driver or a concept of the framework. */
export function driverRule(driver: FrameworkDriver, drivers: readonly FrameworkDriver[]): DriverRule {
  const own = new Set(drivers.map(({ element }) => element.localName));
  const names = new Set([driver.drives, ...namesIn(driver.formula)]);
  return {
    expression: `$${driver.drives} = ${driver.formula.replace(namePattern, '$$$&')}`,
    variables: [...names].map((name) => ({ name, qname: `${own.has(name) ? driverPrefix : gaapPrefix}:${name}` })),
  };
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
    if (!namesIn(driver.formula).includes(localName)) problems.push('does not occur in its formula');
    return problems.map((problem) => `The driver ${qname} ${problem}.`);
  });
}

function namesIn(formula: string): readonly string[] {
  return formula.match(namePattern) ?? [];
}
