type Node<T> = {
  readonly next: Map<string, Node<T>>;
  readonly values: T[];
  /** The node of the longest proper suffix that is a prefix of an entry; null for the root. */
  fallback: Node<T> | null;
  /** The nearest node along the fallbacks that has values. */
  shorter: Node<T> | null;
};

/**
 * An Aho–Corasick automaton: finds all entries in a text in time linear in the text and the matches. `scan` reports
 * each with the index after its last symbol, in the order of these indices.
 */
export function createAutomaton<T>(entries: Iterable<{ symbols: readonly string[]; value: T }>) {
  const root: Node<T> = createNode(null);
  for (const { symbols, value } of entries) {
    let node = root;
    for (const symbol of symbols) {
      const known = node.next.get(symbol) ?? createNode(root);
      node.next.set(symbol, known);
      node = known;
    }
    node.values.push(value);
  }

  // Breadth first: the fallbacks of a node are nearer to the root and thus complete.
  const queue = [...root.next.values()];
  for (const node of queue) {
    for (const [symbol, child] of node.next) {
      child.fallback = step(node.fallback, symbol);
      child.shorter = child.fallback.values.length > 0 ? child.fallback : child.fallback.shorter;
      queue.push(child);
    }
  }

  function step(from: Node<T> | null, symbol: string): Node<T> {
    for (let node = from; node !== null; node = node.fallback) {
      const next = node.next.get(symbol);
      if (next !== undefined) return next;
    }
    return root;
  }

  function scan(symbols: Iterable<string>, report: (value: T, end: number) => void): void {
    let node = root;
    let end = 0;
    for (const symbol of symbols) {
      node = step(node, symbol);
      end += 1;
      for (let found: Node<T> | null = node; found !== null; found = found.shorter) {
        for (const value of found.values) report(value, end);
      }
    }
  }

  return { scan };
}

function createNode<T>(fallback: Node<T> | null): Node<T> {
  return { next: new Map(), values: [], fallback, shorter: null };
}
