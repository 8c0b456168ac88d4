import type { NewContactRequest } from '../src/features/contact/submissions/contact-repository.ts';

type Request = Pick<NewContactRequest, 'name' | 'email' | 'phone' | 'subject' | 'message'> & {
  hours_ago: number;
  handled?: { by: string; status: 'reviewed' | 'resolved'; adminNote?: string };
};

/** What people wrote through the contact form. One has waited for longer than the promised day. */
export const requests: readonly Request[] = [
  {
    name: '周婷',
    email: 'zhou.ting@school.example',
    phone: '13800138000',
    subject: 'account_registration',
    message: '老师好，我是数学一班的周婷，刚转学过来，想申请一个账号。',
    hours_ago: 2,
  },
  {
    name: 'Daniel Weber',
    email: 'daniel.weber@school.example',
    phone: null,
    subject: 'account_registration',
    message: 'I joined the sixth form on Monday and need an account, please. Mrs Green knows about it.',
    hours_ago: 7,
  },
  {
    name: 'Oliver Hughes',
    email: 'oliver.hughes@school.example',
    phone: null,
    subject: 'password_reset',
    message: 'I have a new phone and cannot remember my password. Could you reset it before the weekend?',
    hours_ago: 31,
  },
  {
    name: '刘洋的家长',
    email: 'liu.parent@example.org',
    phone: '13900139000',
    subject: 'other',
    message: '请问孩子每周的学习时间在哪里可以看到？能否打印一份？',
    hours_ago: 50,
    handled: { by: 'he.laoshi', status: 'reviewed', adminNote: '已请班主任打印学习报告。' },
  },
  {
    name: 'Sofia Rossi',
    email: 'sofia.rossi@school.example',
    phone: null,
    subject: 'feature_request',
    message: 'Could the calendar show my exam dates, too?',
    hours_ago: 120,
    handled: { by: 'margaret.green', status: 'resolved', adminNote: 'Due dates of projects do that; I showed her.' },
  },
];
