import { FileUp, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { useIsLimited } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { PeopleTable } from '../../ui/people-table.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Handover } from './handover.tsx';
import { userMessages } from './messages.ts';
import { NewUserForm } from './new-user-form.tsx';
import { useUserColumns, whoIs } from './user-columns.tsx';
import { type UserAction, UserDialog } from './user-dialog.tsx';
import { type CreatedUser, roles, states, type User, type UserFilter, useUsers } from './user-queries.ts';
import styles from './users.module.css';

const defaults: UserFilter = { role: 'all', status: 'all', search: '' };

/** All accounts; the filter is in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function UsersPage() {
  const t = useTexts(userMessages);
  const { filter: given, page, change, turnTo } = useUrlFilter(defaults);
  const filter: UserFilter = {
    role: roles.find((role) => role === given.role) ?? defaults.role,
    status: states.find((status) => status === given.status) ?? defaults.status,
    search: useDebounced(given.search, 200),
  };
  const read = useUsers(filter, page);
  const { data } = read;
  const isLimited = useIsLimited();
  const [open, setOpen] = useState<'new' | { user: User; action: UserAction }>();
  const columns = useUserColumns(setOpen);
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {!isLimited && (
            <LinkButton href={href('roster')} icon={<FileUp size={18} />}>
              {t('roster')}
            </LinkButton>
          )}
          <LinkButton href={href('newUsers')} icon={<Users size={18} />}>
            {t('new_many')}
          </LinkButton>
          <Button look="primary" icon={<UserPlus size={18} />} onPress={() => setOpen('new')}>
            {t('new_one')}
          </Button>
        </>
      }
    >
      <div className={styles.filters}>
        <SearchField label={t('search')} value={given.search} onChange={(search) => change({ search })} />
        <Select
          label={t('role')}
          isLabelHidden
          value={filter.role}
          onChange={(role) => change({ role })}
          options={roles.map((role) => [role, t(role === 'all' ? 'all_roles' : role)])}
        />
        <Select
          label={t('status')}
          isLabelHidden
          value={filter.status}
          onChange={(status) => change({ status })}
          options={states.map((status) => [status, t(status === 'all' ? 'all_states' : status)])}
        />
      </div>
      <Loading of={read} lines={8} />
      {data?.users.length === 0 && (
        <Card>
          <Empty>
            <p>{t('none')}</p>
            <Button onPress={() => change(defaults)}>{t('clear')}</Button>
          </Empty>
        </Card>
      )}
      {data !== undefined && data.users.length > 0 && (
        <Card isFlush>
          <PeopleTable
            label={t('title')}
            title={t('account')}
            people={data.users}
            whoIs={whoIs}
            columns={columns}
            isBusy={read.isPlaceholderData}
          />
        </Card>
      )}
      {data !== undefined && <Pager label={t('title')} page={page} pages={data.pagination.pages} onChange={turnTo} />}
      {open === 'new' && <NewUserDialog onClose={close} />}
      {typeof open === 'object' && <UserDialog {...open} onClose={close} />}
    </Page>
  );
}

function NewUserDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(userMessages);
  const [created, setCreated] = useState<CreatedUser>();
  return (
    <Dialog title={t('new_one')} isOpen {...(created === undefined && { onClose })}>
      {created === undefined ? (
        <NewUserForm
          initial={{ username: '', email: '', display_name: '', role: 'user' }}
          onCreated={setCreated}
          onCancel={onClose}
        />
      ) : (
        <Handover created={created} onClose={onClose} />
      )}
    </Dialog>
  );
}
