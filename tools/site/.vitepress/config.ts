// The site of the documents: npm run site. Its pages are the Markdown files of the repository, as they are.
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type MarkdownRenderer } from 'vitepress';
import { addressOf, markdownOf, pages, root, sections, shortName, titleOf } from '../pages.ts';

const description = 'Study time, goals and progress for students and the teachers of a school or course.';

/** Where links to files of the sources lead, such as https://git.example.org/studytrack/blob/main; without it they are plain text. */
const source = process.env.SITE_SOURCE;

const menuOf = (listed: readonly string[]) =>
  listed.map((page) => ({ text: titleOf(page), link: `/${addressOf(page)}` }));

/** As GitHub makes them, where the documents are read, too. */
const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Files that are not pages: a link that leads nowhere is left to VitePress, which refuses it. */
function linkSources(md: MarkdownRenderer) {
  md.core.ruler.push('sources', ({ tokens, env }) => {
    for (const { children } of tokens) {
      for (const [start, token] of (children ?? []).entries()) {
        const file = token.type === 'link_open' && sourceOf(token.attrGet('href') ?? '', env.path);
        if (!file) continue;
        const end = children.find(({ type }, index) => index > start && type === 'link_close');
        if (source === undefined) for (const each of [token, end]) Object.assign(each, { type: 'text', content: '' });
        else token.attrSet('href', `${source}/${file}`);
      }
    }
  });
  const render = md.renderer.rules.link_open;
  md.renderer.rules.link_open = (...given) => shortName(render(...given)); // VitePress checks links by the names of the files
}

function sourceOf(href: string, page: string) {
  if (/^(\w+:|#|\/)/.test(href)) return undefined;
  const file = path.resolve(path.dirname(page), href.replace(/#.*/, ''));
  const name = path.relative(root, file);
  return pages.includes(name) || !existsSync(file) ? undefined : name;
}

/** For assistants (llmstxt.org): the list of the pages, the pages as Markdown, and all of them in one file. */
function writeTexts(folder: string) {
  for (const page of pages) cpSync(path.join(root, page), path.join(folder, page));
  const list = Object.entries(sections).map(
    ([name, listed]) => `## ${name}\n\n${listed.map((page) => `- [${titleOf(page)}](${page})`).join('\n')}\n`,
  );
  writeFileSync(path.join(folder, 'llms.txt'), `# Studytrack\n\n> ${description}\n\n${list.join('\n')}`);
  writeFileSync(
    path.join(folder, 'llms-full.txt'),
    pages.map((page) => `<!-- ${page} -->\n\n${markdownOf(page)}`).join('\n'),
  );
}

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export
export default defineConfig({
  title: 'Studytrack',
  description,
  lang: 'en',
  srcDir: '../..',
  outDir: '../../dist/site',
  cacheDir: '../node_modules/.cache/site',
  srcExclude: ['{assets,client,data,src,tests,tools,uploads,web}/**'],
  rewrites: Object.fromEntries(pages.map((page) => [page, addressOf(page).replace(/html$/, 'md')])),
  base: process.env.SITE_BASE ?? '/',
  markdown: { anchor: { slugify }, config: linkSources },
  themeConfig: {
    outline: 'deep',
    search: { provider: 'local' },
    sidebar: Object.entries(sections).map(([text, listed]) => ({ text, items: menuOf(listed) })),
  },
  transformHtml: (html, file) => (file.endsWith('/zh.html') ? html.replace('lang="en"', 'lang="zh-CN"') : undefined),
  buildEnd: ({ outDir }) => writeTexts(outDir),
});
