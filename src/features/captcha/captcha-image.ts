import { randomInt } from 'node:crypto';
import sharp from 'sharp';
import svgCaptcha from 'svg-captcha';
import { createFairQueue } from '../../lib/fair-queue.ts';

// Of characters that look alike at most one: 0ODQ 1IL 2Z 4A 5S 6CG 7T 8B UV.
export const captchaAlphabet = 'ACEFHJKMNPRTWXY39';

// The package is a function of the text, which its types leave out. The text it would choose itself is predictable.
const drawSvg = svgCaptcha as unknown as (text: string, options: svgCaptcha.ConfigObject) => string;

/** Turns of drawing and speaking: each takes some ten milliseconds of a core. */
export const drawing = createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 20, waitSeconds: 5 });

export function randomCaptchaText(): string {
  return Array.from({ length: 4 }, () => captchaAlphabet[randomInt(captchaAlphabet.length)]).join('');
}

/** Draws a distorted PNG: an SVG would reveal the text in its outlines. Throws like a fair queue. */
export function drawCaptcha(text: string, caller: string): Promise<Buffer> {
  return drawing.run(caller, async () => {
    const svg = drawSvg(text, { width: 180, height: 60, fontSize: 62, noise: 2 });
    const picture = sharp(Buffer.from(svg), { density: 144 }).flatten({ background: '#ffffff' });
    return picture.png({ palette: true, colours: 16 }).toBuffer();
  });
}
