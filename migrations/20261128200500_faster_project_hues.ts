import type { Knex } from 'knex';

/**
 * PostgreSQL planned the statement of `project_hues` anew for most calls, which took longer than to run it; and it read all
 * finished projects of a person. What it returns is the same.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The colors of a person's active projects that have none of their own, by project: no two are the same while there are at
    -- most twelve projects. Of more than 60 own or assigned projects, the newest are read. The calling statement creates
    -- \`new_ids\`, and does not see them yet. A bitmap scan would read all projects before the newest are selected.
    CREATE OR REPLACE FUNCTION project_hues(person bigint, new_ids bigint[] DEFAULT '{}', new_colors integer[] DEFAULT '{}')
      RETURNS jsonb LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
    DECLARE
      hues jsonb := '{}';
      taken integer[] := '{}';
      project bigint;
      hue integer;
    BEGIN
      FOR project, hue IN
        SELECT f.id, f.color
        FROM (
          SELECT o.id, o.color
          FROM (SELECT * FROM projects WHERE user_id = person AND deleted_at IS NULL
                ORDER BY created_at DESC, id DESC LIMIT 60) AS o
          WHERE o.status = 'active'
          UNION ALL
          SELECT p.id, p.color
          FROM (SELECT * FROM project_assignments WHERE user_id = person AND owner_id <> person
                ORDER BY project_created_at DESC, project_id DESC LIMIT 60) AS a JOIN projects p ON p.id = a.project_id
          WHERE p.status = 'active' AND p.deleted_at IS NULL
          UNION ALL
          SELECT n.id, n.color FROM unnest(new_ids, new_colors) AS n (id, color)) AS f
        ORDER BY f.color IS NULL, f.id
      LOOP
        EXIT WHEN cardinality(taken) = 12;
        IF hue IS NULL THEN
          hue := (project - 1) % 12 + 1;
          WHILE hue = ANY (taken) LOOP
            hue := hue % 12 + 1;
          END LOOP;
          hues := hues || jsonb_build_object(project, hue);
        END IF;
        IF hue <> ALL (taken) THEN
          taken := taken || hue;
        END IF;
      END LOOP;
      RETURN hues;
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION project_hues(person bigint, new_ids bigint[] DEFAULT '{}', new_colors integer[] DEFAULT '{}')
      RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
    DECLARE
      hues jsonb := '{}';
      taken integer[] := '{}';
      project bigint;
      hue integer;
    BEGIN
      FOR project, hue IN
        SELECT f.id, f.color
        FROM (
          (SELECT o.id, o.color FROM projects o
           WHERE o.user_id = person AND o.status = 'active' AND o.deleted_at IS NULL
           ORDER BY o.created_at, o.id LIMIT 24)
          UNION
          (SELECT p.id, p.color FROM project_assignments a JOIN projects p ON p.id = a.project_id
           WHERE a.user_id = person AND p.status = 'active' AND p.deleted_at IS NULL
           ORDER BY a.project_created_at, a.project_id LIMIT 24)
          UNION
          SELECT n.id, n.color FROM unnest(new_ids, new_colors) AS n (id, color)) AS f
        ORDER BY f.color IS NULL, f.id
      LOOP
        EXIT WHEN cardinality(taken) = 12;
        IF hue IS NULL THEN
          hue := (project - 1) % 12 + 1;
          WHILE hue = ANY (taken) LOOP
            hue := hue % 12 + 1;
          END LOOP;
          hues := hues || jsonb_build_object(project, hue);
        END IF;
        IF hue <> ALL (taken) THEN
          taken := taken || hue;
        END IF;
      END LOOP;
      RETURN hues;
    END $$;
  `);
}
