import type { Shortcut } from '../../lib/shortcuts.ts';
import type { Catalogue } from '../../lib/texts.ts';

/** Descriptions of the shortcuts, also used as command names in the palette. */
export const shortcutMessages = {
  palette: { en: 'Search and commands', zh: '搜索与全部操作' },
  search: { en: 'Search', zh: '搜索' },
  help: { en: 'Keyboard shortcuts', zh: '键盘快捷键' },
  timer: { en: 'Start or stop the timer', zh: '开始或停止计时' },
  other: { en: 'Start the timer of another project', zh: '为其他项目开始计时' },
  earlier: { en: 'Start the timer 15 minutes earlier', zh: '计时提前 15 分钟开始' },
  focus: { en: 'Focus mode of the running timer', zh: '计时器的专注模式' },
  record: { en: 'Add record', zh: '添加记录' },
  next: { en: 'Next request', zh: '下一个申请' },
  previous: { en: 'Previous request', zh: '上一个申请' },
  pick: { en: 'Select this request', zh: '选择当前申请' },
  resolve: { en: 'Resolve and go on', zh: '解决并继续' },
  review: { en: 'Mark as seen, which cannot be undone', zh: '标为已阅（不可撤销）' },
  note: { en: 'Write a note', zh: '写备注' },
  account: { en: 'Create the account, or send the reset link', zh: '创建账号或发送重置链接' },
  undo: { en: 'Undo resolving while its message is shown', zh: '撤销“已解决”（提示消失前）' },
} as const satisfies Record<Shortcut, Catalogue[string]>;

export const helpMessages = {
  accessibility: { en: 'Accessibility', zh: '无障碍声明' },
  privacy: { en: 'What is kept about you', zh: '保存了哪些信息' },
  title: { en: 'Keyboard shortcuts', zh: '键盘快捷键' },
  single: { en: 'Single-key shortcuts', zh: '单键快捷键' },
  single_hint: {
    en: 'On this device. Switch them off if you use voice input or press keys by accident.',
    zh: '仅对本设备生效。使用语音输入或容易误触按键时，可将其关闭。',
  },
  off: {
    en: 'Single-key shortcuts are switched off. {keys} still works.',
    zh: '单键快捷键已关闭，{keys} 仍可使用。',
  },
  see: { en: 'All keyboard shortcuts', zh: '全部键盘快捷键' },
  everywhere: { en: 'Everywhere', zh: '所有页面' },
  study: { en: 'Study', zh: '学习' },
  go: { en: 'Go to', zh: '前往' },
  inbox: { en: 'Inbox', zh: '收件箱' },
  calendar: { en: 'Study calendar', zh: '学习日历' },
  board: { en: 'Assignments', zh: '分配' },
  and_then: { en: 'then', zh: '再按' },
  arrows: { en: 'Arrow keys', zh: '方向键' },
  shift_arrows: { en: 'Shift + arrow keys', zh: '⇧ + 方向键' },
  space: { en: 'Space', zh: '空格' },
  enter: { en: 'Enter', zh: '回车' },
  move: { en: 'Move from one to the next', zh: '逐个移动' },
  range: { en: 'Extend the selection', zh: '扩大选择范围' },
  open_day: { en: 'Show the records of these days', zh: '查看所选日期的记录' },
  toggle: { en: 'Pick; add or remove', zh: '选中；分配或移除' },
  all: { en: 'Pick all that match', zh: '选中全部符合条件的项' },
  undo: { en: 'Undo applied changes', zh: '撤销已应用的更改' },
} as const satisfies Catalogue;
