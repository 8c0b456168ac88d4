import type { Knex } from 'knex';

/** Of the status changes of a project on one day (UTC) the first nine are kept, and one for all later ones. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    WITH numbered AS MATERIALIZED (
      SELECT c.id, c.from_status, row_number() OVER day AS place,
        last_value(c.to_status) OVER whole_day AS last_status, last_value(c.changed_at) OVER whole_day AS last_at
      FROM project_status_changes c
      WINDOW day AS (PARTITION BY c.project_id, date_trunc('day', c.changed_at, 'UTC') ORDER BY c.changed_at, c.id),
        whole_day AS (day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)),
    merged AS (
      UPDATE project_status_changes c SET to_status = n.last_status, changed_at = n.last_at
      FROM numbered n WHERE n.id = c.id AND n.place = 10 AND n.from_status <> n.last_status)
    DELETE FROM project_status_changes c USING numbered n
    WHERE n.id = c.id AND (n.place > 10 OR (n.place = 10 AND n.from_status = n.last_status));
  `);
}

/** Removed changes cannot be restored. */
export async function down(): Promise<void> {}
