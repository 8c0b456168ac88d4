import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the calendar URL ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test.each(looksOfFeature)('is created, read and revoked: $language, $width px', async (look) => {
    const [none, create, address, revoke] =
      look.language === 'zh'
        ? ['还没有地址。', '创建地址', '新地址', '撤销地址']
        : ['There is no address yet.', 'Create address', 'The new address', 'Revoke address'];
    const { page, problems } = await app.openAs(await app.createAccount(), look, '/me/data');
    await page.getByText(none).waitFor();
    await page.getByRole('button', { name: create }).click();
    const url = new URL(await page.getByRole('textbox', { name: address }).inputValue());
    const read = () => fetch(new URL(url.pathname + url.search, app.origin));
    expect((await read()).status).toBe(200);
    expect(await findingsOf(page, look)).toEqual([]);
    await page.getByRole('button', { name: revoke }).click();
    await page.getByText(none).waitFor();
    expect((await read()).status).toBe(404);
    expect(problems).toEqual([]);
  });
});
