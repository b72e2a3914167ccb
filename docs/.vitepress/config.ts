import { type DefaultTheme, defineConfig, type MarkdownOptions } from 'vitepress';
import { anchorOf } from '../../scripts/reference/markdown.ts';
import { addresses, fileOf, pageLink, pagesOf } from './pages.ts';

/** Rules, and frameworks with thousands of concepts: their words would hide every other page. */
const notSearched = new Set(['docs/reference/rules.md', 'docs/spec/taxonomy-data.md']);

const first: readonly DefaultTheme.SidebarItem[] = [
  { text: 'Overview', link: '/overview' },
  { text: 'Glossary', link: '/glossary' },
  { text: 'Contributing', link: '/contributing' },
  { text: 'Security', link: '/security' },
];

function section(text: string, folder: string, isCollapsed: boolean): DefaultTheme.SidebarItem {
  const items = pagesOf(folder).filter(({ link }) => !link.endsWith('/'));
  return { text, items: [...items], collapsed: isCollapsed };
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6b4f"/>' +
  '<path d="M7 9h18M16 9v16" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>';

interface PageEnvironment {
  readonly relativePath: string;
}

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** Points links at pages of the site; one to a file that is not on it, such as a source, becomes plain text. */
function adaptLinks(markdown: MarkdownIt): void {
  markdown.core.ruler.push('links-to-pages', (state) => {
    const file = fileOf((state.env as PageEnvironment).relativePath);
    for (const { children } of state.tokens) {
      if (children === null) continue;
      let isDropped = false;
      for (const token of children) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? '';
          if (/^(?:#|[a-z]+:)/.test(href)) continue;
          const link = pageLink(href, file);
          if (link === undefined && href.split('#')[0]?.endsWith('.md'))
            throw new Error(`${file} links to ${href}, which is no page. Correct the link.`);
          isDropped = link === undefined;
          if (link !== undefined) token.attrSet('href', link);
        }
        const isEnd = token.type === 'link_close';
        if (isDropped && (token.type === 'link_open' || isEnd)) {
          token.type = 'text';
          token.tag = '';
          token.nesting = 0;
          token.content = '';
        }
        if (isEnd) isDropped = false;
      }
    }
  });
}

/** A page is never a template: braces are only braces, wherever they stand. */
function showBraces(markdown: MarkdownIt): void {
  const { renderer } = markdown;
  const render = renderer.render.bind(renderer);
  renderer.render = (...args) =>
    render(...args)
      .replaceAll('{{', '&#123;&#123;')
      .replaceAll('}}', '&#125;&#125;');
}

export default defineConfig({
  title: 'Pacioli',
  description: 'Graph-based financial intelligence: books, statements and analysis on a graph for each company.',
  lang: 'en-US',
  // An initial, so that browsers do not ask for a file.
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: '..',
  rewrites: Object.fromEntries(Object.entries(addresses).filter(([file, address]) => file !== address)),
  srcExclude: ['**/node_modules/**', '**/dist/**', '**/src/**', '**/data/**', '**/test/**', '**/fixtures/**'],
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    html: false,
    theme: { light: 'github-light', dark: 'github-dark' },
    anchor: { slugify: anchorOf },
    config: (markdown) => {
      adaptLinks(markdown);
      showBraces(markdown);
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/01-first-plugin', activeMatch: '^/guide/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Specification', link: '/spec/platform', activeMatch: '^/spec/' },
      { text: 'Decisions', link: '/decisions/0001-need-instead-of-permission-names', activeMatch: '^/decisions/' },
    ],
    sidebar: [
      { text: 'Introduction', items: [...first] },
      section('Guide', 'guide', false),
      section('Reference', 'reference', false),
      section('Packages', 'packages', true),
      section('Specification', 'spec', true),
      section('Decisions', 'decisions', true),
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (source, env, markdown) =>
          notSearched.has(fileOf((env as PageEnvironment).relativePath)) ? '' : markdown.render(source, env),
        miniSearch: { searchOptions: { boost: { title: 4, titles: 2, text: 1 }, fuzzy: 0.1, prefix: true } },
      },
    },
  },
});
