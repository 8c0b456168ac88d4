import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { SecurityLog } from '../../../lib/log/security-log.ts';
import { createRandomToken, digestOf } from '../../../lib/secrets/random-token.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { limitOf, lockStudent, requireStudent } from '../../accounts/admin-scope/admin-scope.ts';
import * as reportLinks from './report-link-repository.ts';
import type { ListLinksQuery, NewReportLink, ReportData } from './report-schemas.ts';
import type { ReportService } from './report-service.ts';

const maxLifetime = 366 * 86_400_000;
/** Open links of an administrator: the reports of a year group. */
const maximum = 500;

type Options = { store: Db; reports: ReportService; securityLog: SecurityLog; publicUrl: string; clock: Clock };
export type ReportLinkService = ReturnType<typeof createReportLinkService>;

/** Links that show one report to anyone. A link ends with the account of the student, and with the rights of its creator. */
export function createReportLinkService({ store, reports, securityLog, publicUrl, clock }: Options) {
  return {
    /** Returns the link, of whose secret only a digest is stored. Throws NotFoundError, ConflictError and ValidationError. */
    async create(db: Db, actor: Actor, userId: number, { expires_at, ...given }: NewReportLink) {
      const now = clock();
      const left = expires_at.getTime() - now.getTime();
      if (left <= 0 || left > maxLifetime) throw ValidationError.of('expires_at', 'token_expiry');
      const { from, to } = await reports.periodOf(userId, given);
      const token = createRandomToken();
      return db.transaction(actor.context, async (tx) => {
        const people = await reportLinks.lockPeople(tx, [userId, actor.id]);
        const student = people.find(({ id }) => id === userId);
        if (student === undefined) throw new NotFoundError('user_not_found');
        await lockStudent(tx, actor, userId);
        if (student.status !== 'active') throw new ConflictError('CONFLICT', 'link_for_inactive');
        if ((await reportLinks.countOpen(tx, actor.id, now)) >= maximum)
          throw new ConflictError('CONFLICT', 'too_many_report_links', { maximum });
        const fields = {
          user_id: userId,
          created_by: actor.id,
          token_hash: digestOf(token),
          created_at: now,
          expires_at,
        };
        const row = await reportLinks.insert(tx, { ...fields, first_day: from, last_day: to });
        tx.record({ type: 'report_link.created', link: row });
        tx.afterCommit(() => securityLog.note('report_link_created', actor, { target_user: userId, link: row.id }));
        // In the fragment, which browsers send to no server and logs do not contain.
        return { row, secret_url: `${publicUrl}/reports/shared#${token}` };
      });
    },

    list: (actor: Actor, query: ListLinksQuery) =>
      reportLinks.list(store, { ...query, limitedTo: limitOf(actor) }, clock()),

    revoke: (actor: Actor, id: number): Promise<void> =>
      store.transaction(actor.context, async (tx) => {
        const link = await reportLinks.remove(tx, id, clock());
        if (link === undefined) throw new NotFoundError('report_link_not_found');
        await requireStudent(tx, actor, link.user_id);
        tx.record({ type: 'report_link.revoked', link });
        tx.afterCommit(() => securityLog.note('report_link_revoked', actor, { target_user: link.user_id, link: id }));
      }),

    /** The report of a valid link. Throws the same NotFoundError for wrong, expired and ended ones. */
    async open(token: string): Promise<ReportData> {
      const link = await reportLinks.use(store, digestOf(token), clock());
      if (link === undefined) throw new NotFoundError('report_link_not_found');
      // Anyone who has the link sees what the student sees.
      return reports.read({ id: link.user_id, role: 'user' }, link.user_id, {
        from: link.first_day,
        to: link.last_day,
      });
    },

    deleteExpired: async (): Promise<void> => {
      await reportLinks.deleteExpired(store, clock());
    },
  };
}
