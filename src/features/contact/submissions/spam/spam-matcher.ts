import { type Glyph, readGlyphs, type SpamFamily, type SpamWords, spamFamilies } from './spam-words.ts';

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

export type SpamMatcher = {
  /** The family of the first listed word in the text, or null. Linear time; never throws. */
  match(text: string): SpamFamily | null;
};

type Word = { readonly glyphs: readonly Glyph[]; readonly family: SpamFamily | null };

/** Finds listed words even if disguised, except in innocent phrases. */
export function createSpamMatcher(words: SpamWords): SpamMatcher {
  const automaton = createAutomaton([
    ...spamFamilies.flatMap((family) => words[family].map((word) => toEntry(word, family))),
    ...words.innocent.map((phrase) => toEntry(phrase, null)),
  ]);

  return {
    match(text) {
      const glyphs = readGlyphs(text);
      const hits: { start: number; end: number; family: SpamFamily }[] = [];
      // innocentUntil[i]: the end of the innocent phrase that begins at i.
      const innocentUntil = new Uint32Array(glyphs.length);
      automaton.scan(symbolsOf(glyphs), (word, end) => {
        const start = end - word.glyphs.length;
        if (!isWordAt(word.glyphs, glyphs, start)) return;
        if (word.family === null) innocentUntil[start] = end;
        else hits.push({ start, end, family: word.family });
      });
      // Now the end of those that begin at i or before.
      for (let i = 1; i < innocentUntil.length; i++) {
        innocentUntil[i] = Math.max(innocentUntil[i - 1] ?? 0, innocentUntil[i] ?? 0);
      }
      return hits.find((hit) => (innocentUntil[hit.start] ?? 0) < hit.end)?.family ?? null;
    },
  };
}

function toEntry(text: string, family: SpamFamily | null) {
  const glyphs = readGlyphs(text);
  return { symbols: symbolsOf(glyphs), value: { glyphs, family } satisfies Word };
}

function symbolsOf(glyphs: readonly Glyph[]): string[] {
  return glyphs.map((glyph) => glyph.symbol);
}

/** Whether `word`, whose symbols are in `text` at `start`, is a word there and not parts of other words. */
function isWordAt(word: readonly Glyph[], text: readonly Glyph[], start: number): boolean {
  const end = start + word.length;
  if (!isBoundary(text, start, start) || !isBoundary(text, end, end - 1)) return false;
  if (word.some((glyph) => glyph.kind === 'ideograph')) return true;

  const found = text.slice(start, end);
  const disguised = found.filter((glyph, i) => glyph.kind === 'disguise' && word[i]?.kind === 'letter');
  if (disguised.length > word.length / 2) return false;

  // "pyramid scheme", "pyramidscheme" and "mar-ket.ing", but not "the pen is".
  if (found.every((glyph, i) => i === 0 || !glyph.spaced || isAfterGap(word, i))) return true;

  // "p o r n", but not the "a s s" of "a s s i g n m e n t"; longer words are not spelled by chance.
  if (!found.every((_, i) => i === 0 || isAfterGap(found, i))) return false;
  const step = Math.max(...found.slice(1).map((glyph) => glyph.gap));
  return (
    word.length > 4 || !(continuesSpelling(text, start, start - 1, step) || continuesSpelling(text, end, end, step))
  );
}

/** Whether a word may begin or end before the glyph at `index`; `edge` is its own first or last glyph. */
function isBoundary(text: readonly Glyph[], index: number, edge: number): boolean {
  const left = text[index - 1];
  const right = text[index];
  if (left === undefined || right === undefined || right.gap > 0) return true;
  if (left.kind === 'ideograph' || right.kind === 'ideograph') return true;
  // "porn18", "18porn"
  return text[edge]?.kind === 'letter' && left.kind !== right.kind;
}

function isAfterGap(glyphs: readonly Glyph[], index: number): boolean {
  return (glyphs[index]?.gap ?? 0) > 0;
}

/** Whether the glyph at `neighbour` is also a single letter, at most `step` separators away. */
function continuesSpelling(text: readonly Glyph[], index: number, neighbour: number, step: number): boolean {
  return (
    text[neighbour]?.kind === 'letter' &&
    (text[index]?.gap ?? 0) <= step &&
    isBoundary(text, neighbour, neighbour) &&
    isBoundary(text, neighbour + 1, neighbour)
  );
}
