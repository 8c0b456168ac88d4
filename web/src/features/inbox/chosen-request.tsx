import { isApiError } from '../../lib/api.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { useRequest } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';
import { Request, type RequestProps } from './request-detail.tsx';

type Props = {
  id: number;
  /** The next request is known only once the list is loaded. */
  isListLoaded: boolean;
} & Omit<RequestProps, 'request'>;

/** Loads the request that the list or the address names. */
export function ChosenRequest({ id, isListLoaded, ...props }: Props) {
  const t = useTexts(inboxMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { data: request, error } = useRequest(id);
  if (Number.isNaN(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <Notice kind="error">{t('gone')}</Notice>;
  if (request === undefined || !isListLoaded)
    return error === null ? (
      <Skeleton label={common('loading')} lines={8} />
    ) : (
      <Notice kind="error">{problem(error)}</Notice>
    );
  return <Request request={request} {...props} />;
}
