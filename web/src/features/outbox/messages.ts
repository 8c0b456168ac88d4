import type { Catalogue } from '../../lib/texts.ts';

export const outboxMessages = {
  region: { en: 'Connection', zh: '连接状态' },
  offline: { en: 'You are offline.', zh: '当前离线。' },
  offline_kept: {
    en: 'Your records are saved on this device and sent later.',
    zh: '学习记录会保存在本设备，稍后发送。',
  },
  unreachable: { en: 'The service cannot be reached.', zh: '无法连接服务。' },
  try: { en: 'Try now', zh: '立即重试' },
  waiting: {
    en: { one: '{count} entry is waiting to be sent.', other: '{count} entries are waiting to be sent.' },
    zh: '{count} 条等待发送。',
  },
  refused: {
    en: { one: '{count} entry was not accepted.', other: '{count} entries were not accepted.' },
    zh: '{count} 条未被接受。',
  },
  show: { en: 'Show', zh: '查看' },
  hide: { en: 'Hide', zh: '收起' },
  send: { en: 'Send now', zh: '立即发送' },
  list: { en: 'Not sent yet', zh: '尚未发送' },
  start: { en: 'timer from {from}', zh: '计时，{from} 开始' },
  times: { en: '{from}–{to}', zh: '{from}–{to}' },
  state_waiting: { en: 'waiting to be sent', zh: '等待发送' },
  retry: { en: 'Try again', zh: '重试' },
  discard: { en: 'Discard', zh: '丢弃' },
  retry_named: { en: 'Try again: {what}', zh: '重试：{what}' },
  discard_named: { en: 'Discard: {what}', zh: '丢弃：{what}' },
  leave_title: { en: 'Sign out and lose this?', zh: '退出并丢弃这些内容？' },
  leave_why: {
    en: 'This has not been sent yet. Signing out removes it from this device.',
    zh: '以下内容尚未发送，退出登录会从本设备删除。',
  },
  leave: { en: 'Discard and sign out', zh: '丢弃并退出' },
  stay: { en: 'Stay signed in', zh: '保持登录' },
} as const satisfies Catalogue;
