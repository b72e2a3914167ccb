/** A value of a form body: strings as leaves, objects for `a[b]`. */
export type FormValue = string | { [key: string]: FormValue };

/** Reads `items[0][price]=x` into nested objects; lists become objects with their indexes as keys. */
export function parseForm(text: string): Record<string, FormValue> {
  const root: Record<string, FormValue> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.replaceAll(']', '').split('[');
    let place = root;
    keys.forEach((key, index) => {
      if (index === keys.length - 1) {
        place[key === '' ? String(Object.keys(place).length) : key] = value;
        return;
      }
      const next = place[key];
      const inner = typeof next === 'object' ? next : {};
      place[key] = inner;
      place = inner;
    });
  }
  return root;
}

/** The text at a path of keys, or undefined. */
export function textAt(form: FormValue | undefined, ...keys: readonly string[]): string | undefined {
  let place = form;
  for (const key of keys) place = typeof place === 'object' ? place[key] : undefined;
  return typeof place === 'string' ? place : undefined;
}
