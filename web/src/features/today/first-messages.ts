import type { Catalogue } from '../../lib/texts.ts';

export const firstMessages = {
  welcome: { en: 'Welcome, {name}', zh: '欢迎，{name}' },
  prepared: {
    en: {
      one: 'One project is ready for you. Start its timer.',
      other: '{count} projects are ready for you. Select one and start its timer.',
    },
    zh: '已有 {count} 个项目。选一个，开始计时就好。',
  },
  no_projects: {
    en: 'Create your first project: something you study, and how many hours you want to spend on it.',
    zh: '新建第一个项目：想学什么，打算投入多少小时。',
  },
  steps: { en: 'First steps', zh: '初次使用' },
  own_password: { en: 'Own password set', zh: '已设置密码' },
  times_in: { en: 'Times in {zone}, English', zh: '{zone}，中文' },
  first_minutes: { en: 'First minutes', zh: '开始学习' },
  until: { en: '{hours} until {date}', zh: '{hours} · {date}截止' },
  no_target: { en: 'No target', zh: '没有目标' },
  start: { en: 'Start', zh: '开始' },
  start_named: { en: 'Start {project}', zh: '开始 {project}' },
  own: { en: 'Something of your own', zh: '自己的项目' },
  own_examples: { en: 'Piano, a language, reading …', zh: '钢琴、外语、阅读……' },
  new_project: { en: 'New project', zh: '新建项目' },
  coming_from: { en: 'Coming from Toggl or Clockify?', zh: '用过 Toggl 或 Clockify？' },
  import: { en: 'Import your records', zh: '导入记录' },
} as const satisfies Catalogue;
