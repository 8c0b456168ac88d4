import { useState } from 'react';
import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/field.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Progress } from '../../ui/page.tsx';
import styles from './import.module.css';
import { checkFile, importFile, type Options, type Report, useImportProgress } from './import-queries.ts';
import { importMessages } from './messages.ts';
import { Preview } from './preview.tsx';

const overlaps = ['reject', 'skip', 'trim', 'stack'] as const;
const orders = ['auto', 'day_first', 'month_first'] as const;

/** Imports records from a file after a dry run with preview. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ImportPage() {
  const t = useTexts(importMessages);
  const problem = useProblem();
  const [file, setFile] = useState<File>();
  const [options, setOptions] = useState<Options>({
    on_overlap: 'reject',
    date_order: 'auto',
    skip_invalid: false,
    create_projects: false,
  });
  const [report, setReport] = useState<Report>();
  const [sent, setSent] = useState(0);

  const check = useAction(async (chosen: File, by: Options) => {
    setReport(undefined);
    setSent(0);
    setReport(await checkFile(chosen, by, setSent));
  });
  const save = useAction(async () => {
    if (file === undefined) return;
    setSent(0);
    setReport(await importFile(file, options, setSent));
    setFile(undefined);
  });
  const saved = useImportProgress(save.isRunning && sent === 1);

  function change(changed: Partial<Options>): void {
    const next = { ...options, ...changed };
    setOptions(next);
    if (file !== undefined) void check.run(file, next);
  }

  function choose(chosen: File | undefined): void {
    setFile(chosen);
    if (chosen !== undefined) void check.run(chosen, options);
  }

  const isBusy = check.isRunning || save.isRunning;
  const error = check.error ?? save.error;
  const isRejected = (report?.errors.length ?? 0) > 0;
  return (
    <Page title={t('title')}>
      <div className={styles.stack}>
        <Card>
          <div className={styles.form}>
            <p>{t('why')}</p>
            {error !== undefined && <Notice kind="error">{fieldProblem(error, 'file') ?? problem(error)}</Notice>}
            <label className={styles.file}>
              {t('file')}
              <input
                type="file"
                accept=".csv,text/csv"
                disabled={isBusy}
                onChange={({ target }) => choose(target.files?.[0])}
              />
            </label>
            <Select
              label={t('overlaps')}
              value={options.on_overlap}
              isDisabled={isBusy}
              onChange={(on_overlap) => change({ on_overlap })}
              options={overlaps.map((id) => [id, t(id)])}
            />
            <Select
              label={t('dates')}
              value={options.date_order}
              isDisabled={isBusy}
              onChange={(date_order) => change({ date_order })}
              options={orders.map((id) => [id, t(id)])}
            />
            {(['skip_invalid', 'create_projects'] as const).map((name) => (
              <Checkbox
                key={name}
                isSelected={options[name]}
                isDisabled={isBusy}
                onChange={(isOn) => change({ [name]: isOn })}
              >
                {t(name)}
              </Checkbox>
            ))}
            {isBusy && (
              <div role="status">
                {t(save.isRunning ? 'saving' : 'checking')}
                <Progress percent={(save.isRunning ? sent * 0.2 + saved * 0.8 : sent) * 100} label={t('progress')} />
              </div>
            )}
          </div>
        </Card>
        {report !== undefined && save.isDone && (
          <Notice kind="success">
            {t('done', { count: report.imported })}{' '}
            <LinkButton href={`${href('records')}?view=list`}>{t('to_records')}</LinkButton>
          </Notice>
        )}
        {report !== undefined && !save.isDone && (
          <Preview report={report}>
            {report.valid === 0 && !isRejected ? (
              <p>{t('nothing')}</p>
            ) : (
              <Button look="primary" isDisabled={isRejected} isPending={isBusy} onPress={() => void save.run()}>
                {t('import', { count: report.valid })}
              </Button>
            )}
          </Preview>
        )}
      </div>
    </Page>
  );
}
