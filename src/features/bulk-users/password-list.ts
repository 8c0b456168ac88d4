import { type Locale, type Message, translate } from '../../messages/index.ts';
import { oneTimePasswordDays } from '../passwords/one-time-password.ts';
import type { CreatedRow } from './bulk-user-service.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (character) => entities[character] ?? '');

const style = `body { font: 12pt sans-serif; margin: 1cm } table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px dashed #888; padding: 0.5em; text-align: left } tr { break-inside: avoid }
code { font: 13pt monospace }`;

export const passwordListPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export function passwordList(rows: readonly CreatedRow[], locale: Locale, publicUrl: string | undefined): string {
  const text = (message: Message) => escapeHtml(translate(message, locale));
  const cells = (tag: 'th' | 'td', ...contents: readonly string[]) =>
    `<tr>${contents.map((content) => `<${tag}>${content}</${tag}>`).join('')}</tr>`;
  const created = rows.filter((row) => row.user_id !== null);
  const failed = rows.filter((row) => row.user_id === null).map((row) => row.username);
  const note = text({ key: 'password_list_note', params: { days: oneTimePasswordDays } });
  const where = publicUrl === undefined ? '' : ` ${escapeHtml(publicUrl)}`;
  return [
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><title>${text({ key: 'password_list_title' })}</title>`,
    `<style>${style}</style><h1>${text({ key: 'password_list_title' })}</h1><p>${note}${where}</p><table>`,
    cells(
      'th',
      text({ key: 'password_list_name' }),
      text({ key: 'password_list_username' }),
      text({ key: 'password_list_password' }),
    ),
    ...created.map(({ display_name, username, one_time_password = '' }) =>
      cells('td', escapeHtml(display_name), escapeHtml(username), `<code>${escapeHtml(one_time_password)}</code>`),
    ),
    '</table>',
    failed.length > 0 ? `<p>${text({ key: 'password_list_failed', params: { names: failed.join(', ') } })}</p>` : '',
    '</html>\n',
  ].join('\n');
}
