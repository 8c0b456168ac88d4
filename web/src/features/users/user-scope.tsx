import { useState } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { CanAndCannot, WhenYouSave } from './scope-effect.tsx';
import { changeScope, type User } from './user-queries.ts';
import { userScopeMessages } from './user-scope-messages.ts';
import styles from './users.module.css';

/** What another administrator may work with: the whole school, or some classes. */
export function UserScope({ user }: { user: User }) {
  const t = useTexts(userScopeMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { data: groups = [] } = useGroups();
  const [scope, setScope] = useState(user.admin_scope ?? 'all');
  const [ids, setIds] = useState<readonly number[]>(user.admin_group_ids ?? []);
  const { run, isRunning, error } = useAction(async () => {
    await changeScope(user, scope, scope === 'all' ? [] : ids);
    toast({ text: common('saved') });
  });
  const chosen = groups.filter(({ id }) => ids.includes(id));
  const students = chosen.reduce((sum, { members_count }) => sum + members_count, 0);
  const before = user.admin_group_ids ?? [];
  const isChanged =
    scope !== (user.admin_scope ?? 'all') ||
    (scope === 'groups' && (ids.length !== before.length || ids.some((id) => !before.includes(id))));
  const choose = (id: number, isChosen: boolean) =>
    setIds(isChosen ? [...ids, id] : ids.filter((other) => other !== id));
  return (
    <Card title={t('title', { name: user.display_name })}>
      <div className={styles.form}>
        {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
        <Select
          label={t('works_with')}
          value={scope}
          onChange={setScope}
          options={[
            ['all', t('all')],
            ['groups', t('groups')],
          ]}
        />
        {scope === 'all' ? (
          <p>{t('all_about')}</p>
        ) : (
          <>
            {groups.map(({ id, name, members_count }) => (
              <Checkbox key={id} isSelected={ids.includes(id)} onChange={(isChosen) => choose(id, isChosen)}>
                {t('class', { name, count: members_count })}
              </Checkbox>
            ))}
            <p>{ids.length === 0 ? t('none_chosen') : t('groups_about', { count: students, classes: ids.length })}</p>
            <CanAndCannot />
          </>
        )}
        {isChanged && <WhenYouSave user={user} to={{ scope, ids }} groups={groups} />}
        <div>
          <Button look="primary" isPending={isRunning} onPress={() => void run()}>
            {t('save')}
          </Button>
        </div>
      </div>
    </Card>
  );
}
