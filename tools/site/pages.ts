// The pages of the site of the documents, in the order of its menu and of llms.txt. They are the Markdown files of the repository.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../..');

const decisions = readdirSync(path.join(root, 'docs/decisions'))
  .filter((name) => /^\d/.test(name))
  .sort();

export const sections: Readonly<Record<string, readonly string[]>> = {
  Overview: ['README.md', 'README.zh.md', 'docs/guide.md', 'CHANGELOG.md'],
  'For developers of clients': [
    'docs/client.md',
    'docs/import.md',
    'docs/sync.md',
    'docs/webhooks.md',
    'docs/postman.md',
    'mcp/README.md',
  ],
  'For operators': [
    'docs/one-server.md',
    'docs/settings.md',
    'docs/single-sign-on.md',
    'docs/roster.md',
    'docs/operations.md',
    'docs/scaling.md',
    'SECURITY.md',
    'docs/security-asvs.md',
    'docs/privacy.md',
    'docs/accessibility.md',
  ],
  'For contributors': ['CONTRIBUTING.md', 'bench/README.md'],
  Decisions: ['docs/decisions/README.md', ...decisions.map((name) => `docs/decisions/${name}`)],
};

export const pages = Object.values(sections).flat();

export const markdownOf = (page: string) => readFileSync(path.join(root, page), 'utf8');

export const titleOf = (page: string) =>
  page === 'README.zh.md' ? '中文说明' : (/^# (.+)$/m.exec(markdownOf(page))?.[1] ?? page);

export const shortName = (text: string) => text.replace('README.zh.', 'zh.').replace('README.', 'index.');

/** README.md → index.html, README.zh.md → zh.html, mcp/README.md → mcp/index.html, docs/guide.md → docs/guide.html */
export const addressOf = (page: string) => shortName(page).replace(/md$/, 'html');
