import type { ReportBundle } from '../bundle/index.ts';
import { type WrittenFile, zipOf } from '../zip/index.ts';
import type { XbrlPlan } from './plan.ts';
import { omittedOf, planPackage } from './plan-package.ts';
import { selfCheck } from './self-check.ts';
import { writeInstance } from './write-instance.ts';
import { writeLinkbases } from './write-linkbases.ts';
import { frameworkSchema, reportSchema, schemaFile } from './write-schemas.ts';
import { xml, xmlText } from './xml.ts';

const maxProblemsNamed = 10;

/**
 * A report as an XBRL 2.1 report package (reporting section 14), as the bytes of its ZIP. The instance, which has all
 * facts, is written while the ZIP is read. Throws at once, and not while it is read, if the package would not be valid
 * (X-42).
 */
export function writeXbrlPackage(bundle: ReportBundle): AsyncIterable<Uint8Array> {
  return zipOf(packageFiles(bundle));
}

/** The files of the package, below its only top folder (reporting 14.1). */
export function packageFiles(bundle: ReportBundle): readonly WrittenFile[] {
  const plan = planPackage(bundle);
  const problems = selfCheck(plan);
  if (problems.length > 0) {
    const named = problems.slice(0, maxProblemsNamed).join('; ');
    throw new Error(`The XBRL package of report '${bundle.report.id}' has ${problems.length} problem(s): ${named}`);
  }
  const linkbases = writeLinkbases(plan);
  const taxonomy = (file: string, text: string) => textFile(`${plan.stem}/taxonomy/${file}`, text);
  return [
    textFile(`${plan.stem}/META-INF/reportPackage.json`, reportPackageJson),
    textFile(`${plan.stem}/META-INF/taxonomyPackage.xml`, taxonomyPackage(plan)),
    textFile(`${plan.stem}/META-INF/catalog.xml`, catalog(plan)),
    { path: `${plan.stem}/reports/${plan.stem}.xbrl`, parts: () => writeInstance(plan) },
    taxonomy('report.xsd', reportSchema(plan, linkbases)),
    ...plan.frameworks.map((framework) => taxonomy(schemaFile(framework.prefix), frameworkSchema(plan, framework))),
    ...linkbases.map(({ file, text }) => taxonomy(file, text)),
  ];
}

function textFile(path: string, text: string): WrittenFile {
  return { path, parts: () => [text] };
}

/** The contents of the report that the package leaves out. */
export function omittedFromPackage(bundle: ReportBundle): readonly string[] {
  return omittedOf(bundle);
}

const reportPackageJson = `${JSON.stringify({ documentInfo: { documentType: 'https://xbrl.org/report-package/2023' } }, null, 2)}\n`;

function taxonomyPackage({ space, name, generation, publisher, publishedOn }: XbrlPlan): string {
  return xmlText(
    xml(
      'tp:taxonomyPackage',
      { 'xmlns:tp': 'http://xbrl.org/2016/taxonomy-package', 'xml:lang': 'en' },
      xml('tp:identifier', {}, space),
      xml('tp:name', {}, name),
      xml('tp:description', {}, `The taxonomy of the report "${name}".`),
      xml('tp:version', {}, String(generation)),
      xml('tp:publisher', {}, publisher),
      xml('tp:publicationDate', {}, publishedOn),
      xml(
        'tp:entryPoints',
        {},
        xml(
          'tp:entryPoint',
          {},
          xml('tp:name', {}, name),
          xml('tp:entryPointDocument', { href: `${space}report.xsd` }),
        ),
      ),
    ),
  );
}

function catalog({ space }: XbrlPlan): string {
  return xmlText(
    xml(
      'catalog',
      { xmlns: 'urn:oasis:names:tc:entity:xmlns:xml:catalog' },
      xml('rewriteURI', { uriStartString: space, rewritePrefix: '../taxonomy/' }),
    ),
  );
}
