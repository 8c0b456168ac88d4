-- For search indexes: pairs of characters, not trigrams, because most Chinese words have two characters. Duplicates do not matter to
-- an index. IMMUTABLE, because the locale of lower() never changes. plpgsql caches the plan, while an SQL expression would be
-- planned for every written row. The high cost makes the planner use an index instead of computing the pairs of every row. A
-- change of the results needs a migration that rebuilds the indexes.
CREATE OR REPLACE FUNCTION character_pairs(content text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
COST 2000 AS $$
BEGIN
  RETURN (
    SELECT coalesce(array_agg(pair.first || pair.second), '{}')
    FROM (SELECT string_to_array(lower(content), NULL) AS list) AS c, unnest(c.list, c.list[2:]) AS pair (first, second)
    WHERE pair.second IS NOT NULL);
END $$;
