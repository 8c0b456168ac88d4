import { useAccount } from '../../lib/session.ts';
import { ManageTags } from '../tags/manage-tags.tsx';
import { Calendar } from './calendar.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { PersonalExport } from './personal-export.tsx';
import { Tokens } from './tokens.tsx';

/** Rarely used account settings, loaded separately. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function Access() {
  return (
    <div className="stack">
      {useAccount().role === 'user' && <ManageTags />}
      <Tokens />
      <Calendar />
      <PersonalExport />
      <DeleteAccount />
    </div>
  );
}
