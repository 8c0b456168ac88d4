import type { Catalogue } from '../../lib/texts.ts';

export const timerMessages = {
  timer: { en: 'Timer', zh: '计时器' },
  project: { en: 'Project', zh: '项目' },
  note: { en: 'Note', zh: '备注' },
  note_placeholder: { en: 'What are you working on?', zh: '正在学什么？' },
  note_after: { en: 'What did you do?', zh: '学了什么？' },
  start: { en: 'Start', zh: '开始' },
  stop: { en: 'Stop', zh: '停止' },
  since: { en: 'since {time}', zh: '{time} 开始' },
  running: { en: 'Running: {project}', zh: '正在计时：{project}' },
  began: { en: 'Start earlier', zh: '更早开始' },
  ago: { en: { one: '{count} minute ago', other: '{count} minutes ago' }, zh: '{count} 分钟前' },
  stopped: { en: 'Recorded: {duration} of {project}.', zh: '已记录：{project} {duration}。' },
  overrun: { en: 'Was {project} left running?', zh: '{project} 忘记停止计时了吗？' },
  overrun_why: {
    en: 'The timer of {day}, {from}, was stopped automatically after {duration}.',
    zh: '{day} {from} 开始的计时在 {duration}后自动停止。',
  },
  studied: { en: 'Time actually studied', zh: '实际学习时长' },
  studied_hint: { en: 'Such as 1h30 or 45.', zh: '例如 1h30 或 45。' },
  not_shorter: { en: 'A shorter time, such as 1h30 or 45.', zh: '请输入更短的时长，如 1h30 或 45。' },
  cut: { en: 'Shorten', zh: '缩短' },
  keep: { en: 'Keep', zh: '保留' },
  no_projects: { en: 'A timer needs an active project.', zh: '计时需要一个进行中的项目。' },
  continue: { en: 'Continue {project}', zh: '继续 {project}' },
} as const satisfies Catalogue;
