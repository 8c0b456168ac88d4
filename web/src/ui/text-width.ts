/** About the width of a text in the axes' font, in pixels: Chinese characters are as wide as the font is high. */
export const textWidth = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character > '\u2e7f' ? 12 : character === ' ' ? 3 : 7), 0);

/** The space that labels beside an axis need, with a gap. */
export const axisWidth = (labels: readonly string[]): number => Math.max(...labels.map(textWidth)) + 10;

/** The x of a label centred at `x`, moved left if it would extend beyond the right edge of a drawing of this width. */
export const centredBefore = (width: number, x: number, text: string): number =>
  Math.min(x, width - textWidth(text) / 2);
