import type { Database, Transaction } from '../../src/db/database.ts';
import { Parameter, sql, t, type Value } from '../../src/db/sql/sql.ts';
import { command, type Statement } from '../../src/db/sql/statement.ts';

/** A plan node of EXPLAIN (FORMAT JSON). */
export type PlanNode = {
  'Node Type': string;
  'Subplan Name'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
};

/** A node and its descendants. */
export const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * The plan nodes of every statement that `work` runs. Each statement is executed twice, once under EXPLAIN ANALYZE and once
 * for its result, and all changes are rolled back.
 */
export async function explain(database: Database, work: (db: Transaction) => Promise<unknown>): Promise<PlanNode[]> {
  const found: PlanNode[] = [];
  const rolledBack = new Error('rolled back on purpose');
  const run = database.transaction(async (tx) => {
    async function explainOne({ text, parameters }: Statement): Promise<void> {
      await tx.execute(savepoint());
      const explain = { prepared: '', text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters, columns };
      const rows = await tx.many<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain);
      await tx.execute(rollback());
      found.push(...rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)));
    }
    const explaining: Transaction = {
      ...tx,
      table(name, statement) {
        const query = tx.table(name, statement);
        const run = query.then.bind(query);
        const explained = async () => {
          const { sql: text, bindings } = query.toSQL().toNative();
          await explainOne({
            prepared: '',
            text,
            parameters: bindings.map((value) => new Parameter('', value as Value)),
          });
          return run();
        };
        // biome-ignore lint/suspicious/noThenProperty: as the executor does
        query.then = (onFulfilled, onRejected) => explained().then(onFulfilled, onRejected);
        return query;
      },
      many: async (query) => explainOne(query).then(() => tx.many(query)),
      maybeOne: async (query) => explainOne(query).then(() => tx.maybeOne(query)),
      one: async (query) => explainOne(query).then(() => tx.one(query)),
      execute: async (command) => explainOne(command).then(() => tx.execute(command)),
    };
    await work(explaining);
    throw rolledBack;
  });
  await run.catch((error: unknown) => {
    if (error !== rolledBack) throw error;
  });
  return found;
}

const columns = { 'QUERY PLAN': t.json() };
const savepoint = command('test_savepoint', () => sql`SAVEPOINT explained`);
const rollback = command('test_rollback', () => sql`ROLLBACK TO SAVEPOINT explained`);
