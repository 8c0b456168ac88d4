import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runJob } from '../support/contact.ts';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the personal export ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test.each(looksOfFeature)('is requested, written and downloaded: $language, $width px', async (look) => {
    const [ask, pending, save] =
      look.language === 'zh'
        ? ['申请我的数据', '文件正在生成。', '下载']
        : ['Request my data', 'The file is being prepared.', 'Download'];
    const { page, problems } = await app.openAs(await app.createAccount(), look, '/me/data');
    await page.getByRole('button', { name: ask }).click();
    await page.getByText(pending).waitFor();
    await runJob(app, 'write personal exports');
    const button = page.getByRole('button', { name: save, exact: true });
    await button.waitFor();
    expect(await findingsOf(page, look)).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe('studytrack-export.tar.gz');
    expect(problems).toEqual([]);
  });
});
