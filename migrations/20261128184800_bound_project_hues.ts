import type { Knex } from 'knex';

/** A person with thousands of active projects: only the oldest ones are read, because twelve of them have all colors. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- As before, but of at most 24 own and 24 assigned active projects. Of more than twelve, some have the same color anyway.
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
          SELECT o.id, o.color FROM projects o
          WHERE o.user_id = person AND o.status = 'active' AND o.deleted_at IS NULL
          UNION
          SELECT p.id, p.color FROM project_assignments a JOIN projects p ON p.id = a.project_id
          WHERE a.user_id = person AND p.status = 'active' AND p.deleted_at IS NULL
          UNION
          SELECT n.id, n.color FROM unnest(new_ids, new_colors) AS n (id, color)) AS f
        ORDER BY f.color IS NULL, f.id
      LOOP
        EXIT WHEN cardinality(taken) = 12;
        IF hue IS NULL THEN
          SELECT n.hue INTO hue
          FROM generate_series(0, 11) AS step, LATERAL (SELECT ((project - 1 + step) % 12 + 1)::integer) AS n (hue)
          WHERE n.hue <> ALL (taken) ORDER BY step LIMIT 1;
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
