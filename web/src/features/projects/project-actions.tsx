import {
  CircleCheck,
  Ellipsis,
  Image,
  ImageOff,
  ListChecks,
  Pause,
  Pencil,
  Play,
  Plus,
  RotateCcw,
  Trash2,
} from 'lucide-react';
import { useLocation } from 'wouter';
import { isApiError } from '../../lib/api.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useAccount, useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { startTimer, useTimer } from '../timer/timer-queries.ts';
import { useCover } from './cover.tsx';
import { projectMessages } from './messages.ts';
import { overviewMessages } from './overview-messages.ts';
import {
  changeProject,
  deleteProject,
  removeCover,
  restoreProject,
  type ShownProject,
  type Status,
  versionOf,
} from './project-queries.ts';

/** The actions on a project that the user is allowed; the rarer ones are in a menu. */
export function ProjectActions({ project }: { project: ShownProject }) {
  const t = useTexts(projectMessages);
  const texts = useTexts(overviewMessages);
  const common = useTexts(commonMessages);
  const { id: userId, role } = useAccount();
  const [, navigate] = useLocation();
  const { data: timer } = useTimer();
  const cover = useCover(project.id);
  const { id, name, status } = project;
  const isLimited = useIsLimited();
  // A limited administrator only assigns what students of others have, too.
  const hasOthers = isLimited && (project.members_count ?? 0) > project.assigned_user_ids.length;
  const mayEdit = project.user_id === userId || (role === 'admin' && !hasOthers);

  const start = useAction(() => startTimer(project));
  const remove = useAction(async () => {
    if (!(await deleteProject(project))) return toast({ text: common('changed_meanwhile') });
    navigate(href('projects'));
    toast({ text: t('deleted', { name }), undo: () => void restoreProject(id) });
  });
  const setStatus = useAction(async (next: Status) => {
    const base = versionOf(project);
    try {
      await changeProject(id, { ...base.fields, status: next }, base);
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
      return toast({ text: common('changed_meanwhile') });
    }
    toast({ text: texts('status_changed', { name, status: t(next) }) });
  });
  const removeImage = useAction(() => removeCover(id));

  const icon = { size: 16, 'aria-hidden': true } as const;
  const entries = [
    ...(role === 'admin' ? [{ id: 'assign', text: t('assign'), icon: <ListChecks {...icon} /> }] : []),
    ...(status === 'active' ? [{ id: 'paused', text: texts('pause'), icon: <Pause {...icon} /> }] : []),
    ...(status === 'paused' ? [{ id: 'active', text: texts('resume'), icon: <Play {...icon} /> }] : []),
    ...(status === 'completed' ? [] : [{ id: 'completed', text: texts('complete'), icon: <CircleCheck {...icon} /> }]),
    {
      id: 'cover',
      text: t(project.image === undefined ? 'cover_add' : 'cover_change'),
      icon: <Image {...icon} />,
    },
    ...(project.image === undefined ? [] : [{ id: 'no_cover', text: t('cover_remove'), icon: <ImageOff {...icon} /> }]),
    { id: 'delete', text: t('delete'), icon: <Trash2 {...icon} /> },
  ];
  function act(action: string): void {
    if (action === 'assign') navigate(`${href('assign')}?${new URLSearchParams({ search: name })}`);
    else if (action === 'cover') cover.choose();
    else if (action === 'no_cover') void removeImage.run();
    else if (action === 'delete') void remove.run();
    else void setStatus.run(action as Status); // one of the entries
  }

  const error = start.error ?? remove.error ?? setStatus.error ?? removeImage.error;
  return (
    <>
      {role === 'user' && status === 'active' && timer?.project_id !== id && (
        <Button
          icon={<Play size={16} fill="currentColor" />}
          isPending={start.isRunning}
          onPress={() => void start.run()}
        >
          {t('start')}
        </Button>
      )}
      {role === 'user' && status === 'active' && (
        <LinkButton href={`${href('project', { id })}?add`} icon={<Plus {...icon} />}>
          {texts('add_record')}
        </LinkButton>
      )}
      {mayEdit && status === 'completed' && (
        <Button
          icon={<RotateCcw {...icon} />}
          isPending={setStatus.isRunning}
          onPress={() => void setStatus.run('active')}
        >
          {texts('reopen')}
        </Button>
      )}
      {mayEdit && (
        <>
          <LinkButton href={href('editProject', { id })} icon={<Pencil {...icon} />}>
            {t('edit')}
          </LinkButton>
          <Menu
            trigger={{ 'aria-label': texts('more'), icon: <Ellipsis size={18} /> }}
            label={texts('more')}
            entries={entries}
            onAction={act}
          />
          {cover.element}
        </>
      )}
      <Problem error={error} />
    </>
  );
}
