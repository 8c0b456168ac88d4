import { isApiError } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { Loading, type Read } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useRequest } from './inbox-queries.ts';
import { inboxMessages } from './messages.ts';
import { Request, type RequestProps } from './request-detail.tsx';

type Props = {
  id: number;
  /** The next request is known only once the list is loaded. */
  list: Read;
} & Omit<RequestProps, 'request'>;

/** Loads the request that the list or the address names. */
export function ChosenRequest({ id, list, ...props }: Props) {
  const t = useTexts(inboxMessages);
  const read = useRequest(id);
  const { data: request, error } = read;
  if (Number.isNaN(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <Notice kind="error">{t('gone')}</Notice>;
  if (request === undefined || (list.data === undefined && list.error == null))
    return <Loading of={[read, list]} lines={8} />;
  return <Request request={request} {...props} />;
}
