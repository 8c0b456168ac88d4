import type { Catalogue } from '../../lib/texts.ts';

export const reportLinkMessages = {
  share: { en: 'Share', zh: '分享' },
  share_named: { en: 'Share the report of {name}', zh: '分享{name}的学习报告' },
  about: {
    en: 'Anyone who has the link sees this report, without notes and without signing in, until the link ends.',
    zh: '任何拥有该链接的人无需登录即可查看此报告（不含备注），直到链接失效。',
  },
  period: { en: 'Report from {from} to {to}', zh: '{from}至{to}的报告' },
  ends: { en: 'The link ends after', zh: '链接有效期' },
  days: { en: { one: '{count} day', other: '{count} days' }, zh: '{count} 天' },
  create: { en: 'Create link', zh: '创建链接' },
  created: { en: 'Copy the link now; it is not shown again.', zh: '请立即复制链接，之后不再显示。' },
  link: { en: 'Link', zh: '链接' },
  links: { en: 'Links to reports', zh: '报告链接' },
  links_of: { en: 'Valid links', zh: '有效链接' },
  none: { en: 'There are no valid links.', zh: '没有有效链接。' },
  until: { en: 'until {day}', zh: '有效期至{day}' },
  by: { en: 'created by {name}', zh: '由{name}创建' },
  unused: { en: 'not opened yet', zh: '尚未打开' },
  used: { en: 'last opened {time}', zh: '最近打开：{time}' },
  revoke: { en: 'Revoke', zh: '撤销' },
  revoke_named: { en: 'Revoke the link for {name}, {period}', zh: '撤销{name}（{period}）的链接' },
  revoked: { en: 'The link was revoked.', zh: '链接已撤销。' },
  shared_title: { en: 'Study report', zh: '学习报告' },
  print: { en: 'Print', zh: '打印' },
  invalid_title: { en: 'This link is not valid', zh: '链接无效' },
  invalid: {
    en: 'It has expired or was revoked. Ask the school for a new one.',
    zh: '链接已过期或被撤销，请向学校索取新链接。',
  },
  incomplete: {
    en: 'The link is incomplete. Open it exactly as you received it.',
    zh: '链接不完整，请按收到的原样打开。',
  },
} as const satisfies Catalogue;
