import { type Sql, sql } from '../../db/sql/sql.ts';
import { type CalendarParameters, dayOf } from '../statistics/study-days.ts';

/** SQL: the state of a project `p` on the day of the relation `today`. */
export const stateOfGoal = (calendar: CalendarParameters): Sql => sql`
  goal_state(p.status, p.target_hours, p.current_seconds, p.plan_seconds, ${dayOf(sql`p.plan_started_at`, calendar)},
    p.due_date, today.day)`;
