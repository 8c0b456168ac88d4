import { describe, expect, test } from 'vitest';
import { parseQuickAdd } from '../../web/src/features/palette/quick-add.ts';

const zone = 'Asia/Shanghai';
/** Wednesday, 25 November 2026, 10:30 in Shanghai. */
const now = Date.parse('2026-11-25T02:30:00Z');

/** Text, and start and end in Shanghai. */
function read(typed: string) {
  const found = parseQuickAdd(typed, now, zone);
  const wall = (moment: string) =>
    new Date(Date.parse(moment) + 8 * 3_600_000).toISOString().slice(5, 16).replace('T', ' ');
  return found && [found.text, wall(found.from), wall(found.to)];
}

describe('a record in one line', () => {
  test.each([
    ['piano 45m yesterday 18:00', ['piano', '11-24 18:00', '11-24 18:45']],
    ['钢琴 45分钟 昨天 18:00', ['钢琴', '11-24 18:00', '11-24 18:45']],
    ['昨天下午6点半钢琴1小时30分', ['钢琴', '11-24 18:30', '11-24 20:00']],
    ['Linear Algebra 1h30', ['Linear Algebra', '11-25 09:00', '11-25 10:30']],
    ['Linear algebra proofs for 1.5 hours at 8am', ['Linear algebra proofs', '11-25 08:00', '11-25 09:30']],
    ['piano 45 min 18:00', ['piano', '11-24 18:00', '11-24 18:45']], // today it is still to come
    ['piano 9:00-10:15', ['piano', '11-25 09:00', '11-25 10:15']],
    ['piano from 23:30 to 0:15', ['piano', '11-24 23:30', '11-25 00:15']],
    ['piano 30m Mon 7:15pm', ['piano', '11-23 19:15', '11-23 19:45']],
    ['piano 30m on Thursday 8:00', ['piano', '11-19 08:00', '11-19 08:30']],
    ['阅读 半小时 周一 8点', ['阅读', '11-23 08:00', '11-23 08:30']],
    ['阅读 1小时半 上周三 20:00', ['阅读', '11-18 20:00', '11-18 21:30']],
    ['阅读 20分 11月3日 晚上9点', ['阅读', '11-03 21:00', '11-03 21:20']],
    ['reading 2h 2026-11-01 14:00', ['reading', '11-01 14:00', '11-01 16:00']],
    ['reading 2h yesterday', ['reading', '11-24 08:30', '11-24 10:30']],
    ['钢琴　45分钟　昨天　18：00', ['钢琴', '11-24 18:00', '11-24 18:45']],
  ])('%s', (typed, expected) => {
    expect(read(typed)).toEqual(expected);
  });

  test.each([
    'piano',
    'piano 18:00',
    '45m',
    'theme 2 modes',
    'piano 25h',
    'piano 0m',
    'piano 30m 2027-01-01 08:00',
    'piano 30m 2026-13-45 08:00',
    'piano 45m today 18:00',
    'Physics 3 months',
    '高等数学 2 上册',
  ])('nothing is read from: %s', (typed) => {
    expect(read(typed)).toBeUndefined();
  });
});
