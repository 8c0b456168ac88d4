-- The search index of users, projects and notes: pairs of characters, not trigrams, because most Chinese words have two. Pairs
-- that occur twice are returned twice: an index stores each once. IMMUTABLE is true because the locale that lower() depends on
-- never changes. In plpgsql, which keeps the plan: an index expression in SQL is planned for every row that is written. With
-- the cost that it has, so that the planner does not compute the pairs of every row instead of using an index. The indexes
-- store results: a change of the set of pairs needs a migration that creates them again.
CREATE OR REPLACE FUNCTION character_pairs(content text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
COST 2000 AS $$
BEGIN
  RETURN (
    SELECT coalesce(array_agg(pair.first || pair.second), '{}')
    FROM (SELECT string_to_array(lower(content), NULL) AS list) AS c, unnest(c.list, c.list[2:]) AS pair (first, second)
    WHERE pair.second IS NOT NULL);
END $$;
