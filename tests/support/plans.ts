import { type Database, type Executor, type Statement, sql, type Value } from '../../src/db/database.ts';

/** A node of a plan, as EXPLAIN (FORMAT JSON) tells it. */
export type PlanNode = {
  'Node Type': string;
  'Subplan Name'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: PlanNode[];
};

/** A node and all below it. */
export const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * How PostgreSQL really carried out what `work` ran: the nodes of every statement's plan. The work gets what its
 * statements answer, too: each is run once as it stands and once explained, and the changes of both are rolled back.
 */
export async function explain(database: Database, work: (db: Executor) => Promise<unknown>): Promise<PlanNode[]> {
  const found: PlanNode[] = [];
  const undone = new Error('undone on purpose');
  const run = database.transaction(async (tx) => {
    const explaining: Executor = {
      ...tx,
      rows: async <Row>(statement: Statement, values?: readonly Value[]) => {
        await tx.rows(savepoint);
        const explained = { name: '', text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}` };
        const rows = await tx.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained, values);
        await tx.rows(rollback);
        found.push(...rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)));
        return tx.rows<Row>(statement, values);
      },
    };
    await work(explaining);
    throw undone;
  });
  await run.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return found;
}

const savepoint = sql('SAVEPOINT explained');
const rollback = sql('ROLLBACK TO SAVEPOINT explained');
