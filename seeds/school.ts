import type { UpdateProjectInput } from '../src/features/study/projects/project-schemas.ts';

/** A student, and the habits from which the records are generated. */
export type Person = {
  username: string;
  display_name: string;
  timezone: string;
  /** Hours that the time zone is ahead of UTC, without daylight saving time. */
  ahead: number;
  /** The part of all days with study (0: not started yet), and the usual hour at which it begins. */
  diligence: number;
  begins: number;
  /** Days since the last study of a student who has stopped. */
  silent?: number;
};

export const administrators = [
  { username: 'he.laoshi', display_name: '何老师', timezone: 'Asia/Shanghai' },
  { username: 'margaret.green', display_name: 'Margaret Green', timezone: 'Europe/London' },
] as const;

/** An administrator who is limited to one class. */
export const classTeacher = {
  username: 'thomas.reid',
  display_name: 'Thomas Reid',
  timezone: 'Europe/London',
  group: 'Sixth form',
} as const;

/** Days from the Monday of the current week. */
type Span = { from: number; to: number };
/** The current term, and a holiday in it. */
export const term: Span & { name: string } = { name: '本学期 Term', from: -91, to: 46 };
export const holiday: Span & { name: string } = { name: '期中假 Half-term', from: -28, to: -24 };

const shanghai = { timezone: 'Asia/Shanghai', ahead: 8 };
const london = { timezone: 'Europe/London', ahead: 0 };
const newYork = { timezone: 'America/New_York', ahead: -5 };

export const students: readonly Person[] = [
  { username: 'lin.wei', display_name: '林薇', ...shanghai, diligence: 0.92, begins: 19 },
  { username: 'wang.fang', display_name: '王芳', ...shanghai, diligence: 0.75, begins: 7 },
  { username: 'zhang.ming', display_name: '张明', ...shanghai, diligence: 0.55, begins: 20 },
  { username: 'chen.jie', display_name: '陈洁', ...shanghai, diligence: 0.78, begins: 18 },
  { username: 'liu.yang', display_name: '刘洋', ...shanghai, diligence: 0.3, begins: 22 },
  { username: 'zhao.lei', display_name: '赵磊', ...shanghai, diligence: 0.45, begins: 16, silent: 16 },
  { username: 'sato.haruto', display_name: '佐藤陽翔', timezone: 'Asia/Tokyo', ahead: 9, diligence: 0.95, begins: 6 },
  { username: 'emma.clark', display_name: 'Emma Clark', ...london, diligence: 0.7, begins: 17 },
  { username: 'oliver.hughes', display_name: 'Oliver Hughes', ...london, diligence: 0.4, begins: 20, silent: 9 },
  {
    username: 'sofia.rossi',
    display_name: 'Sofia Rossi',
    timezone: 'Europe/Rome',
    ahead: 1,
    diligence: 0.85,
    begins: 9,
  },
  { username: 'noah.brown', display_name: 'Noah Brown', ...newYork, diligence: 0.8, begins: 15 },
  { username: 'ava.johnson', display_name: 'Ava Johnson', ...newYork, diligence: 0.85, begins: 21 },
  { username: 'sun.yue', display_name: '孙悦', ...shanghai, diligence: 0.62, begins: 17 },
  { username: 'zhou.han', display_name: '周涵', ...shanghai, diligence: 0.5, begins: 20 },
  { username: 'wu.tong', display_name: '吴桐', ...shanghai, diligence: 0.4, begins: 19, silent: 21 },
  { username: 'xu.ran', display_name: '许然', ...shanghai, diligence: 0, begins: 19 },
  { username: 'mia.wilson', display_name: 'Mia Wilson', ...london, diligence: 0, begins: 16 },
];

/** A project: of a teacher if it has `assigned`, otherwise of a student. */
export type Plan = {
  name: string;
  description?: string;
  category: NonNullable<UpdateProjectInput['category']>;
  target_hours: number;
  rating_standard?: NonNullable<UpdateProjectInput['rating_standard']>;
  status?: NonNullable<UpdateProjectInput['status']>;
  /** Days from now. */
  due_in?: number;
  weekly_goal_hours?: number;
  /** The target is that of each student, not of all together. */
  each?: true;
  owner: string;
  assigned?: readonly string[];
  /** From how many days ago to how many days ago it was studied; by default until today. */
  days?: readonly [from: number, to: number];
};

