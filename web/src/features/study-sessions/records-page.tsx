import { useTexts } from '../../lib/texts.ts';
import { Page } from '../../ui/page.tsx';
import { recordMessages } from './messages.ts';
import { Records } from './records.tsx';

// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function RecordsPage() {
  const t = useTexts(recordMessages);
  return (
    <Page title={t('title')}>
      <Records />
    </Page>
  );
}
