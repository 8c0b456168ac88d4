import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { RateLimit } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { drawCaptcha, speakCaptcha } from './captcha-rendering.ts';
import { captcha, captchaCookie } from './captcha-schemas.ts';
import { type CaptchaService, captchaSeconds, type IssuedCaptcha, type Render } from './captcha-service.ts';

export type CaptchaRoutesOptions = {
  captchas: CaptchaService;
  limit: RateLimit;
  reveal: boolean;
  corsOrigins: readonly string[];
};

export function createCaptchaRoutes(options: CaptchaRoutesOptions): Operation[] {
  const { captchas, limit, reveal, corsOrigins } = options;
  return [
    operation({
      tag: 'Contact',
      access: 'public',
      method: 'get',
      path: '/api/contact/captcha',
      id: 'getCaptcha',
      summary: 'Get a captcha',
      description:
        'A picture of the four characters that a submission must contain, valid for five minutes and one attempt. Its id is ' +
        'in a cookie and in the response. With `Accept: image/*`, the response is the picture itself, with ' +
        '`Accept: audio/wav`, a recording of the characters in the language of the request.',
      data: captcha,
      produces: ['image/png', 'audio/wav'],
      limit,
      handler: async ({ request }) => {
        const accept = request.header('accept') ?? '';
        const isSpoken = /^\s*audio\//i.test(accept);
        const speak: Render = (text, caller) => speakCaptcha(text, request.locale, caller);
        const issued = await captchas.issue(request.address, isSpoken ? speak : drawCaptcha);
        const cookie = captchaCookie(issued.id, request, { maxAge: captchaSeconds, corsOrigins });
        const headers = { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' };
        const stream = () => Readable.from(issued.content);
        if (isSpoken) return { stream: stream(), contentType: 'audio/wav', headers };
        if (/^\s*image\//i.test(accept)) return { stream: stream(), contentType: 'image/png', headers };
        return { headers, data: toCaptchaResponse(issued, reveal) };
      },
    }),
  ];
}

function toCaptchaResponse({ id, answer, content }: IssuedCaptcha, reveal: boolean): z.input<typeof captcha> {
  return {
    captcha_id: id,
    image: `data:image/png;base64,${content.toString('base64')}`,
    expires_in: captchaSeconds,
    ...(reveal && { answer }),
  };
}
