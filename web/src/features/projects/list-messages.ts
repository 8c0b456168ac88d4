import type { Catalogue } from '../../lib/texts.ts';

/** Texts of the list of projects. */
export const listMessages = {
  title: { en: 'Projects', zh: '项目' },
  state: { en: 'Show', zh: '显示' },
  all: { en: 'All', zh: '全部' },
  active: { en: 'Active', zh: '进行中' },
  attention: { en: 'Behind', zh: '落后' },
  paused: { en: 'Paused', zh: '已暂停' },
  completed: { en: 'Completed', zh: '已完成' },
  deleted: { en: 'Deleted', zh: '已删除' },
  sort: { en: 'Order', zh: '排序' },
  recent: { en: 'Newest first', zh: '最新优先' },
  studied: { en: 'Last studied first', zh: '最近学习优先' },
  due: { en: 'Due first', zh: '最早截止优先' },
  progress: { en: 'Most complete first', zh: '进度最高优先' },
  name: { en: 'By name', zh: '按名称' },
  start: { en: 'Start {name}', zh: '开始 {name}' },
  stop: { en: 'Stop {name}', zh: '停止 {name}' },
  students: { en: { one: '{count} student', other: '{count} students' }, zh: '{count} 名学生' },
  nobody: { en: 'not assigned', zh: '未分配' },
  finished_at: { en: 'Finished at {done} of {target}', zh: '完成时 {done} / {target}' },
} as const satisfies Catalogue;
