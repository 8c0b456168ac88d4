import { randomInt } from 'node:crypto';
import sharp from 'sharp';
import svgCaptcha from 'svg-captcha';
import { createFairQueue } from '../../lib/fair-queue.ts';

// Of characters that look alike at most one: 0ODQ 1IL 2Z 4A 5S 6CG 7T 8B UV.
const alphabet = 'ACEFHJKMNPRTWXY39';

// The package is a function of the text, which its types leave out. Its own choice of text can be predicted.
const drawSvg = svgCaptcha as unknown as (text: string, options: svgCaptcha.ConfigObject) => string;

const drawing = createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 20, waitSeconds: 5 });

/** Four characters that cannot be foreseen. */
export function randomCaptchaText(): string {
  return Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * The text as a distorted PNG. As SVG a program could read it off the outlines. Callers get their turns fairly; throws
 * RateLimitedError and UnavailableError.
 */
export function drawCaptcha(text: string, caller: string): Promise<Buffer> {
  return drawing.run(caller, async () => {
    const svg = drawSvg(text, { width: 180, height: 60, fontSize: 62, noise: 2 });
    const picture = sharp(Buffer.from(svg), { density: 144 }).flatten({ background: '#ffffff' });
    return picture.png({ palette: true, colours: 16 }).toBuffer();
  });
}
