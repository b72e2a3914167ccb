import type { AssetName, Assets, PageFile } from './assets.ts';
import { contentSecurityPolicy } from './policy.ts';

/** The folder of the assets relative to the root of a deployment. */
export const assetFolder = '/console/assets/';

export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Shell {
  readonly title: string;
  /** From the page to the root of the deployment, such as `../..`. */
  readonly root: string;
  readonly styles: readonly (AssetName | PageFile)[];
  readonly scripts: readonly (AssetName | PageFile)[];
  readonly body: string;
  /** Directives in addition to those of every page. */
  readonly policy?: Readonly<Record<string, string>>;
  /** The one-time value of the policy that scripts and styles must have, for pages where users sign in. */
  readonly nonce?: string;
}

/** Renders a complete page; the body must be trusted markup: texts in it are escaped by `escapeMarkup`. */
export function createPage(files: Assets, shell: Shell): Page {
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(shell.policy),
      'Cache-Control': 'no-cache',
    },
    body: html(files, shell),
  };
}

/** Scripts load in order after the page has been parsed. */
function html(files: Assets, { title, root, styles, scripts, body, nonce }: Shell): string {
  const once = nonce === undefined ? '' : ` nonce="${nonce}"`;
  const url = (name: AssetName | PageFile) => `${root}${assetFolder}${files.pathOf(name)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${url('icon.svg')}">
${styles.map((name) => `<link rel="stylesheet"${once} href="${url(name)}">`).join('\n')}
${scripts.map((name) => `<script defer${once} src="${url(name)}"></script>`).join('\n')}
</head>
<body>
${body}
</body>
</html>
`;
}
