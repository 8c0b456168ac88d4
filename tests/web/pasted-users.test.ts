import { expect, test } from 'vitest';
import { readUsers } from '../../web/src/features/users/pasted-users.ts';

test.each([
  ['Mei Lin\tmei@example.org\tmeilin', { display_name: 'Mei Lin', email: 'mei@example.org', username: 'meilin' }],
  ['mei@example.org, Mei Lin', { display_name: 'Mei Lin', email: 'mei@example.org', username: 'mei' }],
  ['meilin；林梅；mei@example.org', { display_name: '林梅', email: 'mei@example.org', username: 'meilin' }],
  ['mei.lin+school@example.org', { display_name: '', email: 'mei.lin+school@example.org', username: 'mei.linschool' }],
  ['Mei Lin <mei@example.org>', { display_name: 'Mei Lin', email: 'mei@example.org', username: 'mei' }],
  ['Lin, Mei\tmei@example.org', { display_name: 'Lin, Mei', email: 'mei@example.org', username: 'mei' }],
  ['"Lin, Mei"\tmei@example.org\tmeilin', { display_name: 'Lin, Mei', email: 'mei@example.org', username: 'meilin' }],
  ['"Lin, Mei",mei@example.org', { display_name: 'Lin, Mei', email: 'mei@example.org', username: 'mei' }],
  ['"Lin ""May"" Mei" <mei@example.org>', { display_name: 'Lin "May" Mei', email: 'mei@example.org', username: 'mei' }],
  ['Mei Lin', { display_name: 'Mei Lin', email: '', username: '', problem: 'no_email' }],
  ['林梅,林@example.org', { display_name: '林梅', email: '林@example.org', username: '', problem: 'no_username' }],
])('%s', (text, user) => {
  expect(readUsers(`\n${text}\r\n`)).toEqual([{ line: 2, ...user }]);
});

test.each(['姓名\t邮箱', 'Name,E-mail,Username', '学号\t姓名\t邮箱'])(
  'a first line that names the columns is left out: %s',
  (heading) => {
    expect(readUsers(`${heading}\nMei Lin\tmei@example.org`)).toEqual([
      { line: 2, display_name: 'Mei Lin', email: 'mei@example.org', username: 'mei' },
    ]);
  },
);

test('a line that repeats an earlier one or an account is marked', () => {
  const lines = readUsers('A <ann@x.org>\nAnn, ANN@x.org\nB, bob@x.org\nC, cid@x.org', (text) => text === 'bob');
  expect(lines.map(({ problem }) => problem)).toEqual([undefined, 'repeated', 'taken', undefined]);
});
