/** The names of the program's own commands, in help order. No plugin can take one. */
export const hostCommands = [
  'serve',
  'work',
  'migrate',
  'import-journal',
  'demo',
  'audit',
  'library',
  'switches',
  'conformance',
  'dev',
  'gen',
  'new',
  'openapi',
  'sdl',
] as const;
