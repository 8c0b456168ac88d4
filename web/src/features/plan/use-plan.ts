import { useEffect, useState } from 'react';
import { useAccount } from '../../lib/session.ts';
import { secondsOf } from '../../lib/study-days.ts';
import { type Forecast, useForecasts } from '../projects/forecast-queries.ts';
import { type Project, useActiveProjects } from '../projects/project-queries.ts';
import { useTimer } from '../timer/timer-queries.ts';
import { useWeek, type Week } from './week-queries.ts';

/** The projects among which those that ask something of today are looked for. */
const maxCompared = 12;
/** The list does not wait longer for the forecasts. */
const maxWait = 1500;

/** What a project asks of today, in seconds: studied already, and left. */
export type PlanItem = {
  project: Project;
  forecast: Forecast | undefined;
  done: number;
  left: number;
  /** Whether a due date or a weekly goal asks for it; others were studied lately. */
  isPlanned: boolean;
};

export type Plan = {
  items: readonly PlanItem[];
  /** Planned projects and the rest of the daily goal, in seconds. */
  toGo: number;
  done: number;
  /** What is left of the daily goal beyond the planned projects. */
  free: number;
  /** Nothing is asked of today: no due date, no weekly goal, no daily goal. */
  isOpen: boolean;
};

/** Goals that can be reached first: those due first, then what was studied last. */
export function firstDue(projects: readonly Project[]): number[] {
  const due = ({ due_date, own_progress }: Project) => (due_date === null || own_progress >= 100 ? '9' : due_date);
  // Projects come most recently studied first; sorting is stable.
  const sorted = [...projects].sort((a, b) => due(a).localeCompare(due(b)));
  return sorted.slice(0, maxCompared).map(({ id }) => id);
}

/** The seconds that a project asks of today when its forecast was made; undefined if it asks nothing of the reader. */
const askedOf = (forecast: Forecast | undefined): number | undefined =>
  forecast?.hours_of === 'caller' && forecast.today_reason !== null ? forecast.today_required_hours * 3600 : undefined;

/** The plan of today: what each project asks, with the running timer; undefined until it is known. */
export function usePlan(): { plan: Plan; week: Week } | undefined {
  const { daily_goal_minutes: goal } = useAccount();
  const { data: projects } = useActiveProjects();
  const { data: timer } = useTimer();
  const week = useWeek();
  const [compared, setCompared] = useState<number[]>();
  // The order stays while the page is open: nothing moves under the pointer when a timer starts.
  const [order, setOrder] = useState<number[]>();
  const [isLate, setLate] = useState(false);
  if (compared === undefined && projects !== undefined) setCompared(firstDue(projects));
  useEffect(() => {
    const late = setTimeout(() => setLate(true), maxWait);
    return () => clearTimeout(late);
  }, []);
  const known = new Map(projects?.map((project) => [project.id, project]));
  const added = projects?.map(({ id }) => id).filter((id) => !(compared ?? []).includes(id)) ?? [];
  const listed = [...(order ?? compared ?? []), ...added].flatMap((id) => known.get(id) ?? []).slice(0, maxCompared);
  const { forecasts, isRead } = useForecasts(listed.map(({ id }) => id));
  if (order === undefined && compared !== undefined && (isLate || isRead))
    setOrder(compared.toSorted((a, b) => (askedOf(forecasts.get(b)) ?? -1) - (askedOf(forecasts.get(a)) ?? -1)));
  if (week === undefined || projects === undefined || order === undefined) return undefined;

  const running = week.runningSeconds;
  const items = listed.map((project): PlanItem => {
    const forecast = forecasts.get(project.id);
    const asked = askedOf(forecast);
    const done = week.today.parts.find(({ id }) => id === project.id)?.seconds ?? 0;
    // Forecasts count finished records only.
    const left = Math.max(0, (asked ?? 0) - (timer?.project_id === project.id ? running : 0));
    return { project, forecast, done, left: left < 30 ? 0 : left, isPlanned: asked !== undefined };
  });
  const planned = items.reduce((sum, { left }) => sum + left, 0);
  const done = secondsOf(week.today.parts);
  const free = goal === null ? 0 : Math.max(0, goal * 60 - done - planned);
  const isOpen = goal === null && items.every(({ isPlanned }) => !isPlanned);
  return { plan: { items, toGo: planned + free, done, free, isOpen }, week };
}
