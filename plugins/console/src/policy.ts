/**
 * Limits a page to its own styles and images, and to the directives in `more`. No inline script, no eval, no frame, and
 * no other origin, on any page (platform E-14).
 */
export function contentSecurityPolicy(more: Readonly<Record<string, string>> = {}): string {
  const directives = {
    'default-src': "'none'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...more,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
