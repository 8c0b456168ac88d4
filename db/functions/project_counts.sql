-- Counts projects by month (UTC), status and category. A combination may have several rows: a writer updates one that is not locked,
-- or adds one, so that writers neither wait nor deadlock. The sum is exact.
CREATE OR REPLACE FUNCTION project_counts_add(moment timestamptz, of_status text, of_category text, difference bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE of_month date := date_trunc('month', moment AT TIME ZONE 'UTC');
BEGIN
  UPDATE project_counts c SET total = c.total + difference WHERE c.id = (
    SELECT free.id FROM project_counts free
    WHERE free.month = of_month AND free.status = of_status AND free.category = of_category
    LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO project_counts (month, status, category, total) VALUES (of_month, of_status, of_category, difference);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION projects_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE added record;
BEGIN
  FOR added IN
    SELECT min(n.created_at) AS moment, n.status, n.category, count(*) AS number FROM new_rows n
    WHERE n.deleted_at IS NULL GROUP BY date_trunc('month', n.created_at AT TIME ZONE 'UTC'), n.status, n.category
  LOOP
    PERFORM project_counts_add(added.moment, added.status, added.category, added.number);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER projects_count_added AFTER INSERT ON projects
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION projects_count_added();

CREATE OR REPLACE FUNCTION projects_count_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN
    PERFORM project_counts_add(OLD.created_at, OLD.status, OLD.category, -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN
    PERFORM project_counts_add(NEW.created_at, NEW.status, NEW.category, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER projects_count_moved AFTER UPDATE OF status, category, deleted_at ON projects FOR EACH ROW
  WHEN ((OLD.status, OLD.category, OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.status, NEW.category, NEW.deleted_at IS NULL))
  EXECUTE FUNCTION projects_count_moved();
CREATE OR REPLACE TRIGGER projects_count_removed AFTER DELETE ON projects FOR EACH ROW EXECUTE FUNCTION projects_count_moved();
