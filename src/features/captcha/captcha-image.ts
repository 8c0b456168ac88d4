import { randomInt } from 'node:crypto';
import sharp from 'sharp';
import svgCaptcha from 'svg-captcha';
import { createFairQueue } from '../../lib/fair-queue.ts';

// At most one of each group of similar characters: 0ODQ 1IL 2Z 4A 5S 6CG 7T 8B UV.
export const captchaAlphabet = 'ACEFHJKMNPRTWXY39';

// The package can draw a given text, which its types omit; the text that it generates itself is predictable.
const drawSvg = svgCaptcha as unknown as (text: string, options: svgCaptcha.ConfigObject) => string;

/** Shared by pictures and speech, which take some ten milliseconds of a core each. */
export const renderQueue = createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 20, waitSeconds: 5 });

export function randomCaptchaText(): string {
  return Array.from({ length: 4 }, () => captchaAlphabet[randomInt(captchaAlphabet.length)]).join('');
}

/** Draws a distorted PNG: an SVG would reveal the text in its outlines. Throws the errors of the fair queue. */
export function drawCaptcha(text: string, caller: string): Promise<Buffer> {
  return renderQueue.run(caller, async () => {
    const svg = drawSvg(text, { width: 180, height: 60, fontSize: 62, noise: 2 });
    const picture = sharp(Buffer.from(svg), { density: 144 }).flatten({ background: '#ffffff' });
    return picture.png({ palette: true, colours: 16 }).toBuffer();
  });
}
