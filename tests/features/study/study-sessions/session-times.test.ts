import { describe, expect, test } from 'vitest';
import {
  changeTimes,
  hoursOf,
  timeErrors,
  timerStartProblem,
} from '../../../../src/features/study/study-sessions/session-times.ts';

const at = (text: string) => new Date(`2026-02-01T${text}Z`);
const current = { started_at: at('08:00:00.250'), ended_at: at('09:00:00.000') }; // 3599 whole seconds
const times = (start: string, end: string) => ({ started_at: at(start), ended_at: at(end) });

describe('a change of times', () => {
  test.each([
    ['nothing', {}, current],
    ['all fields unchanged', { ...current, duration_seconds: 3599 }, current],
    ['a start', { started_at: at('08:30:00') }, times('08:30:00', '09:00:00')],
    [
      'a start and the unchanged other fields',
      { started_at: at('08:30:00'), ended_at: current.ended_at, duration_seconds: 3599 },
      times('08:30:00', '09:00:00'),
    ],
    ['an end', { ended_at: at('09:30:00') }, times('08:00:00.250', '09:30:00')],
    [
      'an end and the unchanged duration',
      { ended_at: at('09:30:00'), duration_seconds: 3599 },
      times('08:00:00.250', '09:30:00'),
    ],
    ['a duration', { duration_seconds: 60 }, times('08:00:00.250', '08:01:00.250')],
    [
      'a duration and the unchanged end',
      { duration_seconds: 60, ended_at: current.ended_at },
      times('08:00:00.250', '08:01:00.250'),
    ],
    ['only the unchanged duration', { duration_seconds: 3599 }, current],
    [
      'a start and the unchanged duration',
      { started_at: at('10:00:00'), duration_seconds: 3599 },
      times('10:00:00', '10:59:59'),
    ],
    ['a start and a duration', { started_at: at('10:00:00'), duration_seconds: 60 }, times('10:00:00', '10:01:00')],
    [
      'a consistent end and duration',
      { ended_at: at('08:01:00.250'), duration_seconds: 60 },
      times('08:00:00.250', '08:01:00.250'),
    ],
    ['an inconsistent end and duration', { ended_at: at('08:01:00.250'), duration_seconds: 61 }, 'contradiction'],
  ])('%s', (_name, change, expected) => {
    expect(changeTimes(current, change)).toEqual(expected);
  });
});

test('reports every violated rule', () => {
  const now = at('12:00:00');
  const fields = (start: Date, end: Date) =>
    timeErrors({ started_at: start, ended_at: end }, now).map(({ field, message }) => `${field} ${message.key}`);
  expect(fields(at('08:00:00'), at('09:00:00'))).toEqual([]);
  expect(fields(new Date('1999-12-31T00:00:00Z'), at('12:06:00'))).toEqual([
    'started_at session_too_early',
    'ended_at session_in_future',
    'ended_at session_too_long',
  ]);
  expect(fields(at('13:00:00'), at('12:30:00'))).toEqual([
    'started_at session_in_future',
    'ended_at session_too_short',
  ]);
});

test('names the duration if it decides the end', () => {
  const now = at('12:00:00');
  const errors = (given: { ended_at?: Date; duration_seconds?: number }, end: Date) =>
    timeErrors({ started_at: at('11:59:00'), ended_at: end }, now, given).map(
      ({ field, message }) => `${field} ${message.key}`,
    );
  expect(errors({ duration_seconds: 3600 }, at('12:59:00'))).toEqual(['duration_seconds duration_into_future']);
  expect(errors({ duration_seconds: 0 }, at('11:59:00'))).toEqual(['duration_seconds too_small']);
  expect(errors({ ended_at: at('12:59:00'), duration_seconds: 3600 }, at('12:59:00'))).toEqual([
    'ended_at session_in_future',
  ]);
  expect(errors({}, at('12:59:00'))).toEqual(['ended_at session_in_future']);
});

test('the limits are inclusive', () => {
  const now = at('12:00:00');
  const errors = (start: string, end: string) =>
    timeErrors({ started_at: new Date(start), ended_at: new Date(end) }, now).map(({ message }) => message.key);
  expect(errors('2000-01-01T00:00:00.000Z', '2000-01-01T00:00:01.000Z')).toEqual([]);
  expect(errors('1999-12-31T23:59:59.999Z', '2000-01-01T00:00:01.000Z')).toEqual(['session_too_early']);
  expect(errors('2026-02-01T08:00:00.001Z', '2026-02-01T08:00:01.000Z')).toEqual(['session_too_short']);
  expect(errors('2026-01-31T08:00:00.000Z', '2026-02-01T08:00:00.000Z')).toEqual([]);
  expect(errors('2026-01-31T08:00:00.000Z', '2026-02-01T08:00:00.001Z')).toEqual(['session_too_long']);
  expect(errors('2026-02-01T12:00:00.000Z', '2026-02-01T12:05:00.000Z')).toEqual([]);
  expect(errors('2026-02-01T12:00:00.000Z', '2026-02-01T12:05:00.001Z')).toEqual(['session_in_future']);
});

test('a timer starts at most a day ago, and not in the future', () => {
  const now = at('12:00:00');
  const problem = (text: string) => timerStartProblem(new Date(text), now);
  expect(problem('2026-02-01T12:05:00.000Z')).toBeUndefined();
  expect(problem('2026-02-01T12:05:00.001Z')).toBe('session_in_future');
  expect(problem('2026-01-31T12:00:00.000Z')).toBeUndefined();
  expect(problem('2026-01-31T11:59:59.999Z')).toBe('timer_too_early');
});

test('hours have two decimals, and are rounded half up as in PostgreSQL', () => {
  expect([0, 17, 18, 54, 5400, 86_400].map(hoursOf)).toEqual([0, 0, 0.01, 0.02, 1.5, 24]);
});
