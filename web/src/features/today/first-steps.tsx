import { Play, Plus, Upload } from 'lucide-react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { zoneName } from '../../lib/zone.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { Steps } from '../../ui/steps.tsx';
import { Glyph } from '../projects/glyph.tsx';
import type { Project } from '../projects/project-queries.ts';
import { startTimer } from '../timer/timer-queries.ts';
import { firstMessages } from './first-messages.ts';
import styles from './first-steps.module.css';

const maxShown = 7;

/** Before the first record: a greeting, the prepared projects to start, and a project of one's own. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function FirstSteps({ projects }: { projects: readonly Project[] }) {
  const t = useTexts(firstMessages);
  const { display_name: name, timezone } = useAccount();
  const { locale } = useSettings();
  const formats = useFormats('UTC'); // a due date has no time
  const { run, error } = useAction(({ id, name }: Project) => startTimer({ id, name }));
  function goalOf({ target_hours, due_date }: Project): string {
    const hours = formats.hours(target_hours);
    if (target_hours === 0) return t('no_target');
    return due_date === null ? hours : t('until', { hours, date: formats.shortDate(due_date) });
  }
  return (
    <section className={styles.first} aria-label={t('welcome', { name })}>
      <Card>
        <div className={styles.greeting}>
          <div>
            <h2>{t('welcome', { name })}</h2>
            <p>{projects.length === 0 ? t('no_projects') : t('prepared', { count: projects.length })}</p>
          </div>
          <Desk />
        </div>
        <Steps
          label={t('steps')}
          steps={[
            t('own_password'),
            <Link key="zone" href={href('me')}>
              {t('times_in', { zone: zoneName(timezone, locale) })}
            </Link>,
            t('first_minutes'),
          ]}
          current={2}
        />
      </Card>
      <ul>
        {projects.slice(0, maxShown).map((project) => (
          <li key={project.id} data-hue={project.color}>
            <Glyph project={project} />
            <span>
              <Link href={href('project', { id: project.id })}>{project.name}</Link>
              <small>{goalOf(project)}</small>
            </span>
            <Button
              icon={<Play size={14} fill="currentColor" />}
              aria-label={t('start_named', { project: project.name })}
              onPress={() => void run(project)}
            >
              {t('start')}
            </Button>
          </li>
        ))}
        <li className={styles.own}>
          <span className={cx('square', styles.plus)}>
            <Plus size={18} />
          </span>
          <span>
            <strong>{t('own')}</strong>
            <small>{t('own_examples')}</small>
          </span>
          <LinkButton href={href('newProject')} look="quiet">
            {t('new_project')}
          </LinkButton>
        </li>
      </ul>
      <Problem error={error} />
      <p className={styles.import}>
        <Upload size={16} />
        {t('coming_from')} <Link href={href('importRecords')}>{t('import')}</Link>
      </p>
    </section>
  );
}

/** Books, a cup and the sun on a desk. */
const Desk = () => (
  <svg className={styles.desk} viewBox="0 0 240 130" aria-hidden="true">
    <circle cx="180" cy="34" r="24" fill="var(--spark)" />
    <rect x="28" y="92" width="116" height="16" rx="2" fill="var(--cobalt)" />
    <rect x="40" y="74" width="98" height="16" rx="2" fill="var(--tangerine)" />
    <rect x="34" y="56" width="84" height="16" rx="2" fill="var(--lagoon)" />
    <rect x="28" y="97" width="22" height="6" fill="var(--surface)" />
    <rect x="40" y="79" width="14" height="6" fill="var(--surface)" />
    <rect x="34" y="61" width="32" height="6" fill="var(--surface)" />
    <path d="M162 82h36v18a8 8 0 0 1-8 8h-20a8 8 0 0 1-8-8z" fill="var(--brand)" />
    <path d="M198 87h4a8 8 0 0 1 0 16h-4" fill="none" stroke="var(--brand)" strokeWidth="3" />
    <path d="M172 66v10M180 66v10M188 66v10" stroke="var(--brand)" strokeWidth="3" strokeLinecap="round" />
    <path d="M10 110h218" stroke="var(--ink)" strokeWidth="4" strokeLinecap="round" />
  </svg>
);
