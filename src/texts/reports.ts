import type { Catalogue } from './catalogue.ts';

/** Reports of students, and links to them. */
export const reportMessages = {
  report_link_created: {
    en: 'The link was created. Copy it now; it is not shown again.',
    zh: '链接已创建，请立即复制，之后不再显示。',
  },
  report_link_revoked: { en: 'The link was revoked.', zh: '链接已撤销。' },
  report_link_not_found: {
    en: 'This link is not valid: it has expired, or it was revoked.',
    zh: '链接无效：已过期或已被撤销。',
  },
  too_many_report_links: {
    en: 'You have {maximum} valid links to reports; revoke some first.',
    zh: '你的有效报告链接已达 {maximum} 个，请先撤销一些。',
  },
  report_not_yours: {
    en: 'Only administrators can see the reports of others.',
    zh: '只有管理员可以查看他人的学习报告。',
  },
} as const satisfies Catalogue;
