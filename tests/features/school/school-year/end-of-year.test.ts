import { expect, onTestFinished, test } from 'vitest';
import { createTestClock, startTestApp } from '../../../support/test-app.ts';
import { createStudent } from './students.ts';

const endOfYear = {
  studied: ['2026-12-29', '2026-12-30', '2027-01-04', '2027-01-05'],
  off: { from: '2026-12-31', to: '2027-01-03' },
};
const endOfSchoolYear = {
  studied: ['2027-07-08', '2027-07-09', '2027-09-01', '2027-09-02'],
  off: { from: '2027-07-10', to: '2027-08-31' },
};

test.each([
  ['a year', endOfYear],
  ['a school year', endOfSchoolYear],
])('a streak goes on over days off at the end of %s, which have one name', async (_name, { studied, off }) => {
  const app = await startTestApp({ clock: createTestClock(new Date(`${studied.at(-1)}T12:00:00.000Z`)) });
  onTestFinished(() => app.stop());
  const [admin, user] = [await app.createUser({ role: 'admin' }), await createStudent(app, ...studied)];
  const read = async (path: string) => (await app.as(user).get(path).expect(200)).body.data;
  expect((await read('/api/stats')).current_streak).toBe(2);
  await app
    .as(admin)
    .post('/api/admin/school-days', { name: 'Holidays', kind: 'off', ...off })
    .expect(201);
  expect((await read('/api/stats')).current_streak).toBe(4);
  expect((await read('/api/school-year')).days).toEqual([{ ...off, kind: 'off', name: 'Holidays' }]);
});
