/** What to do after a plugin was created. */
export function nextSteps(name: string, folder: string): string {
  return `Created the plugin ${name} in ${folder}. Next:

  cd ${folder}
  npm install
  npm test
  npm run dev
`;
}
