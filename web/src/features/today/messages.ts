import type { Catalogue } from '../../lib/texts.ts';

export const todayMessages = {
  title: { en: 'Today', zh: '今天' },
  today: { en: 'Today', zh: '今天' },
  of_goal: { en: 'of {goal}', zh: '目标 {goal}' },
  goal_label: { en: 'Share of the daily goal', zh: '今日目标进度' },
  running: { en: '+ {duration} running', zh: '+ {duration} 计时中' },
  week: { en: 'This week', zh: '本周' },
  streak: { en: 'Streak', zh: '连续学习' },
  days: { en: { one: '{count} day', other: '{count} days' }, zh: '{count} 天' },
  safe: { en: 'safe today', zh: '今天已完成' },
  not_yet: { en: 'study today to keep it', zh: '今天学习即可保持' },
  begin: { en: 'study today to start one', zh: '今天学习即可开始' },
  continue: { en: 'Continue', zh: '继续' },
  continue_named: { en: 'Continue {project}', zh: '继续 {project}' },
  goals: { en: 'Goals', zh: '目标' },
  first: {
    en: 'Create your first project: something you study, and how many hours you want to spend on it.',
    zh: '新建第一个项目：想学什么，打算投入多少小时。',
  },
  on_device: { en: 'Recorded on this device', zh: '本设备上的记录' },
  all_sent: { en: 'Everything has been sent.', zh: '全部已发送。' },
  unconnected: {
    en: 'Your projects and figures appear when the service can be reached again.',
    zh: '连接恢复后会显示你的项目和统计。',
  },
  new_project: { en: 'New project', zh: '新建项目' },
} as const satisfies Catalogue;
