import { ListChecks, Pencil, Play, Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { startTimer } from '../timer/timer-queries.ts';
import { projectMessages } from './messages.ts';
import { deleteProject, restoreProject, type ShownProject } from './project-queries.ts';

/** The actions on a project that the user is allowed. */
export function ProjectActions({ project }: { project: ShownProject }) {
  const t = useTexts(projectMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { id: userId, role } = useAccount();
  const [, navigate] = useLocation();
  const start = useAction(() => startTimer(project));
  const remove = useAction(async () => {
    if (!(await deleteProject(project))) return toast({ text: common('changed_meanwhile') });
    navigate(href('projects'));
    const undo = { text: t('undo'), run: () => void restoreProject(project.id) };
    toast({ text: t('deleted', { name: project.name }), action: undo });
  });
  const error = start.error ?? remove.error;
  return (
    <>
      {role === 'user' && project.status === 'active' && (
        <Button
          look="primary"
          icon={<Play size={16} fill="currentColor" />}
          isPending={start.isRunning}
          onPress={() => void start.run()}
        >
          {t('start')}
        </Button>
      )}
      {role === 'admin' && (
        <LinkButton
          href={`${href('assign')}?${new URLSearchParams({ search: project.name })}`}
          icon={<ListChecks size={16} />}
        >
          {t('assign')}
        </LinkButton>
      )}
      {(project.user_id === userId || role === 'admin') && (
        <>
          <LinkButton href={href('editProject', { id: project.id })} icon={<Pencil size={16} />}>
            {t('edit')}
          </LinkButton>
          <Button
            look="danger"
            icon={<Trash2 size={16} />}
            isPending={remove.isRunning}
            onPress={() => void remove.run()}
          >
            {t('delete')}
          </Button>
        </>
      )}
      {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
    </>
  );
}
