import type { Tx } from '../../src/transactions/transactions.ts';

/** The transaction, and the number of statements that were run with it. */
export function countStatements(tx: Tx): { counted: Tx; statements: () => number } {
  let number = 0;
  const counts = new Set<PropertyKey>(['many', 'maybeOne', 'one', 'execute', 'table']);
  const counted = new Proxy(tx, {
    get(target, name) {
      if (counts.has(name)) number += 1;
      return Reflect.get(target, name);
    },
  });
  return { counted, statements: () => number };
}
