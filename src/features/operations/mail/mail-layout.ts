import { escapeHtml } from '../../../lib/html.ts';

export type MailContent = {
  greeting: string;
  paragraphs: readonly string[];
  items?: readonly string[];
  action: { label: string; url: string };
  footer: string;
  stop: { label: string; url: string };
};

/** The same content as plain text and as HTML that loads nothing. */
export function layOut({ greeting, paragraphs, items = [], action, footer, stop }: MailContent, language: string) {
  const list = items.map((item) => `- ${item}`).join('\n');
  const colon = language.startsWith('zh') ? '：' : ': ';
  const line = ({ label, url }: MailContent['action']) => `${label}${colon}${url}`;
  const parts = [greeting, ...paragraphs, ...(list === '' ? [] : [list]), line(action)];
  const text = `${parts.join('\n\n')}\n\n-- \n${footer}\n${line(stop)}\n`;

  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`;
  const link = ({ label, url }: MailContent['action'], style: string) =>
    `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`;
  const body = [
    ...[greeting, ...paragraphs].map((content) => paragraph(escapeHtml(content))),
    ...(items.length === 0 ? [] : [`<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`]),
    paragraph(
      link(
        action,
        'display:inline-block;padding:10px 16px;border-radius:6px;background:#2b3572;color:#fff;text-decoration:none',
      ),
    ),
    `<p style="font-size:13px;color:#5b6472">${escapeHtml(footer)} ${link(stop, 'color:#5b6472')}</p>`,
  ].join('\n');
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0 auto;max-width:36em;padding:24px;font:16px/1.5 system-ui,sans-serif">
${body}
</body></html>
`;
  return { text, html };
}
