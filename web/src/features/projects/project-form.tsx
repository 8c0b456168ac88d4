import { Suspense, useRef } from 'react';
import { useLocation } from 'wouter';
import { useDraft } from '../../lib/draft.ts';
import { useFormats } from '../../lib/format.ts';
import { changed } from '../../lib/freshness.ts';
import { loadable } from '../../lib/loadable.tsx';
import { useMergingSave, type Version } from '../../lib/merge.ts';
import { commonMessages } from '../../lib/messages.ts';
import { parseNumber } from '../../lib/numbers.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card, Skeleton } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { ColorField } from './color-field.tsx';
import { GoalFields } from './goal-fields.tsx';
import { projectMessages } from './messages.ts';
import { changeProject, createProject, type ProjectFields, readProject, versionOf } from './project-queries.ts';
import styles from './projects.module.css';

const categories = ['academic', 'skill', 'hobby', 'other'] as const;
const statuses = ['active', 'paused', 'completed'] as const;
const ratings = ['normal', 'good', 'excellent'] as const;
const fields = [
  ...['name', 'description', 'category', 'target_hours', 'weekly_goal_hours', 'due_date', 'rating_standard'],
  'assigned_user_ids',
];
// For administrators only.
const StudentsField = loadable(() => import('./students-field.tsx'));

const blank: ProjectFields = {
  name: '',
  description: '',
  category: 'academic',
  status: 'active',
  rating_standard: 'normal',
  target_hours: null,
  due_date: null,
  target_scope: 'shared',
  weekly_goal_hours: null,
  color: null,
};

/** The timer's field links to the form with the name that was typed. */
const nameInUrl = () => (new URLSearchParams(location.search).get('name') ?? '').slice(0, 100);

/** The project form; `opened` is the existing project as first read. */
export function ProjectForm({ id, opened: current }: { id?: number; opened?: Version<ProjectFields> }) {
  const t = useTexts(projectMessages);
  const common = useTexts(commonMessages);
  const formats = useFormats('UTC');
  const [, navigate] = useLocation();
  const { role } = useAccount();
  const draft = useDraft(`project.${id ?? 'new'}`, () => {
    const { target_hours, weekly_goal_hours, due_date, ...given } = current?.fields ?? {
      ...blank,
      name: nameInUrl(),
      target_scope: role === 'admin' ? 'each' : 'shared', // a student's own project has one user
    };
    return {
      ...given,
      // Pinned, also in the draft: a refetch behind the form must not let it overwrite values that it never showed.
      opened: current,
      target: target_hours === null ? '' : String(target_hours),
      weekly: weekly_goal_hours === null ? '' : String(weekly_goal_hours),
      due: due_date ?? '',
      students: [] as number[],
    };
  });
  const { value: form, set } = draft;
  const sent = useRef<readonly number[]>(undefined); // an error about other students is outdated
  const merging = useMergingSave<ProjectFields>({
    read: async () => {
      void changed('projects'); // cached copies are stale
      return versionOf(await readProject(id ?? 0));
    },
    write: (fields, base) => changeProject(id ?? 0, fields, base),
  });

  const { run, isRunning, error } = useAction(
    async (base: Version<ProjectFields> | undefined = form.opened, chosen?: ProjectFields) => {
      const { opened: _, target, weekly, due, students, ...given } = form;
      sent.current = students;
      const target_hours = parseNumber(target) ?? null;
      const weekly_goal_hours = parseNumber(weekly) ?? null;
      const fields = chosen ?? { ...given, target_hours, weekly_goal_hours, due_date: due === '' ? null : due };
      if (id === undefined || base === undefined) return leave(await createProject(fields, students));
      const taken = await merging.save(fields, base);
      if (taken === undefined) return;
      if (taken.length > 0) toast({ text: common('merged', { fields: taken.map(label).join(', ') }) });
      leave(id);
    },
  );

  function leave(saved: number): void {
    draft.clear();
    navigate(href('project', { id: saved }));
  }

  const names = {
    target_hours: 'target',
    weekly_goal_hours: 'weekly',
    due_date: 'due',
    rating_standard: 'rating',
    target_scope: 'scope',
  } as const;
  const label = (field: keyof ProjectFields) =>
    t(field in names ? names[field as keyof typeof names] : (field as 'name'));
  function show(field: keyof ProjectFields, fields: ProjectFields): string {
    if (field === 'target_hours' || field === 'weekly_goal_hours')
      return fields[field] === null ? '' : formats.hours(fields[field]);
    if (field === 'color') return String(fields.color ?? '');
    if (field === 'due_date') return fields.due_date === null ? '' : formats.date(fields.due_date);
    return field === 'name' || field === 'description' ? fields[field] : t(fields[field]);
  }

  const options = <V extends keyof typeof projectMessages>(values: readonly V[]) =>
    values.map((value) => [value, t(value)] as const);

  return (
    <Card className={styles.formCard}>
      <Form className="stack" onSave={() => run()}>
        <DraftNotice draft={draft} />
        <Problem error={error} besides={fields} />
        <Field
          label={t('name')}
          value={form.name}
          onChange={(name) => set({ name })}
          maxLength={50}
          autoFocus={id === undefined}
          error={fieldProblem(error, 'name')}
        />
        <Field
          label={t('description')}
          rows={3}
          value={form.description}
          onChange={(description) => set({ description })}
          maxLength={500}
          error={fieldProblem(error, 'description')}
        />
        <div className={styles.pair}>
          <Select
            label={t('category')}
            value={form.category}
            onChange={(category) => set({ category })}
            options={options(categories)}
          />
          <Select
            label={t('rating')}
            hint={t('rating_hint')}
            value={form.rating_standard}
            onChange={(rating_standard) => set({ rating_standard })}
            options={options(ratings)}
          />
        </div>
        <GoalFields form={form} set={set} error={error} isNew={id === undefined} />
        {id !== undefined && (
          <Select
            label={t('status')}
            value={form.status}
            onChange={(status) => set({ status })}
            options={options(statuses)}
          />
        )}
        <ColorField value={form.color} onChange={(color) => set({ color })} />
        {id === undefined && role === 'admin' && (
          <Suspense fallback={<Skeleton label={common('loading')} />}>
            <StudentsField
              picked={form.students}
              onPick={(students) => set({ students })}
              error={form.students === sent.current ? fieldProblem(error, 'assigned_user_ids') : undefined}
            />
          </Suspense>
        )}
        <div className="buttons">
          <Button type="submit" look="primary" isPending={isRunning}>
            {common('save')}
          </Button>
          <LinkButton href={id === undefined ? href('projects') : href('project', { id })} onClick={draft.clear}>
            {common('cancel')}
          </LinkButton>
        </div>
      </Form>
      <ConflictDialog merging={merging} label={label} show={show} onChoose={run} />
    </Card>
  );
}
