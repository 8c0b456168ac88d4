/** Line and column, from 1, of the first character at which a text stops being JSON. The parser names it in some of its messages only. */
export function jsonErrorPosition(text: string): { line: number; column: number } {
  let [valid, invalid] = [0, text.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (canBecomeJson(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  const lines = text.slice(0, valid).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Whether a text is JSON or its beginning. */
function canBecomeJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return position === undefined ? message.includes('end of JSON') : Number(position) >= text.length;
  }
}
