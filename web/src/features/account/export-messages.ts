import type { Catalogue } from '../../lib/texts.ts';

export const exportMessages = {
  title: { en: 'Your data', zh: '我的数据' },
  about: {
    en: 'One file with all your data: account, projects with their pictures, records, assignments, awards and sign-ins. This takes a moment; you can leave the page meanwhile. At most three a day.',
    zh: '一个包含你全部数据的文件：账号、项目及其图片、学习记录、分配、成就和登录。生成需要一点时间，期间可以离开此页面。每天最多三次。',
  },
  kept: { en: 'What is kept, and for how long', zh: '保存了哪些信息、保留多久' },
  request: { en: 'Request my data', zh: '申请我的数据' },
  pending: { en: 'The file is being prepared.', zh: '文件正在生成。' },
  ready: { en: 'Ready until {time}.', zh: '文件已就绪，可下载至 {time}。' },
  failed: { en: 'The file could not be created. Try again.', zh: '文件生成失败，请重试。' },
  download: { en: 'Download', zh: '下载' },
} as const satisfies Catalogue;
