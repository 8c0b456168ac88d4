import { useTexts } from '../../lib/texts.ts';
import { DropFile } from '../../ui/drop-file.tsx';
import { importMessages } from './messages.ts';
import type { Import } from './use-import.ts';

export function FileStep({ wizard: { isBusy, choose } }: { wizard: Import }) {
  const t = useTexts(importMessages);
  return (
    <DropFile
      label={t('select_file')}
      drop={t('drop')}
      about={t('sources')}
      accept=".csv,.tsv,.txt,.json,text/csv,text/plain,application/json"
      isDisabled={isBusy}
      onFile={(file) => void choose(file)}
    />
  );
}
