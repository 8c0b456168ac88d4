import type { Catalogue } from './texts.ts';

/** Texts of all pages. */
export const commonMessages = {
  network: {
    en: 'The service cannot be reached. Check the connection and try again.',
    zh: '无法连接服务，请检查网络后重试。',
  },
  unreachable: { en: 'No connection', zh: '无法连接' },
  resting: { en: 'The service is unavailable; ', zh: '服务暂时不可用，' },
  next_try: { en: 'next attempt in {count} s.', zh: '{count} 秒后自动重试。' },
  trying: { en: 'retrying now.', zh: '正在重试。' },
  request: { en: 'Request {id}', zh: '请求编号 {id}' },
  wait: { en: 'Try again in {count} s.', zh: '请在 {count} 秒后重试。' },
  failed_title: { en: 'Page not loaded', zh: '页面未加载' },
  failed: {
    en: 'This page could not be shown. There may be a new version.',
    zh: '页面无法显示，可能已有新版本。',
  },
  reload: { en: 'Reload', zh: '重新加载' },
  retry: { en: 'Try again', zh: '重试' },
  loading: { en: 'Loading', zh: '正在加载' },
  close: { en: 'Close', zh: '关闭' },
  save: { en: 'Save', zh: '保存' },
  cancel: { en: 'Cancel', zh: '取消' },
  saved: { en: 'Saved.', zh: '已保存。' },
  merged: {
    en: 'Saved. Changes made elsewhere were kept: {fields}.',
    zh: '已保存。别处更改的内容也已保留：{fields}。',
  },
  changed_meanwhile: {
    en: 'It was changed elsewhere and has not been deleted. Look at it again.',
    zh: '内容已在别处更改，因此未删除，请查看后再试。',
  },
} as const satisfies Catalogue;