const he = 'he.laoshi';
const green = 'margaret.green';
export type Teacher = typeof he | typeof green;
const chinese = ['lin.wei', 'wang.fang', 'zhang.ming', 'chen.jie', 'liu.yang', 'zhao.lei'];
const english = ['emma.clark', 'oliver.hughes', 'sofia.rossi', 'noah.brown', 'ava.johnson', 'mia.wilson'];
const coding = ['sun.yue', 'zhou.han', 'wu.tong', 'xu.ran', 'sato.haruto'];

export const groups = [
  { name: '数学一班', owner: he, members: chinese },
  { name: 'Sixth form', owner: green, members: english },
  { name: '程序设计社', owner: he, members: coding },
] as const;

export const plans: readonly Plan[] = [
  {
    name: '高等数学（上）',
    description: '极限、导数与积分，每周一次习题课。',
    category: 'academic',
    target_hours: 24,
    each: true,
    due_in: 60,
    weekly_goal_hours: 2,
    rating_standard: 'excellent',
    owner: he,
    assigned: chinese,
  },
  {
    name: '线性代数',
    description: '矩阵、向量空间与特征值。',
    category: 'academic',
    target_hours: 24,
    each: true,
    due_in: 75,
    weekly_goal_hours: 3,
    rating_standard: 'good',
    owner: he,
    assigned: ['lin.wei', 'wang.fang'],
  },
  {
    name: '算法入门',
    description: '排序、查找与递归，每周两道题。',
    category: 'skill',
    target_hours: 56,
    each: true,
    due_in: 30,
    weekly_goal_hours: 3,
    owner: he,
    assigned: coding,
  },
  {
    name: '大学物理实验',
    category: 'academic',
    target_hours: 35,
    each: true,
    due_in: 20,
    owner: he,
    assigned: ['zhang.ming', 'zhao.lei'],
  },
  {
    name: '古诗词诵读',
    description: '每天一首，背诵并写下体会。',
    category: 'hobby',
    target_hours: 18,
    each: true,
    due_in: 33,
    owner: he,
    assigned: ['chen.jie'],
  },
  {
    name: '英语口语强化',
    category: 'skill',
    target_hours: 12,
    each: true,
    due_in: -4,
    rating_standard: 'good',
    owner: he,
    assigned: ['liu.yang', 'chen.jie', 'wang.fang'],
  },
  {
    name: '考研冲刺计划',
    category: 'academic',
    target_hours: 150,
    rating_standard: 'excellent',
    owner: he,
    assigned: ['lin.wei'],
  },
  {
    name: '程序设计基础',
    description: 'C 语言入门，期末项目已验收。',
    category: 'academic',
    target_hours: 30,
    status: 'completed',
    owner: he,
    assigned: ['zhang.ming', 'zhao.lei', 'liu.yang'],
    days: [182, 90],
  },
  {
    name: '暑期阅读书单',
    category: 'hobby',
    target_hours: 25,
    status: 'completed',
    owner: he,
    assigned: ['wang.fang', 'chen.jie'],
    days: [150, 80],
  },
  {
    name: '数学建模竞赛',
    description: '暂停，等待下一届报名。',
    category: 'skill',
    target_hours: 90,
    status: 'paused',
    owner: he,
    assigned: ['lin.wei', 'zhao.lei'],
    days: [182, 60],
  },
  {
    name: 'Introduction to Algorithms',
    description: 'Chapters 1 to 15, with the exercises.',
    category: 'academic',
    target_hours: 34,
    each: true,
    due_in: 45,
    weekly_goal_hours: 3,
    rating_standard: 'excellent',
    owner: green,
    assigned: ['emma.clark', 'noah.brown', 'ava.johnson'],
  },
  {
    name: 'Academic writing',
    category: 'academic',
    target_hours: 26,
    each: true,
    due_in: 50,
    weekly_goal_hours: 2,
    rating_standard: 'good',
    owner: green,
    assigned: english,
  },
  {
    name: 'European history 1789–1914',
    category: 'academic',
    target_hours: 24,
    each: true,
    due_in: 40,
    owner: green,
    assigned: ['sofia.rossi', 'oliver.hughes'],
  },
  {
    name: 'Organic chemistry',
    description: 'Reactions, mechanisms, and the laboratory notebook.',
    category: 'academic',
    target_hours: 110,
    owner: green,
    assigned: ['ava.johnson'],
  },
  {
    name: 'Public speaking',
    category: 'skill',
    target_hours: 40,
    owner: green,
    assigned: ['oliver.hughes'],
  },
  {
    name: 'Statistics with R',
    category: 'academic',
    target_hours: 30,
    status: 'completed',
    owner: green,
    assigned: ['emma.clark', 'ava.johnson'],
    days: [182, 110],
  },
  {
    name: 'Debating club',
    category: 'hobby',
    target_hours: 60,
    status: 'paused',
    owner: green,
    assigned: ['noah.brown', 'sofia.rossi'],
    days: [160, 45],
  },
  {
    name: 'Chinese for beginners',
    description: 'HSK 1 vocabulary and tones. 你好！',
    category: 'skill',
    target_hours: 80,
    owner: green,
    assigned: ['emma.clark', 'sofia.rossi'],
  },
  {
    name: 'JLPT N2',
    description: '文法と聴解',
    category: 'skill',
    target_hours: 120,
    owner: green,
    assigned: ['sato.haruto'],
  },
  {
    name: '吉他练习',
    description: '每天半小时，和弦与扫弦。',
    category: 'hobby',
    target_hours: 50,
    weekly_goal_hours: 2,
    owner: 'lin.wei',
  },
  { name: '晨跑与拉伸', category: 'other', target_hours: 0, owner: 'wang.fang' },
  { name: '摄影后期', category: 'hobby', target_hours: 35, status: 'paused', owner: 'zhang.ming', days: [120, 30] },
  {
    name: 'Python 数据分析',
    description: 'pandas 与可视化。',
    category: 'skill',
    target_hours: 70,
    rating_standard: 'good',
    owner: 'chen.jie',
  },
  { name: '雅思备考', category: 'academic', target_hours: 18, status: 'completed', owner: 'zhao.lei', days: [182, 70] },
  {
    name: 'Piano',
    description: 'Scales, then the Goldberg aria.',
    category: 'hobby',
    target_hours: 80,
    weekly_goal_hours: 2,
    owner: 'emma.clark',
  },
  { name: 'Italian cooking', category: 'other', target_hours: 0, owner: 'sofia.rossi' },
  { name: 'Rust by doing', category: 'skill', target_hours: 60, rating_standard: 'excellent', owner: 'noah.brown' },
  {
    name: 'Marathon reading list',
    category: 'hobby',
    target_hours: 45,
    status: 'paused',
    owner: 'oliver.hughes',
    days: [140, 50],
  },
  {
    name: 'Watercolour',
    category: 'hobby',
    target_hours: 12,
    status: 'completed',
    owner: 'ava.johnson',
    days: [170, 100],
  },
  { name: 'MCAT preparation', category: 'academic', target_hours: 45, due_in: 90, owner: 'ava.johnson' },
  { name: '将棋の定跡', category: 'hobby', target_hours: 40, status: 'paused', owner: 'sato.haruto', days: [100, 20] },
];

/** In the language of the project's name; half of the records have none. */
const notes = {
  zh: ['复习第三章，错题整理完毕', '做了两套练习题', '有点累，明天继续', '小组讨论，收获很大', '预习下一节'],
  en: [
    'Finished the exercises',
    'Slow today, but done',
    'Read ahead for Friday',
    'Went over my mistakes',
    'Group session in the library',
  ],
};

/** What some of the notes are about. */
export const tagsOfNotes: Readonly<Record<string, string>> = {
  ...{ '复习第三章，错题整理完毕': '错题', 做了两套练习题: '练习', '小组讨论，收获很大': '小组' },
  ...{ 'Finished the exercises': 'exercises', 'Went over my mistakes': 'mistakes' },
  'Group session in the library': 'group',
};

export function notesFor({ name }: Plan): readonly string[] {
  const known = /\p{Script=Hiragana}/u.test(name) ? [] : notes[/\p{Script=Han}/u.test(name) ? 'zh' : 'en'];
  return [...known, ...Array<string>(5).fill('')];
}
