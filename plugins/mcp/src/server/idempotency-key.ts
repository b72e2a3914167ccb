/** 1 to 255 visible ASCII characters, as the header of operations, or none (platform N-20). */
export function isIdempotencyKey(key: unknown): key is string | undefined {
  return key === undefined || (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key));
}
