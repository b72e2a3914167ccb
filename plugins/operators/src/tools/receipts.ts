/** A write of a run, as it is listed in the metadata of its answer (ai-surface 7.5). */
export interface WriteReceipt {
  readonly operation: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly block_type?: string;
}

const maxNameLength = 200;

/** The receipt of a tool's result: the id and name that it reports, or else the name in its arguments. */
export function receiptOf(tool: string, input: unknown, result: unknown): WriteReceipt {
  const made = resultIn(result);
  const given = objectIn(input);
  const blockType = textIn(made, 'block_type') ?? textIn(given, 'block_type');
  return {
    operation: tool,
    id: idIn(made),
    name:
      (textIn(made, 'name') ?? textIn(made, 'title') ?? textIn(given, 'name') ?? textIn(given, 'title') ?? null)?.slice(
        0,
        maxNameLength,
      ) ?? null,
    ...(blockType === undefined ? {} : { block_type: blockType }),
  };
}

/** The result within an envelope, or the object itself. */
function resultIn(value: unknown): Readonly<Record<string, unknown>> {
  const whole = objectIn(value);
  const inner = whole['result'];
  return typeof inner === 'object' && inner !== null ? objectIn(inner) : whole;
}

function idIn(made: Readonly<Record<string, unknown>>): string | null {
  const own = textIn(made, 'id');
  if (own !== undefined) return own;
  const key = Object.keys(made).find((each) => each.endsWith('_id') && each !== 'graph_id' && each !== 'operation_id');
  return key === undefined ? null : (textIn(made, key) ?? null);
}

function textIn(value: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>) // Its keys are read as unknown.
    : {};
}
