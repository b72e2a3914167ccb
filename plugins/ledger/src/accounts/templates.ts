/** The charts that ship with the ledger, in the order in which they are listed (ledger L-25, L-26). */
export const templateKeys = ['services', 'saas', 'product', 'nonprofit', 'cafe'] as const;
export type TemplateKey = (typeof templateKeys)[number];

export interface TemplateAccount {
  readonly code: string;
  readonly name: string;
  readonly trait: string;
  readonly subClassification: string;
  readonly balanceType: 'debit' | 'credit';
  /** Local name of the reporting concept; null where the account has none. */
  readonly concept: string | null;
}

export interface TemplateText {
  readonly key: TemplateKey;
  readonly displayName: string;
  readonly description: string;
}

export const templateTexts: readonly TemplateText[] = [
  {
    key: 'services',
    displayName: 'Professional services',
    description: 'Consultancies and agencies that sell time and projects.',
  },
  {
    key: 'saas',
    displayName: 'Subscription software',
    description: 'Software sold by subscription, with deferred revenue and commissions.',
  },
  { key: 'product', displayName: 'Retail and products', description: 'Shops and makers that keep an inventory.' },
  {
    key: 'nonprofit',
    displayName: 'Nonprofit',
    description: 'Organizations funded by contributions, grants and dues.',
  },
  { key: 'cafe', displayName: 'Café', description: 'Coffee shops and small food service.' },
];

const legalForms = ['corporation', 'llc', 'partnership', 'nonprofit'] as const;
export type LegalForm = (typeof legalForms)[number];

const spellings: Readonly<Record<string, LegalForm>> = {
  corporation: 'corporation',
  inc: 'corporation',
  corp: 'corporation',
  'c-corp': 'corporation',
  's-corp': 'corporation',
  llc: 'llc',
  'limited liability company': 'llc',
  partnership: 'partnership',
  lp: 'partnership',
  llp: 'partnership',
  gp: 'partnership',
  nonprofit: 'nonprofit',
  npo: 'nonprofit',
  '501c3': 'nonprofit',
};

/** Reads a legal form from free text; unknown text means a corporation (ledger L-21). */
export function legalFormOf(text: string | null | undefined): LegalForm {
  return spellings[(text ?? '').trim().toLowerCase().replace(/\.$/, '')] ?? 'corporation';
}

/** The legal form on the wire: older clients do not know the nonprofit form (ledger L-21). */
export function reportedForm(form: LegalForm): string {
  return form === 'nonprofit' ? 'corporation' : form;
}

/** The form whose equity accounts a template gets; the nonprofit template has its own (ledger 1.3.4). */
export function formOfTemplate(template: TemplateKey, text: string | null | undefined): LegalForm {
  return template === 'nonprofit' ? 'nonprofit' : legalFormOf(text);
}

/** The rows of a template for a legal form: its own accounts and the form's equity, by code. */
export function templateAccounts(templateCsv: string, equityCsv: string, form: LegalForm): readonly TemplateAccount[] {
  const own = rowsOf(templateCsv).map((cells) => accountOf(cells));
  const equity = rowsOf(equityCsv)
    .filter(([of]) => of === form)
    .map(([, ...cells]) => accountOf(cells));
  return [...own, ...equity].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Reads the rows of a template file; throws for a row with the wrong number of cells, which would shift its values. */
function rowsOf(csv: string): readonly (readonly string[])[] {
  const [header = '', ...lines] = csv.trim().split('\n');
  const width = cellsOf(header).length;
  return lines.map((line) => {
    const cells = cellsOf(line);
    if (cells.length !== width) throw new Error(`A row of a chart template must have ${width} columns: ${line}`);
    return cells;
  });
}

/** The cells of one line; a cell that contains a comma is quoted. */
function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,"]*))(?=,|$)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

function accountOf([
  code = '',
  name = '',
  trait = '',
  subClassification = '',
  side = '',
  concept = '',
]: readonly string[]): TemplateAccount {
  if (side !== 'D' && side !== 'C') throw new Error(`The side of account ${code} must be D or C, not '${side}'.`);
  return {
    code,
    name,
    trait,
    subClassification,
    balanceType: side === 'D' ? 'debit' : 'credit',
    concept: concept === '' ? null : concept,
  };
}
