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
  review: { en: 'Mark as seen (cannot be undone)', zh: '标为已阅（不可撤销）' },
  note: { en: 'Write a note', zh: '写备注' },
  account: { en: 'Create the account, or send the reset link', zh: '创建账号或发送重置链接' },
  undo: { en: 'Undo resolving while its message is shown', zh: '撤销“已解决”（提示消失前）' },
} as const satisfies Record<Shortcut, Catalogue[string]>;

export const helpMessages = {
  accessibility: { en: 'Accessibility', zh: '无障碍声明' },
  privacy: { en: 'What is kept about you', zh: '保存了哪些信息' },
  title: { en: 'Help', zh: '帮助' },
  keys: { en: 'Keyboard shortcuts', zh: '键盘快捷键' },
  questions: { en: 'Questions', zh: '常见问题' },
  forgot: { en: 'I forgot to stop the timer', zh: '忘记停止计时怎么办？' },
  forgot_answer: {
    en: 'After a while the timer asks whether you are still studying and offers your usual end. Later, open the record in the calendar and change its end.',
    zh: '计时过久时会询问你是否还在学习，并给出平时的结束时间。之后也可以在日历中打开这条记录，修改结束时间。',
  },
  wrong: { en: 'I chose the wrong project', zh: '选错了项目怎么办？' },
  wrong_answer: {
    en: 'While the timer runs, press the name of the project and select another one. Afterwards, edit the record in the calendar.',
    zh: '计时中点按项目名即可更换；结束后在日历中编辑这条记录。',
  },
  on_track: { en: 'What does On track mean?', zh: '“进度正常”是什么意思？' },
  on_track_answer: {
    en: 'Your hours are at or above an even pace from the beginning of the goal to its due date. Below it by more than a day’s share, the goal is behind; if only the pace of the last 28 days is too low, it is slowing.',
    zh: '你的时长不低于从开始到截止日期的匀速进度。落后超过一天的份额为“落后”；只是最近 28 天的速度不够时为“进度放缓”。',
  },
  streaks: { en: 'What breaks a streak?', zh: '什么会中断连续天数？' },
  streaks_answer: {
    en: 'A day without a record of at least a minute. Rest days, which you choose in the settings, do not break it. Your day may begin after midnight.',
    zh: '某天没有一分钟以上的记录就会中断。在设置中选定的休息日不会中断。每天也可以从午夜之后开始。',
  },
  importing: { en: 'Can I bring records from another tracker?', zh: '能导入其他软件的记录吗？' },
  importing_answer: {
    en: 'Yes: in the list of the calendar, press Import and choose its CSV file. You see what would be imported before anything is written, and can undo it.',
    zh: '可以：在日历的列表中点“导入”，选择 CSV 文件。写入前会先显示将导入的内容，导入后也可以撤销。',
  },
  sharing: { en: 'How do I share a report?', zh: '怎样分享学习报告？' },
  sharing_answer: {
    en: 'Statistics can be printed or saved as a PDF. For a page with a link, ask your teacher.',
    zh: '统计页可以打印，也可以保存为 PDF。需要链接时，请联系老师。',
  },
  new_class: { en: 'How do I begin with a class?', zh: '怎样开始带一个班？' },
  new_class_answer: {
    en: 'Paste its list of names and addresses under Accounts, Create several; hand out the printed slips; then select the class under Assignments and add its projects.',
    zh: '在“账号”中点“批量创建”，粘贴姓名和邮箱；把打印的登录单发给学生；再到“分配”中为全班分配项目。',
  },
  lost: { en: 'A student cannot sign in', zh: '学生登录不了怎么办？' },
  lost_answer: {
    en: 'Open the student, then Account: Reset password shows a one-time password. It is valid for 7 days, and all earlier sign-ins end.',
    zh: '打开学生页面的“账号”，点“重置密码”，会显示一次性密码，7 天内有效；此前的登录全部失效。',
  },
  attention: { en: 'Who needs attention?', zh: '“需要关注”有哪些人？' },
  attention_answer: {
    en: 'Students without a record for 7 days, with a goal past its due date, or with less than an even pace. Each is in one line only, with the most urgent reason.',
    zh: '7 天没有记录、有目标逾期或低于匀速进度的学生。每人只列一次，显示最紧急的原因。',
  },
  parents: { en: 'How do I show parents a report?', zh: '怎样给家长看学习报告？' },
  parents_answer: {
    en: 'Open Report on the page of the student, print it, or create a link that ends on a day you choose.',
    zh: '在学生页面点“报告”，可以打印，也可以创建有期限的链接。',
  },
  private: { en: 'Who sees what I record?', zh: '谁能看到我的记录？' },
  private_answer: {
    en: 'You, and the teachers of the school. Owners of a shared project see the hours and notes recorded on it. Other students do not.',
    zh: '你和学校的老师。共享项目的创建者能看到在该项目上的时长和备注，其他同学看不到。',
  },
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
  move: { en: 'Move between items', zh: '逐个移动' },
  range: { en: 'Extend the selection', zh: '扩大选择范围' },
  open_day: { en: 'Show the records of these days', zh: '查看所选日期的记录' },
  toggle: { en: 'Select; add or remove', zh: '选中；分配或移除' },
  all: { en: 'Select all that match', zh: '选中全部符合条件的项' },
  undo: { en: 'Undo applied changes', zh: '撤销已应用的更改' },
} as const satisfies Catalogue;
