/**
 * Limits a page to its own styles and images and the directives in `more`: no page has inline scripts, eval, frames or
 * other origins (platform E-14).
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
