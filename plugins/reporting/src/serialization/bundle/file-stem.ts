/** The parts of a report that name its files. */
interface NamedReport {
  readonly entity: { readonly name: string };
  readonly columns: readonly { readonly end: string }[];
  readonly report: { readonly generation: number };
}

const maxStemCharacters = 60;

/** The name of the files of a report without its end: the entity, the last date and the generation (reporting X-20). */
export function fileStem({ entity, columns, report }: NamedReport): string {
  const end =
    columns
      .map((column) => column.end)
      .toSorted()
      .at(-1) ?? '';
  const rest = `-${end}-g${report.generation}`;
  const name = entity.name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxStemCharacters - rest.length)
    .replaceAll(/^-+|-+$/g, '');
  return `${name === '' ? 'report' : name}${rest}`;
}
