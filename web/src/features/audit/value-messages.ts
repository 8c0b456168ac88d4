import type { Catalogue } from '../../lib/texts.ts';
import { scopeMessages } from '../account/token-messages.ts';
import { projectMessages } from '../projects/messages.ts';
import { eventMessages } from '../webhooks/messages.ts';

/** Values of enumerations. */
export const valueMessages = {
  ...projectMessages,
  ...eventMessages,
  ...scopeMessages,
  user: { en: 'Student', zh: '学生' },
  admin: { en: 'Administrator', zh: '管理员' },
  active: { en: 'Active', zh: '已启用' },
  inactive: { en: 'Deactivated', zh: '已停用' },
  pending: { en: 'Open', zh: '待处理' },
  reviewed: { en: 'Seen', zh: '已阅' },
  resolved: { en: 'Resolved', zh: '已解决' },
  all: { en: 'All', zh: '全部' },
  groups: { en: 'Only some classes', zh: '仅部分班级' },
  off: { en: 'Day off', zh: '放假' },
  school_day: { en: 'Make-up day', zh: '调休上课' },
  overdue: { en: 'Overdue', zh: '已逾期' },
  slowing: { en: 'Slowing', zh: '进度放缓' },
  on_track: { en: 'On track', zh: '进度正常' },
  without_goals: { en: 'Without goals', zh: '没有目标' },
  behind: { en: 'Behind', zh: '落后' },
  silent: { en: 'Silent 7 days', zh: '7 天未学习' },
  not_started: { en: 'Not started', zh: '未开始' },
  studying: { en: 'Studying now', zh: '正在学习' },
  account_registration: { en: 'Account', zh: '申请账号' },
  invitation: { en: 'Invitation', zh: '邀请' },
  password_reset: { en: 'New password', zh: '重置密码' },
  technical_support: { en: 'Problem', zh: '技术问题' },
  feature_request: { en: 'Idea', zh: '功能建议' },
} as const satisfies Catalogue;
