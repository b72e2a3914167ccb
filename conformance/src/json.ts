/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, or else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item): item is string => typeof item === 'string');
}

/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}
