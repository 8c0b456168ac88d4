-- The progress state of a project on a day of the reader's calendar, for lists. A test compares it with goalState in
-- src/features/goals. One expression, so that it is inlined.
CREATE OR REPLACE FUNCTION goal_state(
  status text, target_hours numeric, current_seconds bigint, plan_seconds bigint, plan_day date, due_date date, today date)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN status = 'completed' OR target_hours > 0 AND current_seconds >= target_hours * 3600 THEN 'done'
    WHEN status = 'paused' THEN 'paused'
    WHEN target_hours = 0 THEN 'no_target'
    WHEN due_date IS NULL THEN 'on_track'
    WHEN due_date < today THEN 'overdue'
    ELSE (ARRAY['behind', 'on_track', 'ahead'])[2 + sign(
      CASE WHEN plan_seconds < target_hours * 3600
        THEN div(greatest(0, current_seconds - plan_seconds)::numeric * greatest(1, due_date - plan_day + 1),
          target_hours * 3600 - plan_seconds)
        ELSE div(current_seconds::numeric * greatest(1, due_date - plan_day + 1), target_hours * 3600) END
      - greatest(0, today - plan_day))::integer]
  END
$$;
