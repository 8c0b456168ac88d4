import { fieldProblem, useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Progress } from '../../ui/page.tsx';
import { Steps } from '../../ui/steps.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { EarlierImports, UndoImport } from './earlier-imports.tsx';
import { FileStep } from './file-step.tsx';
import styles from './import.module.css';
import { progressOf, useImports } from './import-queries.ts';
import { importMessages } from './messages.ts';
import { PreviewStep } from './preview-step.tsx';
import { LeftOutRows } from './preview-tables.tsx';
import { ProjectsStep } from './projects-step.tsx';
import { questions, steps, useImport } from './use-import.ts';

/** Imports records from a file, step by step: file, columns, names of projects, preview. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ImportPage() {
  const t = useTexts(importMessages);
  const problem = useProblem();
  const wizard = useImport();
  const { step, file, report, checking, saving, sent, isBusy } = wizard;
  const imports = useImports(saving.isRunning);
  const percent = 100 * (saving.isRunning ? 0.2 * sent + 0.8 * progressOf(imports) : sent);
  const error = checking.error ?? saving.error;
  return (
    <Page title={t('title')}>
      <div className={styles.wizard}>
        <Steps label={t('steps')} steps={questions.map((name) => t(`step_${name}`))} current={steps.indexOf(step)} />
        {error !== undefined && !isBusy && (
          <Notice kind="error">
            {fieldProblem(error, 'file', (said) => t('file_problem', { said })) ?? problem(error)}
          </Notice>
        )}
        {step === 'file' && <FileStep wizard={wizard} />}
        {step === 'columns' && <ColumnsStep wizard={wizard} />}
        {step === 'projects' && <ProjectsStep wizard={wizard} />}
        {step === 'preview' && report !== undefined && <PreviewStep wizard={wizard} report={report} />}
        {step === 'done' && report !== undefined && (
          <Card title={t('done_title')}>
            <div className="stack">
              <UndoImport id={report.import_id} count={report.imported} />
              <LeftOutRows notices={report.notices} />
            </div>
          </Card>
        )}
        <div role="status">
          {isBusy && (
            <>
              {t(saving.isRunning ? 'saving' : 'checking')}
              <Progress percent={percent} label={t('progress')} />
            </>
          )}
        </div>
        {step !== 'file' && step !== 'done' && (
          <div className="row">
            {step === 'preview' ? (
              <Button
                look="primary"
                isDisabled={report === undefined || report.valid === 0}
                isPending={isBusy}
                onPress={() => void wizard.save()}
              >
                {t('import', { count: report?.valid ?? 0 })}
              </Button>
            ) : (
              <Button look="primary" isPending={isBusy} onPress={() => void wizard.goOn()}>
                {t('next')}
              </Button>
            )}
            <Button isPending={isBusy} onPress={wizard.back}>
              {t('back')}
            </Button>
            <span className={styles.name}>{file?.name}</span>
          </div>
        )}
        {step === 'done' && (
          <div className="row">
            <Button onPress={wizard.restart}>{t('another')}</Button>
          </div>
        )}
        {step === 'file' && <EarlierImports imports={imports} />}
      </div>
    </Page>
  );
}
