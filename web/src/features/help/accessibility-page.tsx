import type { Catalogue } from '../../lib/texts.ts';
import { useTexts } from '../../lib/texts.ts';
import { PublicPage } from '../auth/public-page.tsx';

const messages = {
  title: { en: 'Accessibility', zh: '无障碍声明' },
  intro: {
    en: 'This application is meant to conform to WCAG 2.2, levels A and AA, in both languages and themes, from a width of 320 pixels on.',
    zh: '本应用在中英文、浅色与深色主题下，自 320 像素宽度起，力求符合 WCAG 2.2 的 A 级和 AA 级要求。',
  },
  how_title: { en: 'How it is tested', zh: '测试方式' },
  how: {
    en: 'Every page is inspected by automatic tests and operated by keyboard before each release. It is a self-assessment, not an audit by people who use assistive technology.',
    zh: '每次发布前，所有页面都会经过自动检测和键盘操作测试。这是开发者的自我评估，而非由辅助技术使用者进行的审核。',
  },
  use_title: { en: 'What helps', zh: '辅助功能' },
  keyboard: {
    en: 'Everything works by keyboard; Help lists the keys.',
    zh: '所有功能均可用键盘操作，快捷键见“帮助”。',
  },
  charts: { en: 'Every chart can be shown as a table.', zh: '所有图表都可以切换为表格。' },
  motion: {
    en: 'Settings of the device are followed: less motion, high contrast, dark colors, text size.',
    zh: '遵循设备设置：减弱动态效果、高对比度、深色模式和文字大小。',
  },
  captcha: { en: 'The contact form also has a spoken captcha.', zh: '联系表单提供语音验证码。' },
  known_title: { en: 'Known exceptions', zh: '已知例外' },
  languages: {
    en: 'Names, notes and descriptions that users write are not marked with their language.',
    zh: '用户填写的名称、备注和描述未标注语言。',
  },
  people: {
    en: 'Screen readers were not tried by people who depend on them.',
    zh: '尚未由依赖屏幕阅读器的用户进行测试。',
  },
  report_title: { en: 'Report a barrier', zh: '反馈障碍' },
  report: {
    en: 'Write to the administrators if something keeps you from using a page.',
    zh: '如果有内容妨碍你使用页面，请联系管理员。',
  },
} as const satisfies Catalogue;

/** The statement of docs/accessibility.md in short; anyone can open it. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AccessibilityPage() {
  const t = useTexts(messages);
  return (
    <PublicPage title={t('title')} intro={t('intro')} links={['signIn', 'contact']}>
      <section className="stack-8">
        <h2>{t('how_title')}</h2>
        <p>{t('how')}</p>
      </section>
      <section className="stack-8">
        <h2>{t('use_title')}</h2>
        <ul>
          <li>{t('keyboard')}</li>
          <li>{t('charts')}</li>
          <li>{t('motion')}</li>
          <li>{t('captcha')}</li>
        </ul>
      </section>
      <section className="stack-8">
        <h2>{t('known_title')}</h2>
        <ul>
          <li>{t('languages')}</li>
          <li>{t('people')}</li>
        </ul>
      </section>
      <section className="stack-8">
        <h2>{t('report_title')}</h2>
        <p>{t('report')}</p>
      </section>
    </PublicPage>
  );
}
