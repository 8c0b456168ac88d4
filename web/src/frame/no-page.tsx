import { Link } from 'wouter';
import { useTexts } from '../lib/texts.ts';
import { href } from '../routes.ts';
import { Empty, Page } from '../ui/page.tsx';
import { frameMessages } from './messages.ts';

export function NoPage() {
  const t = useTexts(frameMessages);
  return (
    <Page title={t('no_page')}>
      <Empty>
        <p>{t('no_page_why')}</p>
        <Link href={href('today')}>{t('back')}</Link>
      </Empty>
    </Page>
  );
}
