// Generated from docs/openapi.json by `npm run openapi`.

/** The paths whose POST takes an Idempotency-Key. */
export const idempotentPaths: ReadonlySet<string> = new Set(["/api/admin/groups","/api/admin/messages","/api/admin/school-days","/api/admin/terms","/api/admin/users","/api/admin/users/{id}/days-off","/api/admin/users/bulk","/api/admin/webhooks","/api/contact/submit","/api/me/calendar","/api/me/days-off","/api/me/export","/api/me/tokens","/api/projects","/api/projects/{id}/sessions","/api/reports/students/{id}/links","/api/timer/start"]);

export interface paths {
    "/achievements/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the picture of an achievement
         * @description The `icon` of an achievement. Requires no token.
         */
        get: operations["getAchievementIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/achievements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all achievements and when the caller earned them
         * @description Earned by the caller's own records on all projects, and permanent.
         */
        get: operations["listAchievements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes made by administrators, newest first
         * @description Entries are written in the transaction of the change. They never contain passwords or the text of contact requests; names and addresses are removed when their account is deleted.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/background-work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get background work by kind
         * @description Jobs that run after the transactions that queued them, such as mails, without their contents; and the scheduled backups.
         */
        get: operations["getBackgroundWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contact-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contact requests
         * @description Includes the number of all requests per state.
         */
        get: operations["listContactRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contact-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact request
         * @description Includes the address and client it was sent from, and earlier requests of the e-mail address.
         */
        get: operations["getContactRequest"];
        put?: never;
        post?: never;
        /**
         * Delete a contact request
         * @description In any state, permanently.
         */
        delete: operations["deleteContactRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contact-requests/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move a contact request forward, or change its note
         * @description From pending to reviewed to resolved, or directly to resolved; never back.
         */
        put: operations["advanceContactRequest"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move a contact request forward, or change its note
         * @description Another name of `PUT /api/admin/contact-requests/{id}/status`.
         */
        patch: operations["patchContactRequest"];
        trace?: never;
    };
    "/api/admin/contact-requests/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move many contact requests forward, or delete them
         * @description Takes `status` or `delete`. Requests that fail are reported by id; the others are processed.
         */
        post: operations["changeContactRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contact-requests/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download contact requests as CSV
         * @description All pages of the list, from one snapshot.
         */
        get: operations["exportContactRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description Sorted by name, with the number of members.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group
         * @description A group is, for example, a class: `group_ids` assigns projects to all of its active members in one request.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a group with its members
         * @description Members are not paged: there are at most 1,000.
         */
        get: operations["getGroup"];
        /**
         * Rename a group, or replace its members
         * @description Both fields are optional. Existing assignments are not changed.
         */
        put: operations["updateGroup"];
        post?: never;
        /**
         * Delete a group
         * @description Its members and their assignments are not changed.
         */
        delete: operations["deleteGroup"];
        options?: never;
        head?: never;
        /**
         * Rename a group, or replace its members
         * @description Another name of `PUT /api/admin/groups/{id}`.
         */
        patch: operations["patchGroup"];
        trace?: never;
    };
    "/api/admin/groups/{id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two periods of a group
         * @description The hours of its active ordinary members in both periods: for each, by project and by weekday, with the median.
         */
        get: operations["getGroupComparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/groups/{id}/comparison/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the comparison of two periods of a group as CSV
         * @description A line for each member, with the hours of both periods by weekday.
         */
        get: operations["exportGroupComparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/groups/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add and remove members
         * @description Adding a member or removing a non-member has no effect, so the request can be repeated.
         */
        post: operations["changeGroupMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/groups/{id}/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the statistics of a group
         * @description Of its active ordinary members: the distribution of hours, their trend by week, the hours of each member by day, and the assigned projects. Days are those of the calendar of each member.
         */
        get: operations["getGroupStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write to users by mail
         * @description One mail for each user, which names none of the others, with a salutation in their language. Replies go to the sender. Needs a mail server; at most fifty messages a day.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the progress of ordinary users
         * @description Groups, assigned projects and their goals, hours, streak, latest record and running timer per user.
         */
        get: operations["listProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/progress/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the progress of ordinary users as CSV
         * @description All pages of the list, in its order.
         */
        get: operations["exportProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/progress/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the hours of ordinary users per assigned project
         * @description A table with users as rows and projects as columns. Takes the filters of `GET /api/admin/progress`.
         */
        get: operations["listProjectHours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/progress/projects/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the hours of ordinary users per project as CSV
         * @description A line per user and assigned project, of all pages and projects, sorted by username.
         */
        get: operations["exportProjectHours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/progress/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the ordinary users who were on track in the last weeks
         * @description Of the present active users, by the goals that they have today, from the records that had ended by then.
         */
        get: operations["getProgressTrend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/roster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rosters
         * @description The ten newest of the last 30 days.
         */
        get: operations["listRosters"];
        put?: never;
        /**
         * Apply a school's list of accounts
         * @description Takes a CSV file with the columns username, email, display_name, external_id and group (several are separated by semicolons), of which the names in Moodle (firstname, lastname, idnumber, cohort1) are known as well and all other columns are listed, or a OneRoster 1.1 or 1.2 archive of complete CSV files, of whose users the students are read; at most 10 MiB and 50000 accounts. Accounts are found by external id, or else by e-mail address, or else by username. Missing groups are created; memberships that no roster has added stay. The file is compared and applied in the background: poll the returned roster. A file with an error changes nothing. Each account is changed on its own, with the rights that the caller has at that time. There can be one unfinished roster.
         */
        post: operations["importRoster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/roster/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress and the difference of a roster
         * @description What it changes, or has changed, in the order of the file; missing accounts follow.
         */
        get: operations["getRoster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/school-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List days off and make-up days
         * @description Of the whole school and of its classes, in the order of their days; not paged: there are at most 1,000.
         */
        get: operations["listSchoolDays"];
        put?: never;
        /**
         * Add days off or make-up days
         * @description A day that is off, or excused, neither breaks nor extends a streak and is no day of pace, plan and reminders; study on it counts. A make-up day is expected to have study also on a rest day. The entry of a class wins over one of the school, and of two of one kind `school_day`. Streaks and awards of earlier days are computed again in the background. There are at most 1,000 entries.
         */
        post: operations["createSchoolDay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/school-days/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change days off or make-up days
         * @description Every field is optional. Also of earlier days.
         */
        put: operations["updateSchoolDay"];
        post?: never;
        /**
         * Delete days off or make-up days
         * @description Of earlier days, too. Awards that were earned remain.
         */
        delete: operations["deleteSchoolDay"];
        options?: never;
        head?: never;
        /**
         * Change days off or make-up days
         * @description Another name of `PUT /api/admin/school-days/{id}`.
         */
        patch: operations["patchSchoolDay"];
        trace?: never;
    };
    "/api/admin/school-days/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import days from a calendar
         * @description Takes an iCalendar file (.ics) of at most 512 KiB and 500 events. All-day events become days off, and those that are named as make-up days, make-up days, unless they are chosen otherwise by their numbers. All are added or none; entries that exist are left out, so that a file can be sent again. Times in UTC are read in the time zone of the caller.
         */
        post: operations["importSchoolDays"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List terms
         * @description In the order of their days. Days outside terms are not off by themselves.
         */
        get: operations["listTerms"];
        put?: never;
        /**
         * Create a term
         * @description Terms do not overlap. There are at most 200.
         */
        post: operations["createTerm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/terms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a term
         * @description Every field is optional.
         */
        put: operations["updateTerm"];
        post?: never;
        /**
         * Delete a term
         * @description Days off and make-up days remain.
         */
        delete: operations["deleteTerm"];
        options?: never;
        head?: never;
        /**
         * Change a term
         * @description Another name of `PUT /api/admin/terms/{id}`.
         */
        patch: operations["patchTerm"];
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Newest first, without deleted users.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Without a password, a one-time password is generated and returned only once; it is omitted when the `Idempotency-Key` is repeated. With `invite`, no password is set: a link for choosing one is mailed or, without a mail server, returned only once. Can also resolve a contact request with the subject account_registration.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description An account, without secrets.
         */
        get: operations["getUser"];
        /**
         * Update a user
         * @description Every field is optional. Role and status take effect with the user's next request.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Delete a user
         * @description Deletes assignments and sign-ins and stops a running timer. Study records remain under an anonymous user, and owned projects remain for the administrators.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Another name of `PUT /api/admin/users/{id}`.
         */
        patch: operations["patchUser"];
        trace?: never;
    };
    "/api/admin/users/{id}/days-off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the days off of a user
         * @description With their reasons.
         */
        get: operations["listDaysOffOfUser"];
        put?: never;
        /**
         * Excuse a user
         * @description Also afterwards. These days do not count among the 60 a year that users may set for themselves.
         */
        post: operations["excuseUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/days-off/{days_off_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change days off of a user
         * @description Every field is optional. They are then set by the administrator, also if the user had set them.
         */
        put: operations["updateDaysOffOfUser"];
        post?: never;
        /**
         * Delete days off of a user
         * @description Also those that the user has set.
         */
        delete: operations["deleteDaysOffOfUser"];
        options?: never;
        head?: never;
        /**
         * Change days off of a user
         * @description Another name of `PUT /api/admin/users/{id}/days-off/{days_off_id}`.
         */
        patch: operations["patchDaysOffOfUser"];
        trace?: never;
    };
    "/api/admin/users/{id}/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink a user from the identity provider
         * @description For users who have a new identity at the provider: their next sign-in through it is linked by its verified e-mail address again. Sign-ins, groups and the password remain.
         */
        delete: operations["unlinkIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a user
         * @description Mails a link for choosing a password, valid for 72 hours, and cancels the previous one. Only for accounts that have never been signed in to. Without a mail server, the response contains the link; it is not shown again. At most ten links a day per account.
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the note about a student
         * @description Of administrators for each other; the user does not see it. Null without one.
         */
        get: operations["getStudentNote"];
        /**
         * Write the note about a student
         * @description An empty text removes it. Its absence has an `ETag`, too.
         */
        put: operations["saveStudentNote"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Write the note about a student
         * @description Another name of `PUT /api/admin/users/{id}/note`.
         */
        patch: operations["patchStudentNote"];
        trace?: never;
    };
    "/api/admin/users/{id}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a password reset link
         * @description Mails a link for setting a new password, valid for one hour, and cancels the previous one. Password and sign-ins are unchanged until it is used. Without a mail server, the response contains the link; it is not shown again. At most ten links a day per account.
         */
        post: operations["sendResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a user's password
         * @description Ends all sign-ins of the user. Without a password, a one-time password is generated and returned only once. Can also resolve a contact request with the subject password_reset.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a user's second factor
         * @description For users who have lost their device and their recovery codes. Removing your own requires a code: `DELETE /api/auth/totp`.
         */
        delete: operations["resetTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many users with one-time passwords
         * @description Creates the rows whose names are available and reports errors for the others. An invalid row rejects the request. With `Accept: text/html`, the response is a printable list of the names and passwords.
         */
        post: operations["createUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Not paged, since there are at most 20. Secrets are not returned.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events are sent to its address with POST, signed according to the Standard Webhooks specification, at least once and in order per object. The secret is returned only once.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Includes its state, but not its secret.
         */
        get: operations["getWebhook"];
        /**
         * Update a webhook, or switch it on or off
         * @description All fields are optional. While it is off, no events are recorded for it; waiting deliveries continue if it is switched on within 24 hours.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description Also deletes its deliveries, including waiting ones.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook, or switch it on or off
         * @description Another name of `PUT /api/admin/webhooks/{id}`.
         */
        patch: operations["patchWebhook"];
        trace?: never;
    };
    "/api/admin/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Deliveries of the last 30 days, newest first, with the outcome of the last attempt.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Uses the same `webhook-id`, so that receivers that have processed the event can ignore it.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery
         * @description Queues a `ping` event, which is delivered like any other; its state is in the list of deliveries.
         */
        post: operations["pingWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description For another 24 hours, deliveries are also signed with the previous secret: the header contains both signatures, so that no delivery is rejected.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password with a link
         * @description Takes the token of an invitation (valid for 72 hours) or of a password reset (1 hour), which can be used once. Ends all sign-ins of the account and cancels its other links; the second factor is unchanged. Does not sign in.
         */
        post: operations["acceptLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/browser/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a new access token with the cookie
         * @description Replaces the cookie. For 24 hours, a used cookie returns its successor again, unless that has been used: the response may have been lost. Only for pages of this service: a request that is not same-origin JSON is rejected with 403.
         */
        post: operations["browserRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/browser/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in on a page of this service
         * @description Like `POST /api/auth/login`, but stores the refresh token in an HttpOnly cookie. Ends the sign-in whose cookie it replaces. Only for pages of this service: a request that is not same-origin JSON is rejected with 403.
         */
        post: operations["browserSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/browser/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out on a page of this service
         * @description Ends the sign-in of the cookie and removes the cookie; without a cookie, nothing changes. Only for pages of this service: a request that is not same-origin JSON is rejected with 403.
         */
        post: operations["browserSignOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/browser/single-sign-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in through the identity provider
         * @description Returns the address of the OpenID Connect provider and sets a cookie that binds the sign-in to this browser for ten minutes. 404 if no provider is configured, 503 while it cannot be reached. Only for pages of this service.
         */
        post: operations["beginSingleSignOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/browser/single-sign-on/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in through the identity provider
         * @description Verifies the response of the provider and signs in to the account that is linked with its subject. An identity is linked once, to the account with its verified e-mail address; without one, an account is created if the settings allow it. A response is accepted once; if OTP_REQUIRED is returned, the request is repeated with `otp`. Only for pages of this service.
         */
        post: operations["finishSingleSignOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a new e-mail address
         * @description Takes the token of the mailed link, which can be used once, within 24 hours.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset link
         * @description Returns the same response for every address. Mails a link only if an active account has the address, at most three times a day per account. At most five requests an hour per e-mail address and per IP address. 403 for every address if all users sign in through the identity provider.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Takes the username or the e-mail address. For an account with a second factor, the correct password without `otp` is rejected with OTP_REQUIRED. After ten failures for one account or thirty from one address within 15 minutes, requests are rejected with 429; from an address that the account signed in from within the last 30 days, the correct password is still accepted until ten failures there. 403 if the settings allow the identity provider only.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this sign-in
         * @description Its tokens become invalid in all processes; other sign-ins are not affected.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your account
         * @description The user of the token, with role, time zone and preferences.
         */
        get: operations["getMe"];
        /**
         * Update your account
         * @description Every field is optional. The new time zone and preferences apply to all statistics immediately, including past days. A new e-mail address requires `current_password`, is returned as `pending_email`, and takes effect when the link mailed to it is opened; without a mail server only administrators can change it (403).
         */
        put: operations["updateMe"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update your account
         * @description Another name of `PUT /api/auth/me`.
         */
        patch: operations["patchMe"];
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Ends all your other sign-ins. A wrong current password counts as a failed sign-in.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your password
         * @description Another name of `PUT /api/auth/password`.
         */
        patch: operations["patchPassword"];
        trace?: never;
    };
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for a new pair of tokens
         * @description A refresh token can be used once. For 30 seconds, a used token returns the same successor again, unless that was used already; after that, it ends the sign-in.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sign-ins
         * @description Active sign-ins, most recently used first. An account has at most 200: with a further one, the oldest ends.
         */
        get: operations["listSignIns"];
        put?: never;
        post?: never;
        /**
         * End your sign-ins
         * @description Ends all others, or with `current=true` also the one of this request. Their tokens are rejected from then on. Personal access tokens remain.
         */
        delete: operations["endSignIns"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-ins/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sign-ins
         * @description Its tokens are rejected from then on. Ending the current one is the same as `POST /api/auth/logout`.
         */
        delete: operations["endSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start setting up a second factor
         * @description Returns a new secret for an authenticator application (TOTP, RFC 6238). It takes effect after confirmation with a code.
         */
        post: operations["beginTotp"];
        /**
         * Disable the second factor
         * @description A wrong password or code counts as a failed sign-in. The recovery codes become invalid.
         */
        delete: operations["disableTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable the second factor
         * @description Takes a code generated from the new secret. From then on, signing in also requires a code; existing sign-ins continue.
         */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the second factor
         * @description Another name of `DELETE /api/auth/totp`.
         */
        post: operations["deleteTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a calendar by its secret address
         * @description Due dates of projects as whole days, and the newest finished records of the last 365 days: at most 2,000, and 1.5 MB. An address can be read 20 times a minute. The secret is in the query, which is not logged.
         */
        get: operations["readCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contact/captcha": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a captcha
         * @description A picture of the four characters that a submission must contain, valid for five minutes and one attempt. Its id is in a cookie and in the response. With `Accept: image/*`, the response is the picture itself, with `Accept: audio/wav`, a recording of the characters in the language of the request.
         */
        get: operations["getCaptcha"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contact/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write to the administrators
         * @description At most five submissions an hour per e-mail address and per IP address, of which one per e-mail address is accepted.
         */
        post: operations["submitContactRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the data of a start page
         * @description The caller's hours of today and this week, streak, timer, recently studied projects and goals at risk, in one request. Days follow the caller's time zone and preferences.
         */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events about changes
         * @description Server-sent events: first `ready`, then `changed` with a JSON array of what to reload: `projects`, `sessions` (records, hours and statistics), `timer`, and for administrators, except with a token without the scope `admin`, `inbox`. The stream ends with the sign-in, when the token expires and when the service stops; reconnect after a short delay and reload everything on `ready`. At most 5 connections per user and process.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forecasts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the forecasts of several projects
         * @description As that of one project, for at most 50 in one request and in the order of `project_ids`. Projects that do not exist, or that the caller may not see, are left out.
         */
        get: operations["listForecasts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mail/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop mails of a kind
         * @description Takes the token of the link in a mail, without a sign-in. Mail programs send the request when "unsubscribe" is chosen (RFC 8058); its body is ignored.
         */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your account
         * @description Another name of `GET /api/auth/me`.
         */
        get: operations["getAccount"];
        /**
         * Update your account
         * @description Another name of `PUT /api/auth/me`.
         */
        put: operations["updateAccount"];
        post?: never;
        /**
         * Delete your account
         * @description Requires the password and, if enabled, the second factor. Name, e-mail address, sign-ins, tokens and assignments are deleted; study records remain under an anonymous user, and owned projects remain for the administrators. This cannot be undone. The last active administrator cannot be deleted.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        /**
         * Update your account
         * @description Another name of `PUT /api/auth/me`.
         */
        patch: operations["patchAccount"];
        trace?: never;
    };
    "/api/me/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of your calendar address
         * @description When it was created and last used, or null. The address itself is shown only when it is created.
         */
        get: operations["getCalendar"];
        put?: never;
        /**
         * Create a secret address for your calendar
         * @description Publishes your records of the last year and the due dates of your projects as iCalendar (RFC 5545). Replaces the previous address; at most ten are created within a day. Changing the password or deactivating the account revokes it.
         */
        post: operations["createCalendar"];
        /**
         * Revoke your calendar address
         * @description Calendars that are subscribed to it get 404 from then on.
         */
        delete: operations["deleteCalendar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/channel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your channel
         * @description Where messages go beside mail; null if there is none. The address is shown in part only.
         */
        get: operations["getChannel"];
        /**
         * Set or change your channel
         * @description One per person: ntfy, a robot of Feishu, DingTalk or WeCom, or any other address. All fields are optional, except `kind` and `url` for the first time and for another kind. Messages about what happened before are not sent to it.
         */
        put: operations["saveChannel"];
        post?: never;
        /**
         * Remove your channel
         * @description Messages that wait for it are not sent.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Set or change your channel
         * @description Another name of `PUT /api/me/channel`.
         */
        patch: operations["patchChannel"];
        trace?: never;
    };
    "/api/me/channel/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description At once, with the values of the body; those that are absent are the saved ones. Nothing is stored. A robot that answers 200 with an error has failed.
         */
        post: operations["testChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/days-off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your days off
         * @description Those that you or administrators have set, without holidays of the school.
         */
        get: operations["listDaysOff"];
        put?: never;
        /**
         * Add days off
         * @description Also of earlier days. Such a day neither breaks nor extends a streak, no study is planned, and no reminder is sent; study on it counts. At most 60 calendar days of a calendar year that are not off otherwise.
         */
        post: operations["createDaysOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/days-off/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your days off
         * @description Those that you have set. Every field is optional.
         */
        put: operations["updateDaysOff"];
        post?: never;
        /**
         * Delete your days off
         * @description Those that you have set.
         */
        delete: operations["deleteDaysOff"];
        options?: never;
        head?: never;
        /**
         * Change your days off
         * @description Another name of `PUT /api/me/days-off/{id}`.
         */
        patch: operations["patchDaysOff"];
        trace?: never;
    };
    "/api/me/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete your account
         * @description Another name of `DELETE /api/me`.
         */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of your latest archive
         * @description Null if you have requested none within the last day.
         */
        get: operations["getExport"];
        put?: never;
        /**
         * Request an archive of your data
         * @description A gzip-compressed tar file with account, preferences, projects, records, assignments, groups, awards, sign-ins and tokens as JSON, lists also as CSV, and the images of your projects. Created in the background: one at a time, at most three a day. You get a mail when it is ready.
         */
        post: operations["requestExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/export/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download your latest archive
         * @description Available for one day after it was created.
         */
        get: operations["downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your tags
         * @description At most 200, the most recently used first. A tag is added when a record uses it for the first time.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/tags/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of your tags
         * @description With the number of your records that have it.
         */
        get: operations["getTag"];
        /**
         * Rename one of your tags
         * @description In all your records. The name of another tag merges both, which keeps the spelling of the other one.
         */
        put: operations["renameTag"];
        post?: never;
        /**
         * Delete one of your tags
         * @description It is removed from all your records; the records remain.
         */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        /**
         * Rename one of your tags
         * @description Another name of `PUT /api/me/tags/{name}`.
         */
        patch: operations["patchTag"];
        trace?: never;
    };
    "/api/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your personal access tokens
         * @description Valid tokens, newest first, without the secrets.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a personal access token
         * @description For your own programs, sent in the same header as the token of a sign-in. It is valid until it expires or is revoked, the password is changed or the account is deactivated. At most 50 per user. Requires a sign-in, not a token.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke one of your personal access tokens
         * @description It is rejected from then on, even in requests that are in progress.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the configuration for a front end
         * @description Version, languages, and the limits of all input fields. Changes only when the service is restarted.
         */
        get: operations["getMeta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Administrators see all projects, those limited to groups their own and those of their students; others those that they own or that are assigned to them. Always current.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Administrators specify the users to whom it is assigned; ordinary users create it for themselves.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description Includes the number of records, the latest one and the achievements earned on it. For the owner, assigned users and administrators.
         */
        get: operations["getProject"];
        /**
         * Update a project
         * @description Every field is optional; `{}` changes nothing. Only administrators may change assignments.
         */
        put: operations["updateProject"];
        post?: never;
        /**
         * Delete a project
         * @description Its study records are not deleted. `POST /api/projects/{id}/restore` restores it.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Update a project
         * @description Another name of `PUT /api/projects/{id}`.
         */
        patch: operations["patchProject"];
        trace?: never;
    };
    "/api/projects/{id}/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the assigned users in order
         * @description In the order of assignment. Only for the owner and administrators.
         */
        get: operations["listAssignments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the forecast of a project
         * @description Its progress towards target and due date, and the study time required per day, in days and weeks of the caller, or of `user_id`. Based on the finished records of that user if the target is their own goal, otherwise on those of all users. For users who can see the project.
         */
        get: operations["getProjectForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload the cover image of a project
         * @description A JPEG, PNG, GIF or WebP file of at most 5 MB, 50 megapixels and 500 frames. It is stored without metadata, with fewer pixels if it would need more than 5 MB, and replaces the previous one. The pictures of a user need at most 512 MB; beyond that, 409. Those of projects in the trash count for 30 days and are then deleted.
         */
        post: operations["uploadProjectImage"];
        /**
         * Delete the cover image of a project
         * @description Has no effect without an image.
         */
        delete: operations["deleteProjectImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List current and former members of a project
         * @description All users who are assigned or have recorded study on it. With `page` or `limit`, a page of them, and its `pagination`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted project
         * @description Restores the assignments of users who can still be assigned.
         */
        post: operations["restoreProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the records of a project
         * @description All records for the owner and administrators; others see their own.
         */
        get: operations["listProjectSessions"];
        put?: never;
        /**
         * Create a study record
         * @description On a project that the caller can see and that is active, or was when the record began. A record lasts 1 second to 24 hours; records of the same user never overlap.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the statistics of a project
         * @description Covers the finished records of all users on it, or with `user_id` those of one user: the caller, or any user for the owner and administrators. A record of at least a minute counts for each local day it touches. The start of days and the days of rest follow the preferences of that user, or else of the caller.
         */
        get: operations["getProjectStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/batch-assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign many projects to many users
         * @description With `assign_type` and `user_ids`, `group_ids` or both, valid pairs are applied and the others are reported as failures. With `assigned_user_ids`, the list replaces the assignments of every project, or nothing changes.
         */
        post: operations["batchAssign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the categories
         * @description The four categories, with names in the language of the request.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted projects
         * @description Your own; administrators see all.
         */
        get: operations["listTrash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List active ordinary users, for assignment
         * @description All of them, sorted by username, not paged.
         */
        get: operations["listAssignableUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links to reports
         * @description The valid ones of all administrators, newest first, without the secrets.
         */
        get: operations["listReportLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a link to a report
         * @description Also a link of another administrator. It shows nothing from then on.
         */
        delete: operations["revokeReportLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a report by its link
         * @description The same response for unknown, expired and ended links. The secret is in the body, so that no log contains it. At most 60 requests a minute from an address.
         */
        post: operations["readSharedReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/students/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the report of a student
         * @description What a printed page shows about a period: hours, days and projects, without notes. Days and weeks follow the student's preferences. For administrators, and students themselves.
         */
        get: operations["getReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/students/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to a report
         * @description Shows this one report to anyone who has the link, as it is when it is opened. It is valid until it expires or is revoked, or until the student is deactivated, or its creator is deactivated or no longer an administrator. At most 500 valid ones per administrator.
         */
        post: operations["createReportLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/school-year": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the school year of a user or class
         * @description The terms, and what the days of holidays, make-up days and days off are for the caller, or for administrators of another `user_id` or of a class: excused before an entry of a class before one of the school. Weekly days of rest are in the preferences.
         */
        get: operations["getSchoolYear"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List records
         * @description Your own, and those on projects you own, including deleted ones; administrators see all. Filters are combined with AND.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a record
         * @description For its author, the owner of the project and administrators.
         */
        get: operations["getSession"];
        /**
         * Update a record
         * @description All fields are optional; a field with its current value changes nothing. The end of a running timer cannot be changed, and its start must be at most 24 hours ago. Another `project_id` moves the record and its hours to that project, which its author must be able to see and which must be active, or have been when the record began.
         */
        put: operations["updateSession"];
        post?: never;
        /**
         * Delete a record
         * @description A running timer is discarded.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /**
         * Update a record
         * @description Another name of `PUT /api/sessions/{id}`.
         */
        patch: operations["patchSession"];
        trace?: never;
    };
    "/api/sessions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download records
         * @description All pages of finished records in the list, from one snapshot. The CSV file can be imported again.
         */
        get: operations["exportSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import sessions
         * @description Takes a CSV file of at most 10 MiB and 50000 rows: an export of this service, also as JSON, a report of a time tracker such as Toggl Track, Clockify, Harvest or Kimai, or any table with columns for the project, the start, and the end or the duration. Projects are matched by id or name. Each row is in one of the counts imported, duplicates, skipped, invalid and left_out. Either all rows are imported or none, unless the options leave some out. Existing sessions are not changed, and sending a file again with the same options adds nothing. A user can have one import in progress, whose progress can be read.
         */
        post: operations["importSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own imports
         * @description The ten newest imports of the last 7 days.
         */
        get: operations["listSessionImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of an import
         * @description Only your own imports, which are stored for 7 days.
         */
        get: operations["getSessionImport"];
        put?: never;
        post?: never;
        /**
         * Undo an import
         * @description Deletes the records that a finished import of the last 7 days has added, and projects that it created and that have no other records. Records that have been edited since are kept. Achievements are kept.
         */
        delete: operations["undoSessionImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the first administrator
         * @description Takes the token of the set-up link that the service prints when it starts without an administrator. A link is valid for 30 minutes, and none is once there is an administrator. Does not sign in.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the statistics of a user
         * @description Covers the caller's finished records on all projects; administrators may request another `user_id`. Days and weeks follow the preferences of that user.
         */
        get: operations["getStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes since the last sync
         * @description For keeping a copy up to date. Contains own and assigned projects with their assignments, own records, and those of others on own projects; also for administrators. Changes that are committed late are not skipped, and items may be repeated. Running timers are included when they start and end.
         */
        get: operations["sync"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/timer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the running timer
         * @description A record without an end, with the elapsed time; null if no timer is running.
         */
        get: operations["getTimer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/timer/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the timer
         * @description A timer running on another project is stopped and returned as `stopped`; one running on the same project continues and is returned with 200. With `started_at`, the running timer ends at that time, and must have started before it.
         */
        post: operations["startTimer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/timer/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the timer
         * @description The record lasts at least one second, and at most as long as a timer may run. With `session_id` the request can be repeated: a record that has ended is returned unchanged. If the service stopped a timer that was left running, an earlier `ended_at` is still accepted.
         */
        post: operations["stopTimer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description Liveness: a supervisor restarts a process that does not respond.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics for Prometheus
         * @description If `METRICS_TOKEN` is set, it is required as the bearer token. With `NODE_ENV=production` and no token, the path returns 404. With `WEB_CONCURRENCY`, the metrics of all processes are aggregated.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service is ready for requests
         * @description Readiness: the database responds, and its schema is current. Also returns 503 while the process shuts down.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "project.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `project.created`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_project_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `project.updated`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_project_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `project.deleted`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_project_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `project.restored`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_project_restored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "assignment.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `assignment.changed`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_assignment_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `session.created`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_session_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `session.updated`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_session_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `session.deleted`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_session_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.imported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `session.imported`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_session_imported"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "goal.reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `goal.reached`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_goal_reached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `contact.created`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_contact_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `contact.status_changed`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_contact_status_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "events.skipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `events.skipped`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_events_skipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event `ping`
         * @description Sent to the webhooks that select it.
         */
        post: operations["on_ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @example 2026-02-01 */
        DayOrInstant: string;
        /**
         * Format: int64
         * @example 42
         */
        Id: number;
        /**
         * Format: date
         * @description The first day.
         * @example 2026-10-01
         */
        FirstDay: string;
        /**
         * Format: date
         * @description The last day; at most 366 days in all.
         * @example 2026-10-07
         */
        LastDay: string;
        /**
         * @description Of administrators: the whole school, or only the groups in `admin_group_ids`, with their members. Later versions may add values.
         * @example groups
         * @enum {string}
         */
        AdminScope: "all" | "groups";
        /**
         * @description Later versions may add values.
         * @enum {string}
         */
        WebhookEvent: "project.created" | "project.updated" | "project.deleted" | "project.restored" | "assignment.changed" | "session.created" | "session.updated" | "session.deleted" | "session.imported" | "goal.reached" | "contact.created" | "contact.status_changed";
        /**
         * @description The language chosen for the user interface and for mails; null if none was chosen.
         * @example zh
         */
        ChosenLocale: ("en" | "zh" | "zh-Hant") | null;
        /**
         * Format: int32
         * @description The hour at which a day of study begins: with 3, study before 3:00 counts for the previous day.
         * @example 3
         */
        DayStartHour: number;
        /**
         * @description Weekdays, from 1 (Monday) to 7 (Sunday), that do not break a streak without study. Study on them counts.
         * @example [
         *       6,
         *       7
         *     ]
         */
        RestWeekdays: number[];
        /**
         * @description The goal in minutes per day; null if there is none.
         * @example 90
         */
        DailyGoalMinutes: number | null;
        /**
         * @description The goal in minutes per week of the calendar; null if there is none.
         * @example 420
         */
        WeeklyGoalMinutes: number | null;
        /**
         * @description The local hour from which a mail warns that the streak ends today, unless the day counts already; null: no such mails. Needs a mail server.
         * @example 19
         */
        StreakReminderHour: number | null;
        /**
         * @description Whether a mail on the first day of each week summarizes the last one: the own study, or for administrators the classes. Needs a mail server.
         * @example true
         */
        WeeklyMail: boolean;
        /**
         * @description Later versions may add values.
         * @enum {string}
         */
        ContactSubject: "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
        /**
         * @description `read`: all reads except those for administrators; `sessions:write`: records and timer; `projects:write`: projects and their images; `admin`: all operations for administrators. No scope includes another. A token never permits more than its user currently may do.
         * @example [
         *       "read",
         *       "sessions:write"
         *     ]
         */
        TokenScopes: ("read" | "sessions:write" | "projects:write" | "admin")[];
        /**
         * @description `shared`: the hours of all users count towards one target; `each`: every assigned user is to reach it. Later versions may add values.
         * @example shared
         * @enum {string}
         */
        TargetScope: "shared" | "each";
        WebhookProject: {
            id: components["schemas"]["Id"];
            /** @example Linear algebra */
            name: string;
            /** @example Vectors, matrices, proofs */
            description: string;
            /** @enum {string} */
            status: "active" | "completed" | "paused";
            /** @enum {string} */
            category: "academic" | "skill" | "hobby" | "other";
            /** @example 40 */
            target_hours: number;
            /** @example 12.5 */
            current_hours: number;
            /** @example 31.25 */
            progress: number;
            /** @enum {string} */
            rating_standard: "excellent" | "good" | "normal";
            /**
             * @description The day by which the target should be reached.
             * @example 2026-06-30
             */
            due_date: string | null;
            /**
             * @description The target hours per week.
             * @example 5
             */
            weekly_goal_hours: number | null;
            target_scope: components["schemas"]["TargetScope"];
            color: components["schemas"]["ProjectColor"];
            /**
             * @description The creator, who owns the project.
             * @example 1
             */
            user_id: components["schemas"]["Id"];
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            /** @description The path of the cover image. */
            image: string | null;
        };
        /**
         * Format: int32
         * @description Until one is chosen, it follows from the id and is another one than those of the other active projects of the reader, while these are at most twelve.
         * @example 6
         */
        ProjectColor: number;
        /**
         * Format: date-time
         * @example 2026-02-01T08:00:00.000Z
         */
        Instant: string;
        WebhookSession: {
            /** @example 310 */
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            /** @example 7 */
            user_id: components["schemas"]["Id"];
            started_at: components["schemas"]["Instant"];
            /**
             * @description Null while the timer runs.
             * @example 2026-02-01T09:30:00.000Z
             */
            ended_at: components["schemas"]["Instant"] | null;
            /**
             * Format: int64
             * @description 0 while the timer runs.
             * @example 5400
             */
            duration_seconds: number;
            /** @example 1.5 */
            hours: number;
            /** @example Chapter 3 */
            note: string;
            /**
             * @description Of the author; seen by all who see the note.
             * @example [
             *       "mock exam"
             *     ]
             */
            tags: string[];
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            source: "timer" | "manual";
            /**
             * @description The time zone of the author when it was created.
             * @example Asia/Shanghai
             */
            time_zone: string;
            /** @description Whether the service stopped a timer that was left running. */
            auto_stopped: boolean;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
        };
        WebhookGoal: {
            id: components["schemas"]["Id"];
            /** @example Linear algebra */
            name: string;
            /** @example Vectors, matrices, proofs */
            description: string;
            /** @enum {string} */
            status: "active" | "completed" | "paused";
            /** @enum {string} */
            category: "academic" | "skill" | "hobby" | "other";
            /** @example 40 */
            target_hours: number;
            /** @example 12.5 */
            current_hours: number;
            /** @example 31.25 */
            progress: number;
            /** @enum {string} */
            rating_standard: "excellent" | "good" | "normal";
            /**
             * @description The day by which the target should be reached.
             * @example 2026-06-30
             */
            due_date: string | null;
            /**
             * @description The target hours per week.
             * @example 5
             */
            weekly_goal_hours: number | null;
            target_scope: components["schemas"]["TargetScope"];
            color: components["schemas"]["ProjectColor"];
            /**
             * @description The creator, who owns the project.
             * @example 1
             */
            user_id: components["schemas"]["Id"];
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            /** @description The path of the cover image. */
            image: string | null;
            /** @description The user who reached the target with their own hours, if `target_scope` is `each`; `null`: all together. */
            reached_by: components["schemas"]["Id"] | null;
        };
        WebhookContactRequest: {
            id: components["schemas"]["Id"];
            subject: components["schemas"]["ContactSubject"];
            /**
             * @example reviewed
             * @enum {string}
             */
            status: "pending" | "reviewed" | "resolved";
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            /** @description The account that was created or got a new password for this request. */
            user_id: components["schemas"]["Id"] | null;
            /** @description The administrator who last changed its status or note. */
            handled_by: components["schemas"]["Id"] | null;
        };
        /** @description An error of all endpoints except those for contact requests. */
        ErrorResponse: {
            /** @constant */
            success: false;
            /** @description In the language of the caller. */
            message: string;
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description The same text as above. */
                message: string;
                details?: {
                    field: string;
                    message: string;
                    /** @description The columns of the file that have a name, each with its cell in the first row. */
                    file_columns?: components["schemas"]["FileColumn"][];
                }[];
            };
        };
        /**
         * @description Never translated. Later versions may add values.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "UNAUTHORIZED" | "OTP_REQUIRED" | "PERMISSION_DENIED" | "PASSWORD_CHANGE_REQUIRED" | "OTP_SETUP_REQUIRED" | "RESOURCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PROJECT_NOT_ACTIVE" | "SESSION_OVERLAP" | "TIMER_RUNNING" | "NO_TIMER" | "LAST_ADMIN" | "IDEMPOTENCY_MISMATCH" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "SERVICE_UNAVAILABLE" | "INTERNAL_ERROR";
        FileColumn: {
            name: string;
            example: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "name": "First step",
         *       "description": "Complete the first study record.",
         *       "icon": "/achievements/first_record.svg",
         *       "requires": {
         *         "kind": "study_time",
         *         "amount": 1
         *       },
         *       "earned_at": null
         *     }
         */
        Achievement: {
            id: components["schemas"]["Id"];
            name: string;
            description: string;
            /** @description The path of its picture on this service. */
            icon: string;
            /** @description The threshold: study time in seconds, a streak in days, a target in percent; 1 for the other kinds. Records of less than a minute earn only a target. */
            requires: {
                /**
                 * @description Later versions may add values.
                 * @enum {string}
                 */
                kind: "study_time" | "streak" | "target" | "early_bird" | "night_owl";
                /** Format: int64 */
                amount: number;
            };
            earned_at: components["schemas"]["Instant"] | null;
        };
        AuditEntry: {
            id: components["schemas"]["Id"];
            at: components["schemas"]["Instant"];
            actor: {
                id: components["schemas"]["Id"];
                /** @example lin */
                username: string;
            };
            /**
             * @description The `operationId` in this document.
             * @example updateUser
             */
            action: string;
            /**
             * @description The `X-Request-Id` of the response, as in the log.
             * @example b2a1c7de-0001
             */
            request_id: string;
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            target_type: "user" | "project" | "assignment" | "contact_request" | "session" | "export" | "group" | "personal_token" | "webhook" | "term" | "school_day";
            /** @description One id; for assignments, those of the projects; empty for exports, whose filter is in `after`. */
            target_ids: components["schemas"]["Id"][];
            /**
             * @description The changed fields before the change; null for a new object.
             * @example {
             *       "role": "user"
             *     }
             */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The changed fields after the change; null for a deleted object.
             * @example {
             *       "role": "admin"
             *     }
             */
            after: {
                [key: string]: unknown;
            } | null;
        };
        AuditName: {
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            type: "user" | "project" | "group";
            id: components["schemas"]["Id"];
            /** @example Lin Wei */
            name: string;
        };
        /**
         * @example {
         *       "page": 1,
         *       "limit": 10,
         *       "total": 37,
         *       "pages": 4
         *     }
         */
        Pagination: {
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            pages: number;
        };
        BackgroundWork: {
            kinds: {
                /**
                 * @description `mail`: to account holders. `contact_mail`: to administrators, about contact requests. `webhook_delivery`: events to other programs. `personal_export`: archives of users' data. `achievements`: what imports and changed calendars have earned. `roster`: accounts to create and change. Later versions may add values.
                 * @example mail
                 * @enum {string}
                 */
                kind: "mail" | "contact_mail" | "webhook_delivery" | "personal_export" | "achievements" | "roster";
                /**
                 * Format: int64
                 * @description Waiting for their first attempt.
                 * @example 3
                 */
                queued: number;
                /**
                 * Format: int64
                 * @description Being run by a process.
                 * @example 1
                 */
                running: number;
                /**
                 * Format: int64
                 * @description Waiting for a retry after a failure.
                 * @example 1
                 */
                failed: number;
                /** @description When the oldest unfinished job was created. */
                oldest_at: components["schemas"]["Instant"] | null;
                /** @description When the next failed job is retried. */
                next_attempt_at: components["schemas"]["Instant"] | null;
                /**
                 * @description Of the latest failure among the unfinished jobs.
                 * @example ECONNREFUSED
                 */
                last_error_code: string | null;
                last_failed_at: components["schemas"]["Instant"] | null;
            }[];
            /** @description Backups by the service; `null` if none are scheduled. */
            backups: {
                /**
                 * @description `BACKUP_SCHEDULE`: a time of day of the server, or a number of hours.
                 * @example 03:00
                 */
                schedule: string;
                /** @description When the last backup was complete. */
                finished_at: components["schemas"]["Instant"] | null;
                /** @example studytrack-2026-11-25t030000z.tgz */
                file: string | null;
                /**
                 * @description Its size.
                 * @example 52428800
                 */
                bytes: number | null;
                /**
                 * Format: int64
                 * @description Failed attempts since then.
                 * @example 0
                 */
                failures: number;
                failed_at: components["schemas"]["Instant"] | null;
                /**
                 * @description Why the last attempt failed, if it did.
                 * @example no space left on the disk (ENOSPC)
                 */
                error: string | null;
                /** @description When the next one is due. */
                next_at: components["schemas"]["Instant"];
            } | null;
        };
        ContactRequest: {
            id: components["schemas"]["Id"];
            /** @example 林小雨 */
            name: string;
            /** @example lin@example.org */
            email: string;
            /** @example 13800138000 */
            phone?: string;
            subject: components["schemas"]["ContactSubject"];
            /** @example 我想注册一个账号。 */
            message: string;
            /**
             * @example reviewed
             * @enum {string}
             */
            status: "pending" | "reviewed" | "resolved";
            /** @example Account created on Monday. */
            admin_note: string | null;
            /** @example 203.0.113.7 */
            ip_address: string;
            /** @example Mozilla/5.0 */
            user_agent: string;
            /** @description The account that was created or got a new password for this request, if any. */
            user_id?: components["schemas"]["Id"];
            /** @description The administrator who last changed its status or note. */
            handled_by: {
                id: components["schemas"]["Id"];
                /** @example head */
                username: string;
            } | null;
            /**
             * @description Whether it is unresolved after 24 hours.
             * @example false
             */
            overdue: boolean;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
        };
        /**
         * @description For `If-Match` of a change that is based on this item.
         * @example "1764921600000"
         */
        ETag: string;
        /** @description An error of the endpoints for contact requests. */
        ContactError: {
            /** @constant */
            success: false;
            /** @description In the language of the caller. */
            message: string;
            code: components["schemas"]["ErrorCode"];
            errors?: {
                field: string;
                msg: string;
            }[];
        };
        ContactRequestDetail: {
            id: components["schemas"]["Id"];
            /** @example 林小雨 */
            name: string;
            /** @example lin@example.org */
            email: string;
            /** @example 13800138000 */
            phone?: string;
            subject: components["schemas"]["ContactSubject"];
            /** @example 我想注册一个账号。 */
            message: string;
            /**
             * @example reviewed
             * @enum {string}
             */
            status: "pending" | "reviewed" | "resolved";
            /** @example Account created on Monday. */
            admin_note: string | null;
            /** @example 203.0.113.7 */
            ip_address: string;
            /** @example Mozilla/5.0 */
            user_agent: string;
            /** @description The account that was created or got a new password for this request, if any. */
            user_id?: components["schemas"]["Id"];
            /** @description The administrator who last changed its status or note. */
            handled_by: {
                id: components["schemas"]["Id"];
                /** @example head */
                username: string;
            } | null;
            /**
             * @description Whether it is unresolved after 24 hours.
             * @example false
             */
            overdue: boolean;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
            /** @description From the same e-mail address, newest first; at most 20. */
            earlier_requests: {
                id: components["schemas"]["Id"];
                subject: components["schemas"]["ContactSubject"];
                /** @enum {string} */
                status: "pending" | "reviewed" | "resolved";
                created_at: components["schemas"]["Instant"];
            }[];
        };
        Group: {
            /** @example 3 */
            id: components["schemas"]["Id"];
            /** @example Class 3b */
            name: string;
            /**
             * Format: int64
             * @example 28
             */
            members_count: number;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
        };
        GroupWithMembers: {
            /** @example 3 */
            id: components["schemas"]["Id"];
            /** @example Class 3b */
            name: string;
            /**
             * Format: int64
             * @example 28
             */
            members_count: number;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
            /** @description Sorted by username. */
            members: {
                /** @example 7 */
                user_id: components["schemas"]["Id"];
                /** @example lin */
                username: string;
                /** @example Lin Wei */
                display_name: string;
                /** @enum {string} */
                status: "active" | "inactive";
                added_at: components["schemas"]["Instant"];
            }[];
        };
        GroupComparison: {
            group: {
                /** @example 3 */
                id: components["schemas"]["Id"];
                /** @example Class 3b */
                name: string;
            };
            period: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                from: string;
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                to: string;
                /**
                 * Format: int64
                 * @description Its days that are compared, in the calendar of the caller.
                 * @example 7
                 */
                days: number;
                /**
                 * Format: int64
                 * @description Those of them with lessons of this group.
                 * @example 5
                 */
                school_days: number;
            };
            other: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                from: string;
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                to: string;
                /**
                 * Format: int64
                 * @description Its days that are compared, in the calendar of the caller.
                 * @example 7
                 */
                days: number;
                /**
                 * Format: int64
                 * @description Those of them with lessons of this group.
                 * @example 5
                 */
                school_days: number;
            };
            /** @description Whether the first period is not over. Then of both only the same part counts: up to the same time on the same day, in the calendar of each member. */
            is_running: boolean;
            total: {
                /** @example 3.5 */
                hours: number;
                /** @example 3.5 */
                other_hours: number;
                /**
                 * @description `hours` minus `other_hours`.
                 * @example -0.5
                 */
                change: number;
            };
            /** @description The median of the members in each period. */
            median: {
                /** @example 3.5 */
                hours: number;
                /** @example 3.5 */
                other_hours: number;
                /**
                 * @description `hours` minus `other_hours`.
                 * @example -0.5
                 */
                change: number;
            };
            /** @description Of all members, on any projects: those with the most hours in both periods, at most 20. */
            by_project: {
                project_id: components["schemas"]["Id"];
                /** @example Linear algebra */
                project_name: string;
                /**
                 * Format: int32
                 * @example 6
                 */
                color: number;
                /** @example 3.5 */
                hours: number;
                /** @example 3.5 */
                other_hours: number;
            }[];
            /**
             * @description Of all members.
             * @example [
             *       {
             *         "weekday": 1,
             *         "hours": 0.5,
             *         "other_hours": 0.5
             *       },
             *       {
             *         "weekday": 2,
             *         "hours": 0.5,
             *         "other_hours": 0.5
             *       },
             *       {
             *         "weekday": 3,
             *         "hours": 0.5,
             *         "other_hours": 0.5
             *       },
             *       {
             *         "weekday": 4,
             *         "hours": 0.5,
             *         "other_hours": 0.5
             *       },
             *       {
             *         "weekday": 5,
             *         "hours": 0.5,
             *         "other_hours": 0.5
             *       },
             *       {
             *         "weekday": 6,
             *         "hours": 0.5,
             *         "other_hours": 0.5
             *       },
             *       {
             *         "weekday": 7,
             *         "hours": 0.5,
             *         "other_hours": 0.5
             *       }
             *     ]
             */
            by_weekday: {
                /**
                 * Format: int32
                 * @description From 1 for Monday.
                 */
                weekday: number;
                /** @example 3.5 */
                hours: number;
                /** @example 3.5 */
                other_hours: number;
            }[];
            /** @description Active ordinary members by username, in their calendars. */
            members: {
                /** @example 7 */
                user_id: components["schemas"]["Id"];
                /** @example lin */
                username: string;
                /** @example Lin Wei */
                display_name: string;
                /** @example 3.5 */
                hours: number;
                /** @example 3.5 */
                other_hours: number;
                /**
                 * @description `hours` minus `other_hours`.
                 * @example -0.5
                 */
                change: number;
                /** @description Of the listed projects, those with hours. */
                by_project: {
                    project_id: components["schemas"]["Id"];
                    /** @example Linear algebra */
                    project_name: string;
                    /**
                     * Format: int32
                     * @example 6
                     */
                    color: number;
                    /** @example 3.5 */
                    hours: number;
                    /** @example 3.5 */
                    other_hours: number;
                }[];
                /**
                 * @example [
                 *       {
                 *         "weekday": 1,
                 *         "hours": 0.5,
                 *         "other_hours": 0.5
                 *       },
                 *       {
                 *         "weekday": 2,
                 *         "hours": 0.5,
                 *         "other_hours": 0.5
                 *       },
                 *       {
                 *         "weekday": 3,
                 *         "hours": 0.5,
                 *         "other_hours": 0.5
                 *       },
                 *       {
                 *         "weekday": 4,
                 *         "hours": 0.5,
                 *         "other_hours": 0.5
                 *       },
                 *       {
                 *         "weekday": 5,
                 *         "hours": 0.5,
                 *         "other_hours": 0.5
                 *       },
                 *       {
                 *         "weekday": 6,
                 *         "hours": 0.5,
                 *         "other_hours": 0.5
                 *       },
                 *       {
                 *         "weekday": 7,
                 *         "hours": 0.5,
                 *         "other_hours": 0.5
                 *       }
                 *     ]
                 */
                by_weekday: {
                    /**
                     * Format: int32
                     * @description From 1 for Monday.
                     */
                    weekday: number;
                    /** @example 3.5 */
                    hours: number;
                    /** @example 3.5 */
                    other_hours: number;
                }[];
            }[];
        };
        GroupStatistics: {
            group: {
                /** @example 3 */
                id: components["schemas"]["Id"];
                /** @example Class 3b */
                name: string;
            };
            /**
             * Format: date
             * @example 2026-02-01
             */
            from: string;
            /**
             * Format: date
             * @example 2026-02-01
             */
            to: string;
            /**
             * Format: int64
             * @description Active ordinary members; all figures are theirs.
             * @example 12
             */
            members_count: number;
            /**
             * Format: int64
             * @description Members who studied in the period.
             * @example 12
             */
            active_members: number;
            /** @example 3.5 */
            total_hours: number;
            /** @description Of the members: the median, and between the quartiles the middle half. */
            hours_per_week: {
                /** @example 3.5 */
                lower_quartile: number;
                /** @example 3.5 */
                median: number;
                /** @example 3.5 */
                upper_quartile: number;
            };
            /** @description Members by hours a week: none, then from `from_hours` to less than `to_hours`. */
            distribution: {
                /** @example 3.5 */
                from_hours: number;
                to_hours: number | null;
                /**
                 * Format: int64
                 * @example 12
                 */
                users: number;
            }[];
            /** @description Weeks by the caller's preference; the first and the last may be partly in the period. */
            weekly: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                first_day: string;
                /**
                 * Format: int64
                 * @example 12
                 */
                active_members: number;
                /** @example 3.5 */
                hours: number;
                /** @example 3.5 */
                lower_quartile: number;
                /** @example 3.5 */
                median: number;
                /** @example 3.5 */
                upper_quartile: number;
            }[];
            /** @description Projects assigned to members, as of now: active ones first, then by members and name; at most 20. */
            projects: components["schemas"]["GroupProject"][];
            /**
             * Format: int64
             * @example 12
             */
            projects_total: number;
            /** @description By username. */
            members: components["schemas"]["GroupMemberDays"][];
            pagination: components["schemas"]["Pagination"];
        };
        GroupProject: {
            project_id: components["schemas"]["Id"];
            /** @example Linear algebra */
            project_name: string;
            /**
             * Format: int32
             * @example 6
             */
            color: number;
            /** @enum {string} */
            status: "active" | "completed" | "paused";
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            target_scope: "shared" | "each";
            /** @example 40 */
            target_hours: number;
            /**
             * @description The target hours per week.
             * @example 5
             */
            weekly_goal_hours: number | null;
            due_date: string | null;
            /**
             * Format: date
             * @description An even pace counts from this day: that of its creation, or of its first record if that is earlier.
             * @example 2026-02-01
             */
            began_on: string;
            /** @description Of the whole project, as in the forecast. */
            state: components["schemas"]["GoalState"];
            /**
             * Format: int64
             * @description Members to whom it is assigned.
             * @example 12
             */
            users_count: number;
            /**
             * @description All hours of these members.
             * @example 3.5
             */
            hours: number;
            /**
             * @description In percent, 100 only if it is reached; null without a target: of a target for `each`, the mean of what these members have reached of it, and of a `shared` one, what they have reached together.
             * @example 31.25
             */
            progress: number | null;
            /**
             * Format: int64
             * @description Members by the state of their own goal, or of the shared target; these seven add up to `users_count`.
             * @example 12
             */
            done: number;
            /**
             * Format: int64
             * @description On track or ahead.
             * @example 12
             */
            on_track: number;
            /**
             * Format: int64
             * @example 12
             */
            slowing: number;
            /**
             * Format: int64
             * @example 12
             */
            behind: number;
            /**
             * Format: int64
             * @example 12
             */
            overdue: number;
            /**
             * Format: int64
             * @example 12
             */
            not_started: number;
            /**
             * Format: int64
             * @description Without a target, or without due date and weekly goal, or paused.
             * @example 12
             */
            without_goals: number;
            /**
             * @description Hours of these members in each of the latest weeks by the preference of the caller, the current one last.
             * @example [
             *       0,
             *       3,
             *       4.5,
             *       2,
             *       6,
             *       5,
             *       3.5,
             *       1
             *     ]
             */
            weeks: number[];
        };
        /**
         * @description `no_target`: without a target, or without due date and weekly goal. `not_started`: nothing is recorded, and it was assigned at most 7 days ago. `overdue`: the due date has passed. `behind`: below the even pace by more than a day's share, or not started later than that. `slowing`: not behind, but at `pace_hours_per_day` the target is reached after the due date. `ahead`: above the even pace, and at this pace reached at least a tenth of the days left before the due date. `on_track`: none of these. `done`: the target is reached, or the project completed. `paused`: as the project. Later versions may add values.
         * @example on_track
         * @enum {string}
         */
        GoalState: "no_target" | "not_started" | "done" | "overdue" | "paused" | "behind" | "slowing" | "ahead" | "on_track";
        GroupMemberDays: {
            /** @example 7 */
            user_id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @example 3.5 */
            total_hours: number;
            /**
             * Format: int64
             * @example 12
             */
            study_days: number;
            /**
             * @description Hours per day from `from` to `to`, in the calendar of the member: those of their statistics.
             * @example [
             *       0,
             *       1.5,
             *       2
             *     ]
             */
            daily: number[];
            /** @description Days of the period on which the member is excused, as ranges in their order. */
            excused: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                from: string;
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                to: string;
            }[];
        };
        Progress: {
            /** @example 7 */
            user_id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /**
             * @description The zone of the user's days.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * @description The same as `timezone`.
             * @example Asia/Shanghai
             */
            time_zone: string;
            /**
             * Format: int64
             * @description The local hour at which their days begin.
             * @example 0
             */
            day_start_hour: number;
            /** @description The groups of the user, sorted by name. */
            groups: {
                /** @example 3 */
                id: components["schemas"]["Id"];
                /** @example Class 3b */
                name: string;
            }[];
            /**
             * Format: int64
             * @example 3
             */
            projects_assigned: number;
            /**
             * @description Finished records that began in the last 7 × 24 hours.
             * @example 6.5
             */
            hours_7d: number;
            /**
             * @description Finished records that began in the last 28 × 24 hours.
             * @example 21
             */
            hours_28d: number;
            /**
             * @description All finished records.
             * @example 148.25
             */
            total_hours: number;
            /**
             * @description Finished records on the project `project_id` of the filter; null without it.
             * @example null
             */
            project_hours: number | null;
            /**
             * @description Hours of the last eight weeks, the current one last, in the user's calendar and weeks.
             * @example [
             *       3,
             *       4.5,
             *       0,
             *       6,
             *       5.25,
             *       7,
             *       6.5,
             *       2
             *     ]
             */
            weeks: number[];
            /**
             * @description Hours of the week before the current one, up to the same time on the same weekday.
             * @example 1.5
             */
            last_week_so_far: number;
            /**
             * @description Hours of the last eight days, today last.
             * @example [
             *       1,
             *       0,
             *       0.5,
             *       2,
             *       0,
             *       1.5,
             *       1,
             *       0.5
             *     ]
             */
            days: number[];
            /**
             * @description Whether these are days of study, by records of a minute or more.
             * @example [
             *       true,
             *       false,
             *       true,
             *       true,
             *       false,
             *       true,
             *       true,
             *       false
             *     ]
             */
            days_studied: boolean[];
            /**
             * @description Whether the same weekday of the week before was a day of study by this time.
             * @example true
             */
            last_week_studied_by_now: boolean;
            /**
             * @description Whether today, in the user's calendar, is one of their days off.
             * @example false
             */
            excused_today: boolean;
            /**
             * @description Exactly one for each user, the first that applies. `silent`: no record in the last 7 × 24 hours without days off, but earlier ones, and no running timer; `overdue`, `behind`, `slowing`, `not_started`: one of the goals is; `on_track`: none is; `without_goals`. Later versions may add values.
             * @example on_track
             * @enum {string}
             */
            state: "silent" | "overdue" | "behind" | "slowing" | "not_started" | "on_track" | "without_goals";
            /**
             * Format: int64
             * @description In days of the user's calendar, as in `GET /api/stats`.
             * @example 4
             */
            current_streak: number;
            /** @description Counts of the user's own goals by state, from their hours and on their current day: active projects that they own, and assigned ones whose target each user is to reach; without those without due date and weekly goal. */
            goals: {
                /**
                 * Format: int64
                 * @example 1
                 */
                not_started: number;
                /**
                 * Format: int64
                 * @example 1
                 */
                overdue: number;
                /**
                 * Format: int64
                 * @example 1
                 */
                behind: number;
                /**
                 * Format: int64
                 * @example 1
                 */
                slowing: number;
                /**
                 * Format: int64
                 * @example 1
                 */
                on_track: number;
                /**
                 * Format: int64
                 * @example 1
                 */
                ahead: number;
                /**
                 * Format: int64
                 * @example 1
                 */
                done: number;
                /**
                 * Format: int64
                 * @description At 80 % of the target or more, but below 100 %.
                 * @example 0
                 */
                near: number;
                /**
                 * Format: int64
                 * @description The sum of all except `near`.
                 * @example 3
                 */
                total: number;
            };
            /** @description The end of the latest finished record. */
            last_session: components["schemas"]["Instant"] | null;
            running_timer: {
                project_id: components["schemas"]["Id"];
                /** @example Linear algebra */
                project_name: string;
                started_at: components["schemas"]["Instant"];
            } | null;
        };
        ProgressCounts: {
            /**
             * Format: int64
             * @example 1
             */
            silent: number;
            /**
             * Format: int64
             * @example 1
             */
            overdue: number;
            /**
             * Format: int64
             * @example 1
             */
            behind: number;
            /**
             * Format: int64
             * @example 1
             */
            slowing: number;
            /**
             * Format: int64
             * @example 1
             */
            not_started: number;
            /**
             * Format: int64
             * @example 1
             */
            on_track: number;
            /**
             * Format: int64
             * @example 1
             */
            without_goals: number;
            /**
             * Format: int64
             * @example 1
             */
            studying: number;
        };
        ProjectColumn: {
            id: components["schemas"]["Id"];
            /** @example Linear algebra */
            name: string;
            /** @enum {string} */
            status: "active" | "completed" | "paused";
            /** @example 40 */
            target_hours: number;
            /** @example 12.5 */
            current_hours: number;
            /** @example 31.25 */
            progress: number;
            /**
             * @description The day by which the target should be reached.
             * @example 2026-06-30
             */
            due_date: string | null;
            /** @description As in the forecast: based on the hours of all users, or on their mean if each is to reach the target, on the caller's current day. */
            state: components["schemas"]["GoalState"];
            /**
             * Format: int64
             * @description The number of group members, or of users on this page, to whom it is assigned.
             * @example 30
             */
            users_count: number;
        };
        ProjectHours: {
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /**
             * @description All finished records.
             * @example 148.25
             */
            total_hours: number;
            /** @description The end of the latest finished record. */
            last_session: components["schemas"]["Instant"] | null;
            /** @example 7 */
            user_id: components["schemas"]["Id"];
            /**
             * @description Hours of finished records per project, in the order of `projects`; null if it is not assigned.
             * @example [
             *       12.5,
             *       0,
             *       null
             *     ]
             */
            hours: (number | null)[];
        };
        Roster: {
            /** @example 5 */
            id: components["schemas"]["Id"];
            requested_by: {
                user_id: components["schemas"]["Id"];
                /** @example head */
                username: string;
            };
            dry_run: boolean;
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            missing: "keep" | "deactivate";
            invite: boolean;
            /**
             * @description Later versions may add values.
             * @example csv
             * @enum {string}
             */
            format: "csv" | "oneroster";
            /** @description Which columns of a CSV file are read, and as what. */
            columns: {
                /** @example group */
                field: string;
                /** @example cohort1 */
                column: string;
            }[];
            /**
             * @description The headers of the columns of a CSV file that are not read, and the letters, such as `(C)`, of columns with values but no header.
             * @example [
             *       "city"
             *     ]
             */
            unread_columns: string[];
            /**
             * @description `failed`: nothing was changed; `stopped`: the remaining rows were not applied, because the administrator lost the right to it, five attempts failed, or it took more than a day. The last three states are final. Later versions may add values.
             * @example done
             * @enum {string}
             */
            state: "receiving" | "checking" | "writing" | "done" | "failed" | "stopped";
            /**
             * Format: int64
             * @description Rows of the file that could be read.
             * @example 812
             */
            rows: number;
            /**
             * Format: int64
             * @description Of these and the missing accounts, those that were applied or need nothing.
             * @example 812
             */
            processed: number;
            /**
             * Format: int64
             * @description Rows that could not be applied, because somebody else changed something meanwhile.
             * @example 0
             */
            problems: number;
            /** @description The difference; null until the file has been compared with the accounts. */
            counts: {
                /**
                 * Format: int64
                 * @description Accounts to create.
                 * @example 120
                 */
                new: number;
                /**
                 * Format: int64
                 * @description Accounts with another name, address, external id or state.
                 * @example 14
                 */
                changed: number;
                /**
                 * Format: int64
                 * @description Accounts that join or leave groups.
                 * @example 690
                 */
                moved: number;
                /**
                 * Format: int64
                 * @description Active accounts of earlier rosters that the file does not name.
                 * @example 97
                 */
                missing: number;
                /**
                 * Format: int64
                 * @description Accounts that are as in the file.
                 * @example 2
                 */
                unchanged: number;
                /**
                 * Format: int64
                 * @description Administrators, whom a roster never changes.
                 * @example 1
                 */
                left_out: number;
                /**
                 * Format: int64
                 * @description Accounts whose cell of groups is empty, as below a merged cell. Not in rosters of earlier releases.
                 * @example 3
                 */
                without_groups?: number;
                /**
                 * @description The first 100.
                 * @example [
                 *       "Class 3b"
                 *     ]
                 */
                new_groups: string[];
            } | null;
            /**
             * Format: int64
             * @description What is wrong with the file; then nothing is changed.
             * @example 0
             */
            errors_count: number;
            /** @description The first 100. */
            errors: {
                /**
                 * @description The file of the archive; empty for a single file.
                 * @example
                 */
                file: string;
                /**
                 * Format: int64
                 * @description As in a spreadsheet; the header is row 1.
                 * @example 7
                 */
                row: number;
                /** @example email */
                field: string;
                /** @example must be an e-mail address */
                message: string;
            }[];
            /** @description Why it was stopped. */
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @example The administrator no longer has the rights. */
                message: string;
            } | null;
            created_at: components["schemas"]["Instant"];
            finished_at: components["schemas"]["Instant"] | null;
        };
        SchoolDay: {
            /** @example 4 */
            id: components["schemas"]["Id"];
            /** @example National Day */
            name: string;
            /**
             * Format: date
             * @example 2026-10-01
             */
            from: string;
            /**
             * Format: date
             * @example 2026-10-07
             */
            to: string;
            /**
             * @description `off`: holidays. `school_day`: lessons, also on a rest day, such as a make-up day. Later versions may add values.
             * @example off
             * @enum {string}
             */
            kind: "off" | "school_day";
            /**
             * @description The class for which it applies; null for the whole school.
             * @example null
             */
            group_id: components["schemas"]["Id"] | null;
            /**
             * Format: int64
             * @description `off`: how many of the days are of `SCHOOL_WEEKDAYS`. `school_day`: how many are not.
             * @example 5
             */
            school_days: number;
        };
        EffectOfDays: {
            /**
             * Format: int64
             * @description Active students to whom these days apply.
             * @example 92
             */
            students: number;
            /**
             * Format: int64
             * @description Of them, those who get no reminders any more on some of these days, from their today on.
             * @example 92
             */
            quiet_students: number;
            /**
             * @description Hours already recorded on days that become days off. They stay as they are.
             * @example 23.5
             */
            recorded_hours: number;
            /**
             * Format: int64
             * @description Students whose current streak changes.
             * @example 17
             */
            streaks_count: number;
            /** @description The 100 largest changes first. */
            streaks: {
                /** @example 12 */
                user_id: components["schemas"]["Id"];
                /** @example Ava Johnson */
                display_name: string;
                /**
                 * Format: int64
                 * @description Days of the current streak.
                 * @example 3
                 */
                before: number;
                /**
                 * Format: int64
                 * @example 5
                 */
                after: number;
                /** @description The week of the last day that the change makes another one, as it then is. */
                week: {
                    /**
                     * Format: date
                     * @example 2026-10-29
                     */
                    date: string;
                    /**
                     * @description Days of the current streak up to this one; null if the day is no part of it.
                     * @example 12
                     */
                    streak: number | null;
                    /** @description Whether the day is off or excused. */
                    off: boolean;
                }[];
            }[];
            /**
             * Format: int64
             * @description Goals whose state or minutes a day change.
             * @example 4
             */
            goals_count: number;
            /** @description The 100 largest changes first. */
            goals: {
                /** @example 12 */
                user_id: components["schemas"]["Id"];
                /** @example Ava Johnson */
                display_name: string;
                /** @example 4 */
                project_id: components["schemas"]["Id"];
                /** @example Algebra */
                project_name: string;
                state: {
                    before: components["schemas"]["GoalState"];
                    after: components["schemas"]["GoalState"];
                };
                /** @description What is required a day, in minutes. */
                minutes: {
                    /**
                     * Format: int64
                     * @example 38
                     */
                    before: number;
                    /**
                     * Format: int64
                     * @example 50
                     */
                    after: number;
                };
            }[];
        };
        ImportedCalendar: {
            /** @description All events of the file. */
            events: {
                /**
                 * Format: int32
                 * @description In the order of the file.
                 * @example 3
                 */
                number: number;
                /**
                 * @description Its summary, at most 50 characters of it.
                 * @example National Day
                 */
                name: string;
                /**
                 * @description Null if it cannot be read.
                 * @example 2026-10-01
                 */
                from: string | null;
                /**
                 * @description The last day.
                 * @example 2026-10-07
                 */
                to: string | null;
                /** @description What it becomes; null if it is not imported. */
                kind: ("off" | "school_day") | null;
                /** @description Why it is not imported by itself: `timed` events can be chosen; the entry `exists`; it `repeats`, is `cancelled`, has no name, no dates from 2000 to 2199, or more than 366 days, or cannot be read. */
                left_out: ("timed" | "exists" | "repeats" | "cancelled" | "no_name" | "no_dates" | "too_long" | "unreadable") | null;
            }[];
            /**
             * Format: int64
             * @description Entries that are added, or would be.
             * @example 12
             */
            added: number;
            /** @description With `dry_run`; null if there are too many students to compute it. */
            effect: components["schemas"]["EffectOfDays"] | null;
        };
        Term: {
            /** @example 1 */
            id: components["schemas"]["Id"];
            /** @example Autumn term */
            name: string;
            /**
             * Format: date
             * @example 2026-09-01
             */
            from: string;
            /**
             * Format: date
             * @example 2027-01-23
             */
            to: string;
            /**
             * Format: int64
             * @description School days of the whole school: those of `SCHOOL_WEEKDAYS` that are not off, and make-up days.
             * @example 97
             */
            school_days: number;
        };
        ManagedUser: {
            /** @example 7 */
            id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example lin@example.org */
            email: string;
            /** @example Lin Wei */
            display_name: string;
            /**
             * @example user
             * @enum {string}
             */
            role: "admin" | "user";
            /** @enum {string} */
            status: "active" | "inactive";
            admin_scope?: components["schemas"]["AdminScope"];
            /**
             * @description With `admin_scope: groups`.
             * @example [
             *       3
             *     ]
             */
            admin_group_ids?: components["schemas"]["Id"][];
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * @description The same as `timezone`.
             * @example Asia/Shanghai
             */
            time_zone: string;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            last_login_at: components["schemas"]["Instant"] | null;
            must_change_password: components["schemas"]["MustChangePassword"];
            /**
             * @description Whether signing in requires a second factor.
             * @example false
             */
            totp_enabled: boolean;
            /**
             * @description False until an invited user chooses one.
             * @example true
             */
            has_password: boolean;
            identity_linked: components["schemas"]["IdentityLinked"];
            etag: components["schemas"]["ETag"];
        };
        /**
         * @description Whether the password was generated by the service and must be changed first.
         * @example false
         */
        MustChangePassword: boolean;
        /**
         * @description Whether an account at an identity provider is linked, which may be an earlier provider than that of OIDC_ISSUER.
         * @example false
         */
        IdentityLinked: boolean;
        /** @description The link fields are those of an invitation. */
        CreatedUser: {
            /** @example 7 */
            id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example lin@example.org */
            email: string;
            /** @example Lin Wei */
            display_name: string;
            /**
             * @example user
             * @enum {string}
             */
            role: "admin" | "user";
            /** @enum {string} */
            status: "active" | "inactive";
            admin_scope?: components["schemas"]["AdminScope"];
            /**
             * @description With `admin_scope: groups`.
             * @example [
             *       3
             *     ]
             */
            admin_group_ids?: components["schemas"]["Id"][];
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * @description The same as `timezone`.
             * @example Asia/Shanghai
             */
            time_zone: string;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            last_login_at: components["schemas"]["Instant"] | null;
            must_change_password: components["schemas"]["MustChangePassword"];
            /**
             * @description Whether signing in requires a second factor.
             * @example false
             */
            totp_enabled: boolean;
            /**
             * @description False until an invited user chooses one.
             * @example true
             */
            has_password: boolean;
            identity_linked: components["schemas"]["IdentityLinked"];
            etag: components["schemas"]["ETag"];
            /**
             * @description The generated password. Shown only once.
             * @example xK4-vw9R-pq2M
             */
            one_time_password?: string;
            /**
             * @description Whether the link was mailed to the user.
             * @example true
             */
            link_mailed?: boolean;
            link_expires_at?: components["schemas"]["Instant"];
            /**
             * @description The link to pass on to the user, if the service has no mail server. Shown only once.
             * @example https://study.example.org/accept#token=pUq4c1vTn0xgYv3mB7k2dQ&for=invitation
             */
            link?: string;
        };
        DaysOffList: {
            /** @description The latest first. */
            days_off: components["schemas"]["DaysOff"][];
            /** @description By calendar year, the current one always included: calendar days that the person has set for themselves and that are not off otherwise. */
            years: {
                /**
                 * Format: int64
                 * @example 2026
                 */
                year: number;
                /**
                 * Format: int64
                 * @description Days up to today.
                 * @example 11
                 */
                taken: number;
                /**
                 * Format: int64
                 * @description Later days.
                 * @example 12
                 */
                planned: number;
                /**
                 * Format: int64
                 * @description Of 60.
                 * @example 37
                 */
                left: number;
            }[];
        };
        DaysOff: {
            /** @example 9 */
            id: components["schemas"]["Id"];
            /**
             * Format: date
             * @example 2026-12-14
             */
            from: string;
            /**
             * Format: date
             * @example 2026-12-25
             */
            to: string;
            /**
             * @description Read by the person and by administrators.
             * @example Family visit
             */
            reason: string;
            /**
             * @description Whether the person has set it, not an administrator.
             * @example true
             */
            own: boolean;
        };
        AccountLink: {
            /**
             * @description Whether the link was mailed to the user.
             * @example true
             */
            link_mailed: boolean;
            link_expires_at: components["schemas"]["Instant"];
            /**
             * @description The link to pass on to the user, if the service has no mail server. Shown only once.
             * @example https://study.example.org/accept#token=pUq4c1vTn0xgYv3mB7k2dQ&for=invitation
             */
            link?: string;
        };
        StudentNote: {
            /** @example Prefers to be called in the afternoon. */
            text: string;
            updated_at: components["schemas"]["Instant"];
            /** @description Who wrote it last; null if that account was deleted. */
            updated_by: {
                id: components["schemas"]["Id"];
                /** @example Head of year */
                display_name: string;
            } | null;
            etag: components["schemas"]["ETag"];
        };
        UserWithPassword: {
            /** @example 7 */
            id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example lin@example.org */
            email: string;
            /** @example Lin Wei */
            display_name: string;
            /**
             * @example user
             * @enum {string}
             */
            role: "admin" | "user";
            /** @enum {string} */
            status: "active" | "inactive";
            admin_scope?: components["schemas"]["AdminScope"];
            /**
             * @description With `admin_scope: groups`.
             * @example [
             *       3
             *     ]
             */
            admin_group_ids?: components["schemas"]["Id"][];
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * @description The same as `timezone`.
             * @example Asia/Shanghai
             */
            time_zone: string;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            last_login_at: components["schemas"]["Instant"] | null;
            must_change_password: components["schemas"]["MustChangePassword"];
            /**
             * @description Whether signing in requires a second factor.
             * @example false
             */
            totp_enabled: boolean;
            /**
             * @description False until an invited user chooses one.
             * @example true
             */
            has_password: boolean;
            identity_linked: components["schemas"]["IdentityLinked"];
            etag: components["schemas"]["ETag"];
            /**
             * @description The generated password. Shown only once.
             * @example xK4-vw9R-pq2M
             */
            one_time_password?: string;
        };
        CreatedUsers: {
            /**
             * Format: int64
             * @example 1
             */
            created_count: number;
            /**
             * Format: int64
             * @example 0
             */
            failed_count: number;
            /** @description One per row of the request, in its order. */
            results: {
                /**
                 * Format: int64
                 * @description The index in the request, from 0.
                 * @example 0
                 */
                index: number;
                /** @example wang */
                username: string;
                /**
                 * @description The account; null if it was not created.
                 * @example 7
                 */
                user_id: components["schemas"]["Id"] | null;
                errors: {
                    /** @example username */
                    field: string;
                    /** @example is already taken */
                    message: string;
                }[];
            }[];
            /** @description Shown only once; omitted when the `Idempotency-Key` is repeated. */
            one_time_passwords?: {
                /** @example 7 */
                user_id: components["schemas"]["Id"];
                /** @example wang */
                username: string;
                /** @example Wang Fang */
                display_name: string;
                /** @example k4vw9rpq2m8ht7xz */
                one_time_password: string;
            }[];
        };
        Webhook: {
            id: components["schemas"]["Id"];
            /** @example https://example.org/hooks/studytrack */
            url: string;
            events: components["schemas"]["WebhookEvent"][];
            active: boolean;
            /** @description Why the service switched it off: `failures`, 20 consecutive failed attempts. */
            disabled_reason: "failures" | null;
            /**
             * Format: int64
             * @description Consecutive failed attempts.
             * @example 0
             */
            failures: number;
            /** @description The time of the next attempt, after a failed one. */
            paused_until: components["schemas"]["Instant"] | null;
            /** @description Since when no events are recorded, because 20,000 deliveries waited. Ends by itself, with an event `events.skipped`, when fewer than 10,000 wait. */
            skips_since: components["schemas"]["Instant"] | null;
            /**
             * Format: int64
             * @description The number of waiting deliveries.
             * @example 0
             */
            waiting: number;
            /** @description Until when deliveries are also signed with the previous secret. */
            rotation_ends_at: components["schemas"]["Instant"] | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
        };
        WebhookWithSecret: {
            id: components["schemas"]["Id"];
            /** @example https://example.org/hooks/studytrack */
            url: string;
            events: components["schemas"]["WebhookEvent"][];
            active: boolean;
            /** @description Why the service switched it off: `failures`, 20 consecutive failed attempts. */
            disabled_reason: "failures" | null;
            /**
             * Format: int64
             * @description Consecutive failed attempts.
             * @example 0
             */
            failures: number;
            /** @description The time of the next attempt, after a failed one. */
            paused_until: components["schemas"]["Instant"] | null;
            /** @description Since when no events are recorded, because 20,000 deliveries waited. Ends by itself, with an event `events.skipped`, when fewer than 10,000 wait. */
            skips_since: components["schemas"]["Instant"] | null;
            /**
             * Format: int64
             * @description The number of waiting deliveries.
             * @example 0
             */
            waiting: number;
            /** @description Until when deliveries are also signed with the previous secret. */
            rotation_ends_at: components["schemas"]["Instant"] | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
            /**
             * @description For verifying signatures. Returned only once; empty when the `Idempotency-Key` is repeated.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string;
        };
        WebhookDelivery: {
            id: components["schemas"]["Id"];
            /**
             * @description The header `webhook-id`: the same in every attempt and replay.
             * @example msg_0b6ba3b6-2ed7-4f6c-9bd8-5cf01b6f2f11
             */
            message_id: string;
            /**
             * @description Later versions may add values.
             * @example project.deleted
             * @enum {string}
             */
            type: "project.created" | "project.updated" | "project.deleted" | "project.restored" | "assignment.changed" | "session.created" | "session.updated" | "session.deleted" | "session.imported" | "goal.reached" | "contact.created" | "contact.status_changed" | "events.skipped" | "ping";
            /**
             * @description The object of the event.
             * @example project:42
             */
            object: string;
            /**
             * @example {
             *       "id": 42
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * @description Later versions may add values.
             * @example delivered
             * @enum {string}
             */
            state: "waiting" | "delivered" | "failed";
            /**
             * Format: int64
             * @example 1
             */
            attempts: number;
            created_at: components["schemas"]["Instant"];
            last_attempt_at: components["schemas"]["Instant"] | null;
            next_attempt_at: components["schemas"]["Instant"] | null;
            /** @example 200 */
            response_status: number | null;
            /**
             * @description The beginning of the response; at most 300 characters.
             * @example ok
             */
            response_text: string | null;
            /**
             * @description Why the last attempt failed.
             * @example ECONNREFUSED
             */
            error_code: string | null;
        };
        BrowserSignIn: {
            /**
             * @description For the Authorization header: `Bearer <token>`.
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl
             */
            token: string;
            /** @constant */
            token_type: "Bearer";
            /**
             * Format: int64
             * @description Seconds until the token expires.
             * @example 900
             */
            expires_in: number;
            user: components["schemas"]["Account"];
        };
        Account: {
            /** @example 7 */
            id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example lin@example.org */
            email: string;
            /** @example Lin Wei */
            display_name: string;
            /**
             * @example user
             * @enum {string}
             */
            role: "admin" | "user";
            /** @enum {string} */
            status: "active" | "inactive";
            admin_scope?: components["schemas"]["AdminScope"];
            /**
             * @description With `admin_scope: groups`.
             * @example [
             *       3
             *     ]
             */
            admin_group_ids?: components["schemas"]["Id"][];
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * @description The same as `timezone`.
             * @example Asia/Shanghai
             */
            time_zone: string;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            last_login_at: components["schemas"]["Instant"] | null;
            must_change_password: components["schemas"]["MustChangePassword"];
            /**
             * @description Whether signing in requires a second factor.
             * @example false
             */
            totp_enabled: boolean;
            /**
             * @description Whether the time zone was ever chosen. If not, applications should suggest that of the device.
             * @example true
             */
            timezone_chosen: boolean;
            identity_linked: components["schemas"]["IdentityLinked"];
            /**
             * @description False for an account that has only signed in through the identity provider.
             * @example true
             */
            has_password: boolean;
            locale: components["schemas"]["ChosenLocale"];
            /**
             * Format: int32
             * @description The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks always begin on Monday.
             * @example 1
             */
            week_start: number;
            day_start_hour: components["schemas"]["DayStartHour"];
            rest_weekdays: components["schemas"]["RestWeekdays"];
            daily_goal_minutes: components["schemas"]["DailyGoalMinutes"];
            weekly_goal_minutes: components["schemas"]["WeeklyGoalMinutes"];
            streak_reminder_hour: components["schemas"]["StreakReminderHour"];
            weekly_mail: components["schemas"]["WeeklyMail"];
            /**
             * @description Whether a mail announces new contact requests, for administrators. Needs a mail server.
             * @example false
             */
            new_request_mail: boolean;
        };
        SignedIn: {
            /**
             * @description For the Authorization header: `Bearer <token>`.
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl
             */
            token: string;
            /** @constant */
            token_type: "Bearer";
            /**
             * Format: int64
             * @description Seconds until the token expires.
             * @example 900
             */
            expires_in: number;
            /**
             * @description For the next pair of tokens; can be used once, within 30 days.
             * @example pUq4c1vTn0xgYv3mB7k2dQ
             */
            refresh_token: string;
            user: components["schemas"]["Account"];
        };
        OwnAccount: {
            /** @example 7 */
            id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example lin@example.org */
            email: string;
            /** @example Lin Wei */
            display_name: string;
            /**
             * @example user
             * @enum {string}
             */
            role: "admin" | "user";
            /** @enum {string} */
            status: "active" | "inactive";
            admin_scope?: components["schemas"]["AdminScope"];
            /**
             * @description With `admin_scope: groups`.
             * @example [
             *       3
             *     ]
             */
            admin_group_ids?: components["schemas"]["Id"][];
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * @description The same as `timezone`.
             * @example Asia/Shanghai
             */
            time_zone: string;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            last_login_at: components["schemas"]["Instant"] | null;
            must_change_password: components["schemas"]["MustChangePassword"];
            /**
             * @description Whether signing in requires a second factor.
             * @example false
             */
            totp_enabled: boolean;
            /**
             * @description Whether the time zone was ever chosen. If not, applications should suggest that of the device.
             * @example true
             */
            timezone_chosen: boolean;
            identity_linked: components["schemas"]["IdentityLinked"];
            /**
             * @description False for an account that has only signed in through the identity provider.
             * @example true
             */
            has_password: boolean;
            locale: components["schemas"]["ChosenLocale"];
            /**
             * Format: int32
             * @description The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks always begin on Monday.
             * @example 1
             */
            week_start: number;
            day_start_hour: components["schemas"]["DayStartHour"];
            rest_weekdays: components["schemas"]["RestWeekdays"];
            daily_goal_minutes: components["schemas"]["DailyGoalMinutes"];
            weekly_goal_minutes: components["schemas"]["WeeklyGoalMinutes"];
            streak_reminder_hour: components["schemas"]["StreakReminderHour"];
            weekly_mail: components["schemas"]["WeeklyMail"];
            /**
             * @description Whether a mail announces new contact requests, for administrators. Needs a mail server.
             * @example false
             */
            new_request_mail: boolean;
            /** @description Up to 5 active administrators of the whole school, for an administrator who is limited to groups. */
            whole_school_admins?: {
                id: components["schemas"]["Id"];
                /** @example He Jing */
                display_name: string;
            }[];
        };
        UpdatedUser: {
            /** @example 7 */
            id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example lin@example.org */
            email: string;
            /** @example Lin Wei */
            display_name: string;
            /**
             * @example user
             * @enum {string}
             */
            role: "admin" | "user";
            /** @enum {string} */
            status: "active" | "inactive";
            admin_scope?: components["schemas"]["AdminScope"];
            /**
             * @description With `admin_scope: groups`.
             * @example [
             *       3
             *     ]
             */
            admin_group_ids?: components["schemas"]["Id"][];
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * @description The same as `timezone`.
             * @example Asia/Shanghai
             */
            time_zone: string;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            last_login_at: components["schemas"]["Instant"] | null;
            must_change_password: components["schemas"]["MustChangePassword"];
            /**
             * @description Whether signing in requires a second factor.
             * @example false
             */
            totp_enabled: boolean;
            /**
             * @description Whether the time zone was ever chosen. If not, applications should suggest that of the device.
             * @example true
             */
            timezone_chosen: boolean;
            identity_linked: components["schemas"]["IdentityLinked"];
            /**
             * @description False for an account that has only signed in through the identity provider.
             * @example true
             */
            has_password: boolean;
            locale: components["schemas"]["ChosenLocale"];
            /**
             * Format: int32
             * @description The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks always begin on Monday.
             * @example 1
             */
            week_start: number;
            day_start_hour: components["schemas"]["DayStartHour"];
            rest_weekdays: components["schemas"]["RestWeekdays"];
            daily_goal_minutes: components["schemas"]["DailyGoalMinutes"];
            weekly_goal_minutes: components["schemas"]["WeeklyGoalMinutes"];
            streak_reminder_hour: components["schemas"]["StreakReminderHour"];
            weekly_mail: components["schemas"]["WeeklyMail"];
            /**
             * @description Whether a mail announces new contact requests, for administrators. Needs a mail server.
             * @example false
             */
            new_request_mail: boolean;
            /**
             * @description The new e-mail address, until the link mailed to it is opened.
             * @example lin.wei@example.org
             */
            pending_email?: string;
        };
        SignIn: {
            /**
             * Format: uuid
             * @example 0b7c9b1e-3f52-4c0e-9a55-6a1d2f0c8e11
             */
            id: string;
            /**
             * @description The User-Agent header of the client, at most 200 characters; clients can send any text.
             * @example Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0
             */
            device: string;
            /**
             * @description The address it was last used from.
             * @example 192.0.2.10
             */
            address: string;
            created_at: components["schemas"]["Instant"];
            /** @description When its tokens were last issued; not updated by every request. */
            last_used_at: components["schemas"]["Instant"];
            /** @description When it ends unless it is refreshed; at the latest 90 days after it was created. */
            expires_at: components["schemas"]["Instant"];
            /** @description Whether this request belongs to it. */
            current: boolean;
        };
        Dashboard: {
            /**
             * Format: date
             * @description Today in the caller's time zone.
             * @example 2026-02-01
             */
            date: string;
            /** @example 1.5 */
            today_hours: number;
            /**
             * @description As in the preferences.
             * @example 90
             */
            daily_goal_minutes: number | null;
            /**
             * @description As in the preferences.
             * @example 420
             */
            weekly_goal_minutes: number | null;
            /**
             * @description Since the first day of the caller's week.
             * @example 7.5
             */
            week_hours: number;
            /**
             * Format: int64
             * @description As in the caller's statistics.
             * @example 12
             */
            current_streak: number;
            /**
             * @description Whether today already counts for the streak.
             * @example true
             */
            studied_today: boolean;
            running_timer: components["schemas"]["RunningTimer"];
            /** @description The five active projects that the caller studied last, latest first. */
            continue: {
                project_id: components["schemas"]["Id"];
                /** @example Linear algebra */
                project_name: string;
                /** @example 12.5 */
                own_hours: number;
                /** @description The end of the caller's latest record. */
                own_last_session: components["schemas"]["Instant"];
            }[];
            /** @description The caller's own goals that are overdue, behind or slowing: owned projects, and assigned ones whose target each user is to reach. The five that are due first, with the caller's hours. */
            goals_at_risk: {
                project_id: components["schemas"]["Id"];
                /** @example Linear algebra */
                project_name: string;
                /**
                 * @description As in the forecast of the project. Later versions may add values.
                 * @example behind
                 * @enum {string}
                 */
                state: "overdue" | "behind" | "slowing";
                /**
                 * @description Later versions may add values.
                 * @enum {string}
                 */
                target_scope: "shared" | "each";
                /**
                 * @description Null for a weekly goal without one.
                 * @example 2026-06-30
                 */
                due_date: string | null;
                /**
                 * @description Including today; 0 after the due date, null without one.
                 * @example 10
                 */
                days_left: number | null;
                /** @example 12 */
                remaining_hours: number;
                /** @example 1.2 */
                required_hours_per_day: number;
            }[];
        };
        /**
         * @description Null if no timer is running.
         * @example {
         *       "etag": "\"1764921600000\"",
         *       "id": 310,
         *       "project_id": 42,
         *       "project_name": "Linear algebra",
         *       "user_id": 7,
         *       "username": "lin",
         *       "started_at": "2026-02-01T08:00:00.000Z",
         *       "ended_at": null,
         *       "duration_seconds": 1260,
         *       "hours": 0.35,
         *       "note": "Chapter 3",
         *       "tags": [
         *         "mock exam"
         *       ],
         *       "source": "timer",
         *       "time_zone": "Asia/Shanghai",
         *       "auto_stopped": false,
         *       "planned_minutes": 50,
         *       "created_at": "2026-02-01T08:00:00.000Z",
         *       "updated_at": "2026-02-01T08:00:00.000Z"
         *     }
         */
        RunningTimer: components["schemas"]["Session"] | null;
        Session: {
            /** @example 310 */
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            /** @example Linear algebra */
            project_name: string;
            /** @example 7 */
            user_id: components["schemas"]["Id"];
            /**
             * @description The author.
             * @example lin
             */
            username: string;
            started_at: components["schemas"]["Instant"];
            /**
             * @description Null while the timer runs.
             * @example 2026-02-01T09:30:00.000Z
             */
            ended_at: components["schemas"]["Instant"] | null;
            /**
             * Format: int64
             * @description For a running timer, up to now.
             * @example 5400
             */
            duration_seconds: number;
            /** @example 1.5 */
            hours: number;
            /** @example Chapter 3 */
            note: string;
            /**
             * @description Of the author; seen by all who see the note.
             * @example [
             *       "mock exam"
             *     ]
             */
            tags: string[];
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            source: "timer" | "manual";
            /**
             * @description The time zone of the author when it was created.
             * @example Asia/Shanghai
             */
            time_zone: string;
            /** @description Whether the service stopped a timer that was left running. */
            auto_stopped: boolean;
            /**
             * @description How long the timer is meant to run; null: open. Reaching it ends nothing.
             * @example 50
             */
            planned_minutes: number | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
        };
        ProjectForecast: {
            project_id: components["schemas"]["Id"];
            forecast: components["schemas"]["Forecast"];
        };
        Forecast: {
            state: components["schemas"]["GoalState"];
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            target_scope: "shared" | "each";
            /**
             * @description Whose hours these are. `caller`: the target is a goal of the caller, or of `user_id`. `all`: all users count towards one target. `average`: each assigned user is to reach the target, and this is their mean. Later versions may add values.
             * @example caller
             * @enum {string}
             */
            hours_of: "caller" | "all" | "average";
            /**
             * Format: date
             * @description The day from which an even pace to the due date counts: that of the creation, or of the first record of these hours, if that is earlier.
             * @example 2026-01-12
             */
            began_on: string;
            /**
             * @description Hours left to the target.
             * @example 27.5
             */
            remaining_hours: number;
            /**
             * @description What an even pace has today, from 0 on `began_on` to the target on the due date; without one, that of the weekly goal, and null without either. Days off are no days of pace and plan, here and below.
             * @example 14
             */
            even_pace_hours: number | null;
            /**
             * @description If `behind`: the hours that are missing to the even pace.
             * @example 0
             */
            behind_hours: number;
            /**
             * @description Days to the due date, including today; 0 after it, null without one.
             * @example 55
             */
            days_left: number | null;
            /**
             * @description Remaining hours divided by days left; without a due date, a seventh of the weekly goal.
             * @example 0.5
             */
            required_hours_per_day: number;
            /**
             * @description Hours per day over the last `pace_days`, on which the projection is based.
             * @example 0.6
             */
            pace_hours_per_day: number;
            /**
             * Format: int32
             * @description 28, or the days since the plan or the study of these days began, but at least 7.
             * @example 28
             */
            pace_days: number;
            /**
             * @description Hours per day over the last 7 days.
             * @example 0.75
             */
            pace_7d: number;
            /**
             * @description Hours per day over the last 28 days.
             * @example 0.6
             */
            pace_28d: number;
            /**
             * @description The day on which the target is reached at `pace_hours_per_day`. Null without study in these days, or if nothing remains or the project is paused.
             * @example 2026-03-19
             */
            projected_completion: string | null;
            /**
             * @description How many days may pass without study before the target is reached too late at this pace. Null without an open plan.
             * @example 0
             */
            safe_days: number | null;
            /**
             * @description The rest of today's even share towards the due date or the weekly goal, whichever is larger; 0 if that is done, or if nothing is asked.
             * @example 0.25
             */
            today_required_hours: number;
            /**
             * @description Which of them asks for it. Null if neither does: without due date and weekly goal, or if the goal is done or paused.
             * @example due_date
             */
            today_reason: ("due_date" | "weekly_goal") | null;
        };
        Channel: {
            /**
             * @description `url` is any other address; it gets JSON, signed as Standard Webhooks say if there is a secret. Later versions may add values.
             * @example feishu
             * @enum {string}
             */
            kind: "ntfy" | "feishu" | "dingtalk" | "wecom" | "url";
            /**
             * @description The address without the part that gives access.
             * @example https://open.feishu.cn/…2a93
             */
            address: string;
            has_secret: boolean;
            /**
             * @description A word that the robot requires in each message; it is added where it is missing.
             * @example 学习
             */
            keyword: string | null;
            /**
             * @description The local hour from which a message warns that the streak ends today; null: no such messages.
             * @example 20
             */
            streak_hour: number | null;
            /**
             * @description Whether a message on the first day of each week summarizes the last one.
             * @example true
             */
            weekly: boolean;
            /**
             * @description For administrators: whether each new contact request is announced.
             * @example false
             */
            new_requests: boolean;
            /** @description When its address, or what it gets, was last set; nothing older is sent to it. */
            since: components["schemas"]["Instant"];
            last_sent_at: components["schemas"]["Instant"] | null;
            /**
             * Format: int64
             * @description Attempts that failed since the last message that arrived.
             * @example 0
             */
            failures: number;
            /**
             * @description Of the latest attempt: the answer of the robot, or why it could not be reached.
             * @example ANSWER_19021
             */
            error_code: string | null;
        };
        PersonalExport: {
            /** @example 3 */
            id: components["schemas"]["Id"];
            /**
             * @description Being created, ready to download, or failed. Later versions may add values.
             * @example ready
             * @enum {string}
             */
            state: "pending" | "ready" | "failed";
            requested_at: components["schemas"]["Instant"];
            finished_at: components["schemas"]["Instant"] | null;
            /** @description When the archive is deleted: one day after it was created. */
            expires_at: components["schemas"]["Instant"] | null;
            /**
             * @description The size of the archive, once it is ready.
             * @example 48213
             */
            bytes: number | null;
        };
        Tag: {
            /** @example mock exam */
            name: string;
            /**
             * Format: int64
             * @description Your records with it.
             * @example 14
             */
            sessions_count: number;
            /** @description When the latest of these records began. */
            last_used_at: components["schemas"]["Instant"] | null;
        };
        PersonalToken: {
            id: components["schemas"]["Id"];
            /**
             * @description The purpose of the token.
             * @example Backup script
             */
            name: string;
            scopes: components["schemas"]["TokenScopes"];
            created_at: components["schemas"]["Instant"];
            expires_at: components["schemas"]["Instant"];
            /** @description Accurate to about a minute; null until its first use. */
            last_used_at: components["schemas"]["Instant"] | null;
        };
        CreatedPersonalToken: {
            id: components["schemas"]["Id"];
            /**
             * @description The purpose of the token.
             * @example Backup script
             */
            name: string;
            scopes: components["schemas"]["TokenScopes"];
            created_at: components["schemas"]["Instant"];
            expires_at: components["schemas"]["Instant"];
            /** @description Accurate to about a minute; null until its first use. */
            last_used_at: components["schemas"]["Instant"] | null;
            /**
             * @description For the Authorization header. Returned only once; empty when the `Idempotency-Key` is repeated.
             * @example studytrack_pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2dQ
             */
            token: string;
        };
        Meta: {
            /** @example 1.1.0 */
            version: string;
            /**
             * @description The language of messages, unless `Accept-Language` requests another. Later versions may add values.
             * @enum {string}
             */
            default_locale: "en" | "zh" | "zh-Hant";
            locales: ("en" | "zh" | "zh-Hant")[];
            /**
             * Format: int64
             * @description The largest `limit` of a list.
             * @example 100
             */
            max_page_size: number;
            /**
             * @description Timers are stopped after this many hours.
             * @example 12
             */
            max_timer_hours: number;
            /**
             * @description Which users must have a second factor. Later versions may add values.
             * @enum {string}
             */
            require_otp: "none" | "admin" | "all";
            /** @description Whether the service sends mail, so that users can change their address. */
            mail: boolean;
            /**
             * @description The weekdays of lessons, from 1 (Monday).
             * @example [
             *       1,
             *       2,
             *       3,
             *       4,
             *       5
             *     ]
             */
            school_weekdays: number[];
            /**
             * @description Days after which data are removed, and accounts that nobody uses are deactivated; `null`: not by themselves.
             * @example {
             *       "audit_log": 730,
             *       "addresses": 90,
             *       "contact_requests": null,
             *       "accounts": 730
             *     }
             */
            retention_days: {
                audit_log: number | null;
                addresses: number | null;
                contact_requests: number | null;
                accounts: number | null;
            };
            /**
             * @description The palette of `color` of projects: fills on light and on dark ground.
             * @example [
             *       {
             *         "color": 1,
             *         "name": "cobalt",
             *         "light": "#5470cc",
             *         "dark": "#737cce"
             *       }
             *     ]
             */
            colors: {
                /** Format: int64 */
                color: number;
                name: string;
                light: string;
                dark: string;
            }[];
            /**
             * @description Other origins that images come from, for a Content-Security-Policy.
             * @example []
             */
            image_origins: string[];
            /**
             * @description Limits of request fields, by operation id. Lengths are in code points.
             * @example {
             *       "createProject": {
             *         "name": {
             *           "min_length": 2,
             *           "max_length": 50
             *         }
             *       }
             *     }
             */
            limits: {
                [key: string]: {
                    [key: string]: {
                        min_length?: number;
                        max_length?: number;
                        minimum?: number;
                        maximum?: number;
                        min_items?: number;
                        max_items?: number;
                    };
                };
            };
            /**
             * @description The maximum file size in bytes, by operation id.
             * @example {
             *       "uploadProjectImage": 5242880
             *     }
             */
            upload_bytes: {
                [key: string]: number;
            };
        };
        Project: {
            id: components["schemas"]["Id"];
            /** @example Linear algebra */
            name: string;
            /** @example Vectors, matrices, proofs */
            description: string;
            /** @enum {string} */
            status: "active" | "completed" | "paused";
            /** @enum {string} */
            category: "academic" | "skill" | "hobby" | "other";
            /** @example 40 */
            target_hours: number;
            /** @example 12.5 */
            current_hours: number;
            /** @example 31.25 */
            progress: number;
            /** @enum {string} */
            rating_standard: "excellent" | "good" | "normal";
            /**
             * @description The day by which the target should be reached.
             * @example 2026-06-30
             */
            due_date: string | null;
            /**
             * @description The target hours per week.
             * @example 5
             */
            weekly_goal_hours: number | null;
            target_scope: components["schemas"]["TargetScope"];
            color: components["schemas"]["ProjectColor"];
            /**
             * @description The part of `current_hours` studied by the caller.
             * @example 4.5
             */
            own_hours: number;
            /**
             * @description The caller's own hours in percent of the target, at most 100; 0 without a target.
             * @example 11.25
             */
            own_progress: number;
            /** @description The end of the caller's latest finished record. */
            own_last_session: components["schemas"]["Instant"] | null;
            /** @description The path of the cover image; absent if there is none. */
            image?: string;
            /**
             * @description The creator, who owns the project.
             * @example 1
             */
            user_id: components["schemas"]["Id"];
            /**
             * @deprecated
             * @description Deprecated: use `assigned_user_ids`, whose first it is.
             * @example 7
             */
            assigned_user_id: components["schemas"]["Id"] | null;
            /**
             * @description All assigned users for the owner and administrators; others see at most themselves.
             * @example [
             *       7,
             *       9
             *     ]
             */
            assigned_user_ids: components["schemas"]["Id"][];
            /**
             * @description The number of assigned users; null for assigned users if there are fewer than five.
             * @example 2
             */
            members_count: number | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
        };
        ProjectDetail: {
            id: components["schemas"]["Id"];
            /** @example Linear algebra */
            name: string;
            /** @example Vectors, matrices, proofs */
            description: string;
            /** @enum {string} */
            status: "active" | "completed" | "paused";
            /** @enum {string} */
            category: "academic" | "skill" | "hobby" | "other";
            /** @example 40 */
            target_hours: number;
            /** @example 12.5 */
            current_hours: number;
            /** @example 31.25 */
            progress: number;
            /** @enum {string} */
            rating_standard: "excellent" | "good" | "normal";
            /**
             * @description The day by which the target should be reached.
             * @example 2026-06-30
             */
            due_date: string | null;
            /**
             * @description The target hours per week.
             * @example 5
             */
            weekly_goal_hours: number | null;
            target_scope: components["schemas"]["TargetScope"];
            color: components["schemas"]["ProjectColor"];
            /**
             * @description The part of `current_hours` studied by the caller.
             * @example 4.5
             */
            own_hours: number;
            /**
             * @description The caller's own hours in percent of the target, at most 100; 0 without a target.
             * @example 11.25
             */
            own_progress: number;
            /** @description The end of the caller's latest finished record. */
            own_last_session: components["schemas"]["Instant"] | null;
            /** @description The path of the cover image; absent if there is none. */
            image?: string;
            /**
             * @description The creator, who owns the project.
             * @example 1
             */
            user_id: components["schemas"]["Id"];
            /**
             * @deprecated
             * @description Deprecated: use `assigned_user_ids`, whose first it is.
             * @example 7
             */
            assigned_user_id: components["schemas"]["Id"] | null;
            /**
             * @description All assigned users for the owner and administrators; others see at most themselves.
             * @example [
             *       7,
             *       9
             *     ]
             */
            assigned_user_ids: components["schemas"]["Id"][];
            /**
             * @description The number of assigned users; null for assigned users if there are fewer than five.
             * @example 2
             */
            members_count: number | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
            /**
             * Format: int64
             * @description Finished records.
             * @example 9
             */
            sessions_count: number;
            /** @description The end of the latest finished record. */
            last_session: components["schemas"]["Instant"] | null;
            achievements: {
                /** @example 1 */
                id: components["schemas"]["Id"];
                /** @example First step */
                name: string;
                /** @example Complete the first study record. */
                description: string;
                /**
                 * @description The path of the picture.
                 * @example /achievements/first_record.svg
                 */
                icon: string;
                earned_at: components["schemas"]["Instant"];
            }[];
        };
        Assignment: {
            /** @example 7 */
            user_id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            assigned_at: components["schemas"]["Instant"];
        };
        Member: {
            /** @example 7 */
            user_id: components["schemas"]["Id"];
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /** @description Null for a user who is no longer assigned. */
            assigned_at: components["schemas"]["Instant"] | null;
            /** @example true */
            active_assignment: boolean;
            /**
             * Format: int64
             * @example 9
             */
            sessions_count: number;
            /** @example 12.5 */
            hours: number;
            /**
             * @description The user's own hours in percent of the target: 100 only if it is reached; null without a target.
             * @example 31.25
             */
            progress: number | null;
            last_session: components["schemas"]["Instant"] | null;
        };
        Statistics: {
            /**
             * Format: int64
             * @example 5
             */
            total_sessions: number;
            /** @example 7.5 */
            total_hours: number;
            /** @example 1.5 */
            average_session_length: number;
            /** @example 2.25 */
            longest_session: number;
            /** @example 0.5 */
            shortest_session: number;
            /**
             * Format: int64
             * @description Local days with study, by records of a minute or more; as for streaks.
             * @example 4
             */
            study_days: number;
            /**
             * Format: int64
             * @description Consecutive days up to today or yesterday. For an inactive project, as of the day it became inactive. Days of a pause, and days of rest without study, neither break nor extend a streak.
             * @example 2
             */
            current_streak: number;
            /**
             * Format: int64
             * @example 3
             */
            longest_streak: number;
            /**
             * @description 100 if completed, otherwise the progress.
             * @example 31.25
             */
            completion_rate: number;
            /** @description ISO weeks up to the current one, oldest first. */
            weekly_progress: {
                /** @example 2026-W05 */
                week: string;
                /** @example 7.5 */
                hours: number;
            }[];
            /** @description The last 371 days, or those of the period, oldest first; empty with `daily=false`. */
            daily: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                date: string;
                /** @example 1.5 */
                hours: number;
            }[];
            /**
             * Format: date
             * @description With `from`: the period of totals and lists.
             * @example 2026-02-01
             */
            from?: string;
            /**
             * Format: date
             * @example 2026-02-01
             */
            to?: string;
            /**
             * @description Without days to come.
             * @example 0.5
             */
            average_hours_per_day?: number;
            /**
             * Format: int64
             * @description The days that count, those to come left out.
             * @example 7
             */
            days?: number;
            /**
             * Format: int64
             * @description Those of them with lessons, without excused days.
             * @example 5
             */
            school_days?: number;
            /** @description With `from`: whether the period is not over. */
            is_running?: boolean;
            /** @description With `compare` or `other_from`, the other period; otherwise null. While the first one is not over, the same part of it counts: up to the same time on the same day, by the clock of the calendar. */
            previous?: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                from: string;
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                to: string;
                /**
                 * Format: int64
                 * @example 5
                 */
                total_sessions: number;
                /** @example 1.5 */
                total_hours: number;
                /**
                 * Format: int64
                 * @example 5
                 */
                study_days: number;
                /**
                 * @description Without days to come.
                 * @example 0.5
                 */
                average_hours_per_day: number;
                /**
                 * Format: int64
                 * @description The days that count, those to come left out.
                 * @example 7
                 */
                days: number;
                /**
                 * Format: int64
                 * @description Those of them with lessons, without excused days.
                 * @example 5
                 */
                school_days: number;
            } | null;
        };
        BatchAssignResult: {
            /**
             * Format: int64
             * @description Pairs that are now as requested.
             * @example 1
             */
            assigned_count: number;
            /**
             * Format: int64
             * @description Pairs that could not be processed.
             * @example 1
             */
            failed_count: number;
            details: {
                /** @example 1 */
                project_id: components["schemas"]["Id"];
                /** @example Linear algebra */
                project_name: string;
                assigned_users: {
                    /** @example 7 */
                    user_id: components["schemas"]["Id"];
                    /** @example lin */
                    username: string;
                    /**
                     * @description Later versions may add values.
                     * @enum {string}
                     */
                    status: "assigned" | "already_assigned" | "removed" | "not_assigned";
                }[];
            }[];
            failures: {
                /** @example 2 */
                project_id: components["schemas"]["Id"];
                /**
                 * @description Null if the project does not exist and no users were given.
                 * @example 7
                 */
                user_id: number | null;
                /**
                 * @description Later versions may add values.
                 * @enum {string}
                 */
                code: "PROJECT_NOT_FOUND" | "USER_NOT_FOUND" | "USER_INACTIVE" | "USER_IS_ADMIN" | "USER_BUSY" | "OUT_OF_SCOPE";
                /** @example There is no such project. */
                message: string;
            }[];
        };
        ReportLink: {
            id: components["schemas"]["Id"];
            /** @description The student. */
            user_id: components["schemas"]["Id"];
            /** @example Lin */
            display_name: string;
            /**
             * Format: date
             * @example 2026-02-01
             */
            from: string;
            /**
             * Format: date
             * @example 2026-02-01
             */
            to: string;
            /**
             * @description The name of the administrator.
             * @example Ms Chen
             */
            created_by: string;
            created_at: components["schemas"]["Instant"];
            expires_at: components["schemas"]["Instant"];
            /** @description Accurate to about a minute; null if it was never opened. */
            last_used_at: components["schemas"]["Instant"] | null;
        };
        StudentReport: {
            /** @example Lin */
            display_name: string;
            /**
             * @description For administrators; empty for the student.
             * @example [
             *       "Class 3b"
             *     ]
             */
            groups: string[];
            /**
             * Format: date
             * @example 2026-02-01
             */
            from: string;
            /**
             * Format: date
             * @example 2026-02-01
             */
            to: string;
            /**
             * Format: int64
             * @description The length of the period.
             * @example 12
             */
            days: number;
            /** @example 12.5 */
            total_hours: number;
            /** @example 12.5 */
            hours_per_week: number;
            /**
             * Format: int64
             * @example 12
             */
            study_days: number;
            /** @description Whether the period is not over. */
            is_running: boolean;
            /**
             * Format: int64
             * @description Days with lessons, those to come and excused ones left out.
             * @example 12
             */
            school_days: number;
            /**
             * @description In the period of the same length before; while the period is not over, in the same part of it.
             * @example 12.5
             */
            previous_hours: number;
            /**
             * Format: int64
             * @description Days with lessons in that part, without excused ones.
             * @example 12
             */
            previous_school_days: number;
            /** @description At most 12: those with the most hours in the period, then other active ones. */
            projects: {
                /** @example Linear algebra */
                name: string;
                /**
                 * @description In the period.
                 * @example 12.5
                 */
                hours: number;
                /**
                 * @description Of all time.
                 * @example 12.5
                 */
                total_hours: number;
                /**
                 * @description Null without a target.
                 * @example 40
                 */
                target_hours: number | null;
                /** @description Whether the target is that of all users together. */
                is_shared_target: boolean;
                /**
                 * @description In percent of the target, 100 only if it is reached; null without a target, and for one of all users.
                 * @example 31.25
                 */
                progress: number | null;
                due_date: string | null;
                /** @description Of the goal today, whatever the period; null if the student is not to reach a target alone. */
                state: components["schemas"]["GoalState"] | null;
            }[];
            /**
             * Format: int64
             * @description Projects that are not listed.
             * @example 12
             */
            more_projects: number;
            /** @description The weeks of the period, by the preference of the student. */
            weekly: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                first_day: string;
                /** @example 12.5 */
                hours: number;
            }[];
        };
        CreatedReportLink: {
            id: components["schemas"]["Id"];
            /** @description The student. */
            user_id: components["schemas"]["Id"];
            /** @example Lin */
            display_name: string;
            /**
             * Format: date
             * @example 2026-02-01
             */
            from: string;
            /**
             * Format: date
             * @example 2026-02-01
             */
            to: string;
            /**
             * @description The name of the administrator.
             * @example Ms Chen
             */
            created_by: string;
            created_at: components["schemas"]["Instant"];
            expires_at: components["schemas"]["Instant"];
            /** @description Accurate to about a minute; null if it was never opened. */
            last_used_at: components["schemas"]["Instant"] | null;
            /**
             * @description Anyone who knows it sees the report. Returned only once; empty when the `Idempotency-Key` is repeated.
             * @example https://study.example.org/reports/shared#pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d
             */
            secret_url: string;
        };
        SchoolYear: {
            /** @description In the order of their days. */
            terms: {
                /** @example Autumn term */
                name: string;
                /**
                 * Format: date
                 * @example 2026-10-01
                 */
                from: string;
                /**
                 * Format: date
                 * @example 2026-10-07
                 */
                to: string;
            }[];
            /** @description Days that are not ordinary, in their order; they do not overlap. */
            days: {
                /**
                 * Format: date
                 * @example 2026-10-01
                 */
                from: string;
                /**
                 * Format: date
                 * @example 2026-10-07
                 */
                to: string;
                /**
                 * @description `off`: nothing is expected. `excused`: the same, for this person. `school_day`: also on a rest day. Later versions may add values.
                 * @enum {string}
                 */
                kind: "off" | "excused" | "school_day";
                /**
                 * @description Of the entry, or the reason.
                 * @example National Day
                 */
                name: string;
            }[];
        };
        ImportReading: {
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            field: "project" | "note" | "start" | "end" | "date" | "start_date" | "start_time" | "end_date" | "end_time" | "duration" | "email" | "tags";
            column: string;
            written: string;
            read: string;
            /**
             * @description The order by which it was read. Later versions may add values.
             * @enum {string}
             */
            date_order?: "month_first" | "day_first" | "year_first";
            /**
             * @description The unit with which it was read. Later versions may add values.
             * @enum {string}
             */
            duration_unit?: "hours" | "minutes" | "seconds" | "milliseconds";
        };
        ImportError: {
            /**
             * Format: int64
             * @description The row number as in a spreadsheet; the header is row 1.
             */
            row: number;
            field: string;
            message: string;
            /**
             * Format: int64
             * @description The row that it overlaps.
             */
            other_row?: number;
            /** @description The record that it overlaps. */
            session_id?: components["schemas"]["Id"];
        };
        ImportNotice: {
            /**
             * Format: int64
             * @description The row number as in a spreadsheet; the header is row 1.
             */
            row: number;
            field: string;
            message: string;
            /**
             * Format: int64
             * @description The row that it overlaps.
             */
            other_row?: number;
            /** @description The record that it overlaps. */
            session_id?: components["schemas"]["Id"];
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            action: "left_out" | "skipped" | "trimmed" | "moved" | "shortened";
            /** @description The new start of a trimmed or moved row. */
            started_at?: components["schemas"]["Instant"];
        };
        ImportedProject: {
            /** @description Null for a project that is created. */
            project_id: components["schemas"]["Id"] | null;
            project_name: string;
            /** Format: int64 */
            sessions: number;
            started_at: components["schemas"]["Instant"];
            ended_at: components["schemas"]["Instant"];
            hours: number;
        };
        ImportedSession: {
            /** Format: int64 */
            row: number;
            /** @description Null for a project that is created. */
            project_id: components["schemas"]["Id"] | null;
            project_name: string;
            started_at: components["schemas"]["Instant"];
            ended_at: components["schemas"]["Instant"];
            hours: number;
            tags?: string[];
        };
        /**
         * @example {
         *       "id": 12,
         *       "dry_run": false,
         *       "state": "done",
         *       "rows": 120,
         *       "processed": 120,
         *       "imported": 118,
         *       "created_at": "2026-02-01T08:00:00.000Z",
         *       "finished_at": "2026-02-01T08:00:01.000Z",
         *       "report": {
         *         "rows": 120,
         *         "valid": 117,
         *         "duplicates": 2,
         *         "overlaps": 1,
         *         "skipped": 1,
         *         "trimmed": 1,
         *         "moved": 0,
         *         "invalid": 0,
         *         "created_projects": 0,
         *         "left_out": 0,
         *         "shortened": 0,
         *         "other_durations": 3,
         *         "date_order": "month_first",
         *         "date_order_guessed": false,
         *         "duration_unit": "hours",
         *         "duration_unit_asked": false,
         *         "columns": {
         *           "project": "Project",
         *           "start_date": "Start date",
         *           "start_time": "Start time",
         *           "duration": "Duration (h)"
         *         },
         *         "file_columns": [
         *           {
         *             "name": "Project",
         *             "example": "Linear algebra"
         *           },
         *           {
         *             "name": "Start date",
         *             "example": "07/14/26"
         *           },
         *           {
         *             "name": "Start time",
         *             "example": "09:00"
         *           },
         *           {
         *             "name": "Duration (h)",
         *             "example": "1.5"
         *           },
         *           {
         *             "name": "Billable",
         *             "example": "No"
         *           }
         *         ],
         *         "unread_columns": [
         *           "Billable"
         *         ],
         *         "readings": [
         *           {
         *             "field": "start_date",
         *             "column": "Start date",
         *             "written": "07/14/26",
         *             "read": "14 July 2026, month first",
         *             "date_order": "month_first"
         *           },
         *           {
         *             "field": "duration",
         *             "column": "Duration (h)",
         *             "written": "1.5",
         *             "read": "1 hour 30 minutes",
         *             "duration_unit": "hours"
         *           }
         *         ],
         *         "hours": 152.5,
         *         "imported": 117,
         *         "errors": [],
         *         "notices": [
         *           {
         *             "row": 14,
         *             "action": "trimmed",
         *             "field": "started_at",
         *             "message": "overlaps row 13",
         *             "other_row": 13,
         *             "started_at": "2026-02-01T09:30:00.000Z"
         *           },
         *           {
         *             "row": 31,
         *             "action": "skipped",
         *             "field": "started_at",
         *             "message": "overlaps your record 310",
         *             "session_id": 310
         *           }
         *         ],
         *         "projects": [
         *           {
         *             "project_id": 42,
         *             "project_name": "Linear algebra",
         *             "sessions": 117,
         *             "hours": 152.5,
         *             "started_at": "2026-02-01T08:00:00.000Z",
         *             "ended_at": "2026-03-29T18:00:00.000Z"
         *           }
         *         ],
         *         "sessions": []
         *       },
         *       "error": null
         *     }
         */
        SessionImport: {
            id: components["schemas"]["Id"];
            dry_run: boolean;
            /**
             * @description `failed`: nothing was written; `undone`: written sessions were deleted again, after a failure or on request. The last three states are final. Later versions may add values.
             * @enum {string}
             */
            state: "checking" | "writing" | "undoing" | "done" | "failed" | "undone";
            /**
             * Format: int64
             * @description Rows of the file; while it is checked, those read so far.
             */
            rows: number;
            /**
             * Format: int64
             * @description Rows that have been written or left out.
             */
            processed: number;
            /**
             * Format: int64
             * @description Sessions that the import has added.
             */
            imported: number;
            created_at: components["schemas"]["Instant"];
            finished_at: components["schemas"]["Instant"] | null;
            /** @description Null until the file has been checked. */
            report: {
                /** Format: int64 */
                rows: number;
                /**
                 * Format: int64
                 * @description Rows to import, including trimmed ones.
                 */
                valid: number;
                /**
                 * Format: int64
                 * @description Rows that already exist or are repeated in the file; left out.
                 */
                duplicates: number;
                /**
                 * Format: int64
                 * @description Rows rejected or skipped because they overlap.
                 */
                overlaps: number;
                /**
                 * Format: int64
                 * @description Rows left out because they overlap.
                 */
                skipped: number;
                /** Format: int64 */
                trimmed: number;
                /**
                 * Format: int64
                 * @description Rows that `stack` lets begin later.
                 */
                moved: number;
                /**
                 * Format: int64
                 * @description Rows with an error other than an overlap.
                 */
                invalid: number;
                /** Format: int64 */
                created_projects: number;
                /**
                 * Format: int64
                 * @description Rows of other people, and of projects that `project_map` leaves out.
                 */
                left_out: number;
                /**
                 * Format: int64
                 * @description Rows whose project name, note or tags are shortened to their maximum length, or with more than five tags.
                 */
                shortened: number;
                /**
                 * Format: int64
                 * @description Rows whose duration differs from the time between their start and end by a minute or more: start and end count.
                 */
                other_durations: number;
                /** @description The headers of the columns in use. */
                columns: {
                    [key: string]: string;
                };
                /** @description The columns of the file that have a name, each with its cell in the first row. */
                file_columns: components["schemas"]["FileColumn"][];
                /** @description The headers of columns that are not read, and the letters, such as `(C)`, of columns with values but no header. */
                unread_columns: string[];
                /** @description How dates, times and durations were read: an example of each way in which a column has them. */
                readings: components["schemas"]["ImportReading"][];
                /**
                 * @description Later versions may add values.
                 * @enum {string}
                 */
                date_order: "month_first" | "day_first" | "year_first";
                /** @description Whether the dates of the file can be read in several orders. */
                date_order_guessed: boolean;
                /** @description The unit of durations without a unit, such as 90; null if it is not known. */
                duration_unit: ("hours" | "minutes" | "seconds" | "milliseconds") | null;
                /** @description Whether rows have errors because their durations have no unit: send `duration_unit`. */
                duration_unit_asked: boolean;
                /** @description Total of the valid rows. */
                hours: number;
                /** Format: int64 */
                imported: number;
                /** @description Why the file is rejected; the first 100. */
                errors: components["schemas"]["ImportError"][];
                /** @description Rows that are not imported unchanged; the first 100. */
                notices: components["schemas"]["ImportNotice"][];
                /** @description The valid rows by project, the first 100 by hours. */
                projects: components["schemas"]["ImportedProject"][];
                /** @description For a dry run, the first 100 records that would be imported. */
                sessions: components["schemas"]["ImportedSession"][];
            } | null;
            /** @description Why it failed: the error of the response to its request. */
            error: {
                code: components["schemas"]["ErrorCode"];
                message: string;
                details: {
                    field: string;
                    message: string;
                    /** @description The columns of the file that have a name, each with its cell in the first row. */
                    file_columns?: components["schemas"]["FileColumn"][];
                }[];
            } | null;
        };
        PersonalStatistics: {
            /**
             * Format: int64
             * @example 5
             */
            total_sessions: number;
            /** @example 7.5 */
            total_hours: number;
            /** @example 1.5 */
            average_session_length: number;
            /** @example 2.25 */
            longest_session: number;
            /** @example 0.5 */
            shortest_session: number;
            /**
             * Format: int64
             * @description Local days with study, by records of a minute or more; as for streaks.
             * @example 4
             */
            study_days: number;
            /**
             * Format: int64
             * @description Consecutive days up to today or yesterday. For an inactive project, as of the day it became inactive. Days of a pause, and days of rest without study, neither break nor extend a streak.
             * @example 2
             */
            current_streak: number;
            /**
             * Format: int64
             * @example 3
             */
            longest_streak: number;
            /**
             * @description Mean progress of the active projects with a target, own and assigned.
             * @example 31.25
             */
            completion_rate: number;
            /** @description ISO weeks up to the current one, oldest first. */
            weekly_progress: {
                /** @example 2026-W05 */
                week: string;
                /** @example 7.5 */
                hours: number;
            }[];
            /** @description The last 371 days, or those of the period, oldest first; empty with `daily=false`. */
            daily: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                date: string;
                /** @example 1.5 */
                hours: number;
            }[];
            /**
             * Format: date
             * @description With `from`: the period of totals and lists.
             * @example 2026-02-01
             */
            from?: string;
            /**
             * Format: date
             * @example 2026-02-01
             */
            to?: string;
            /**
             * @description Without days to come.
             * @example 0.5
             */
            average_hours_per_day?: number;
            /**
             * Format: int64
             * @description The days that count, those to come left out.
             * @example 7
             */
            days?: number;
            /**
             * Format: int64
             * @description Those of them with lessons, without excused days.
             * @example 5
             */
            school_days?: number;
            /** @description With `from`: whether the period is not over. */
            is_running?: boolean;
            /** @description With `compare` or `other_from`, the other period; otherwise null. While the first one is not over, the same part of it counts: up to the same time on the same day, by the clock of the calendar. */
            previous?: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                from: string;
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                to: string;
                /**
                 * Format: int64
                 * @example 5
                 */
                total_sessions: number;
                /** @example 1.5 */
                total_hours: number;
                /**
                 * Format: int64
                 * @example 5
                 */
                study_days: number;
                /**
                 * @description Without days to come.
                 * @example 0.5
                 */
                average_hours_per_day: number;
                /**
                 * Format: int64
                 * @description The days that count, those to come left out.
                 * @example 7
                 */
                days: number;
                /**
                 * Format: int64
                 * @description Those of them with lessons, without excused days.
                 * @example 5
                 */
                school_days: number;
                by_project: {
                    project_id: components["schemas"]["Id"];
                    /** @example Linear algebra */
                    project_name: string;
                    /** @example 1.5 */
                    hours: number;
                    /** @enum {string} */
                    category: "academic" | "skill" | "hobby" | "other";
                    /**
                     * Format: int32
                     * @example 6
                     */
                    color: number;
                }[];
            } | null;
            /** @example 1.5 */
            today_hours: number;
            /**
             * @description Since the first day of the week, Monday by default.
             * @example 7.5
             */
            week_hours: number;
            by_category: {
                /** @enum {string} */
                category: "academic" | "skill" | "hobby" | "other";
                /** @example 7.5 */
                hours: number;
            }[];
            /** @description The 20 projects with the most hours, including deleted ones, whose records still count. */
            by_project: {
                project_id: components["schemas"]["Id"];
                /** @example Linear algebra */
                project_name: string;
                /** @example 1.5 */
                hours: number;
                /** @enum {string} */
                category: "academic" | "skill" | "hobby" | "other";
                /**
                 * Format: int32
                 * @example 6
                 */
                color: number;
            }[];
            running_timer: components["schemas"]["RunningTimer"];
            /** @description With `from`: the most hours first. A record with several tags counts for each of them, so that the sum may exceed `tagged_hours`; `previous_hours` are those of `previous`. */
            by_tag?: {
                /** @example mock exam */
                tag: string;
                /** @example 1.5 */
                hours: number;
                previous_hours: number | null;
            }[];
            /**
             * @description With `from`: of records with tags.
             * @example 1.5
             */
            tagged_hours?: number;
            /**
             * @description With `from`: of records without tags.
             * @example 1.5
             */
            untagged_hours?: number;
            /** @description With `from`: weeks by the user's preference, with the projects of `by_project`. */
            weekly?: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                first_day: string;
                /** @example 1.5 */
                hours: number;
                by_project: {
                    project_id: components["schemas"]["Id"];
                    /** @example Linear algebra */
                    project_name: string;
                    /** @example 1.5 */
                    hours: number;
                }[];
            }[];
            /** @description With `from`: hours with study, by weekday and local hour. */
            by_hour?: {
                /**
                 * Format: int32
                 * @description Of the day of study, from 1 for Monday.
                 */
                weekday: number;
                /**
                 * Format: int32
                 * @description The local hour.
                 */
                hour: number;
                /** @example 1.5 */
                hours: number;
            }[];
        };
        /**
         * @example {
         *       "etag": "\"1764921600000\"",
         *       "id": 310,
         *       "project_id": 42,
         *       "project_name": "Linear algebra",
         *       "user_id": 7,
         *       "username": "lin",
         *       "started_at": "2026-02-01T08:00:00.000Z",
         *       "ended_at": null,
         *       "duration_seconds": 0,
         *       "hours": 0,
         *       "note": "Chapter 3",
         *       "tags": [
         *         "mock exam"
         *       ],
         *       "source": "timer",
         *       "time_zone": "Asia/Shanghai",
         *       "auto_stopped": false,
         *       "planned_minutes": 50,
         *       "created_at": "2026-02-01T08:00:00.000Z",
         *       "updated_at": "2026-02-01T08:00:00.000Z",
         *       "stopped": null
         *     }
         */
        StartedTimer: {
            /** @example 310 */
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            /** @example Linear algebra */
            project_name: string;
            /** @example 7 */
            user_id: components["schemas"]["Id"];
            /**
             * @description The author.
             * @example lin
             */
            username: string;
            started_at: components["schemas"]["Instant"];
            /**
             * @description Null while the timer runs.
             * @example 2026-02-01T09:30:00.000Z
             */
            ended_at: components["schemas"]["Instant"] | null;
            /**
             * Format: int64
             * @description For a running timer, up to now.
             * @example 5400
             */
            duration_seconds: number;
            /** @example 1.5 */
            hours: number;
            /** @example Chapter 3 */
            note: string;
            /**
             * @description Of the author; seen by all who see the note.
             * @example [
             *       "mock exam"
             *     ]
             */
            tags: string[];
            /**
             * @description Later versions may add values.
             * @enum {string}
             */
            source: "timer" | "manual";
            /**
             * @description The time zone of the author when it was created.
             * @example Asia/Shanghai
             */
            time_zone: string;
            /** @description Whether the service stopped a timer that was left running. */
            auto_stopped: boolean;
            /**
             * @description How long the timer is meant to run; null: open. Reaching it ends nothing.
             * @example 50
             */
            planned_minutes: number | null;
            created_at: components["schemas"]["Instant"];
            updated_at: components["schemas"]["Instant"];
            etag: components["schemas"]["ETag"];
            /** @description The timer that was running on another project. */
            stopped: components["schemas"]["Session"] | null;
        };
    };
    responses: {
        /** @description OK. */
        AdvanceContactRequest: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The contact request was updated. */
                    message: string;
                    data: {
                        id: components["schemas"]["Id"];
                        /** @example 林小雨 */
                        name: string;
                        /** @example lin@example.org */
                        email: string;
                        /**
                         * @example reviewed
                         * @enum {string}
                         */
                        status: "pending" | "reviewed" | "resolved";
                        /** @example Account created on Monday. */
                        admin_note: string | null;
                        updated_at: components["schemas"]["Instant"];
                    };
                };
            };
        };
        /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description OK. */
        BrowserSignIn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example Signed in. */
                    message: string;
                    data: components["schemas"]["BrowserSignIn"];
                };
            };
        };
        /** @description CONFLICT: The current state does not allow it. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
        ConflictOrIdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description CONFLICT, LAST_ADMIN: The current state does not allow it. */
        ConflictOrLastAdmin: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description CONFLICT, PROJECT_NOT_ACTIVE, SESSION_OVERLAP, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
        ConflictOrProjectNotActiveOrSessionOverlapOrIdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
        ContactBadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContactError"];
            };
        };
        /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
        ContactForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContactError"];
            };
        };
        /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
        ContactInternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContactError"];
            };
        };
        /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
        ContactNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContactError"];
            };
        };
        /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
        ContactTooManyRequests: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContactError"];
            };
        };
        /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
        ContactUnauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContactError"];
            };
        };
        /** @description VALIDATION_ERROR, PRECONDITION_FAILED, PAYLOAD_TOO_LARGE: A parameter, the body or a file is invalid; all invalid fields are named at once. */
        ContactValidationErrorOrPreconditionFailedOrPayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContactError"];
            };
        };
        /** @description OK. */
        DeleteContactRequest: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example OK */
                    message: string;
                };
            };
        };
        /** @description OK. */
        DeleteDaysOffOfUser: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The days off were deleted. */
                    message: string;
                    data?: components["schemas"]["EffectOfDays"];
                };
            };
        };
        /** @description OK. */
        Done: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example OK */
                    message: string;
                };
            };
        };
        /** @description With `dry_run`: what would change. */
        ExcuseUser: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The days off were added. */
                    message: string;
                    data: components["schemas"]["DaysOff"] | components["schemas"]["EffectOfDays"];
                };
            };
        };
        /** @description OK. */
        ExportContactRequests: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "text/csv": string;
            };
        };
        /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description OK. */
        GetMe: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example OK */
                    message: string;
                    data: components["schemas"]["OwnAccount"];
                };
            };
        };
        /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description OK. */
        InviteUser: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The link was mailed to the user. */
                    message: string;
                    data: components["schemas"]["AccountLink"];
                };
            };
        };
        /** @description LAST_ADMIN: The current state does not allow it. */
        LastAdmin: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description OK. */
        ListDaysOffOfUser: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example OK */
                    message: string;
                    data: components["schemas"]["DaysOffList"];
                };
            };
        };
        /** @description OK. */
        ListProjectSessions: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example OK */
                    message: string;
                    data: {
                        sessions: components["schemas"]["Session"][];
                        pagination: components["schemas"]["Pagination"];
                        /**
                         * @description Only if more records match than `total`, which counts up to 10000 if all records are searched for a word. `from` and `to` show the others.
                         * @constant
                         */
                        total_is_minimum?: true;
                    };
                };
            };
        };
        /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Not modified: `If-None-Match` names the current state. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description PAYLOAD_TOO_LARGE: The body is too large. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description PERMISSION_DENIED: The caller may not do this, or must change a one-time password or enable a second factor first. */
        PermissionDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
        PermissionDeniedOrPasswordChangeRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description PRECONDITION_FAILED: It has changed since it was read; nothing was done. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description PROJECT_NOT_ACTIVE, SESSION_OVERLAP, TIMER_RUNNING: The current state does not allow it. */
        ProjectNotActiveOrSessionOverlapOrTimerRunning: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Received. Every status except 2xx is a failure, and the delivery is retried. */
        Received: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description OK. */
        RenameTag: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The tag was renamed. */
                    message: string;
                    data: components["schemas"]["Tag"];
                };
            };
        };
        /** @description OK. */
        SaveChannel: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The channel was saved. */
                    message: string;
                    data: components["schemas"]["Channel"];
                };
            };
        };
        /** @description OK. */
        SaveStudentNote: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The note was saved. */
                    message: string;
                    data: components["schemas"]["StudentNote"] | null;
                };
            };
        };
        /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
        TooManyRequests: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description UNAUTHORIZED, OTP_REQUIRED: The token is missing, invalid or expired. */
        UnauthorizedOrOtpRequired: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description OK. */
        UpdateDaysOffOfUser: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The days off were changed. */
                    message: string;
                    data: components["schemas"]["DaysOff"] | components["schemas"]["EffectOfDays"];
                };
            };
        };
        /** @description OK. */
        UpdateGroup: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The group was updated. */
                    message: string;
                    data: components["schemas"]["GroupWithMembers"];
                };
            };
        };
        /** @description OK. */
        UpdateMe: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example Your account was updated. */
                    message: string;
                    data: components["schemas"]["UpdatedUser"];
                };
            };
        };
        /** @description OK. */
        UpdateProject: {
            headers: {
                ETag: components["headers"]["ETag"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The project was updated. */
                    message: string;
                    data: components["schemas"]["Project"];
                };
            };
        };
        /** @description OK. */
        UpdateSchoolDay: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The days were changed. */
                    message: string;
                    data: components["schemas"]["SchoolDay"] | components["schemas"]["EffectOfDays"];
                };
            };
        };
        /** @description OK. */
        UpdateSession: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The study record was updated. */
                    message: string;
                    data: components["schemas"]["Session"];
                };
            };
        };
        /** @description OK. */
        UpdateTerm: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The term was changed. */
                    message: string;
                    data: components["schemas"]["Term"] | components["schemas"]["EffectOfDays"];
                };
            };
        };
        /** @description OK. */
        UpdateUser: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The user was updated. */
                    message: string;
                    data: components["schemas"]["ManagedUser"];
                };
            };
        };
        /** @description OK. */
        UpdateWebhook: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                    /** @example The webhook was updated. */
                    message: string;
                    data: components["schemas"]["Webhook"];
                };
            };
        };
    };
    parameters: {
        /** @description `previous`: adds the totals of the period of the same length before. Later versions may add values. */
        Compare: "previous";
        /** @description `false` leaves `daily` empty: it is most of the response. Later versions may add values. */
        Daily: "true" | "false";
        /** @description The id of the days off. */
        DaysOffId: number;
        /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
        DryRun: "true" | "false";
        /** @description This e-mail address, ignoring case. */
        Email: string;
        /** @description The format of the file. Later versions may add values. */
        Format: "csv";
        /** @description Records that started on this day, or at this time, or later. */
        From: components["schemas"]["DayOrInstant"];
        /** @description Members of this group. */
        GroupId: number;
        /** @description The id of the resource. */
        Id: number;
        /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
        IdempotencyKey: string;
        /** @description The ETag last read; 412 when it is no longer current. */
        IfMatch: string;
        /** @description Users without a finished record that ended within this many times 24 hours, without days off. */
        InactiveDays: number;
        /** @description Entries per page; values above 100 mean 100. */
        Limit: number;
        /** @description Its name; case, accents and width do not matter. */
        Name: string;
        /** @description The direction of the sort. Later versions may add values. */
        Order: "asc" | "desc";
        /** @description The first day of the period to compare it with, or a time on it. */
        OtherFrom: components["schemas"]["DayOrInstant"];
        /** @description Its last day, which is included. A time is not included: the last day is that of the moment before. */
        OtherTo: components["schemas"]["DayOrInstant"];
        /** @description Unresolved after 24 hours, or not. Later versions may add values. */
        Overdue: "true" | "false";
        /** @description Page number, from 1. */
        Page: number;
        /** @description The id of the user. */
        PathId: number;
        /** @description Users to whom this project is assigned. */
        ProjectId: number;
        /** @description Received on this day, or at this time, or later. */
        QueryFrom: components["schemas"]["DayOrInstant"];
        /** @description The order by start. Later versions may add values. */
        QueryOrder: "asc" | "desc";
        /** @description The first day of another period to compare it with, in the same calendar, or a time on it. */
        QueryOtherFrom: components["schemas"]["DayOrInstant"];
        /** @description Its last day, which is included. A time is not included. */
        QueryOtherTo: components["schemas"]["DayOrInstant"];
        /** @description Records on this project. */
        QueryProjectId: number;
        /** @description Part of the note, ignoring case; `%` and `_` are not wildcards. */
        QuerySearch: string;
        /** @description Requests in this state. Later versions may add values. */
        QueryStatus: "all" | "pending" | "reviewed" | "resolved";
        /** @description Received before the end of this day, which is included, or before this time, which is not. Days are those of the caller. */
        QueryTo: components["schemas"]["DayOrInstant"];
        /** @description The statistics of this user. */
        QueryUserId: number;
        /** @description `true`: only running timers; `false`: only finished records. Later versions may add values. */
        Running: "true" | "false";
        /** @description Part of the username, the e-mail address or the display name, ignoring case. */
        Search: string;
        /** @description Set by browsers. Where it is missing, `Origin` must name this service. Later versions may add values. */
        SecFetchSite: "same-origin";
        /** @description The field to sort by, then by id. `this_week`: the last of `weeks`; `urgency`: the states in their order, silent users first in descending order. With more than 2000 users, all except `username`, `display_name`, `status`, `total_hours` and `last_session` require `group_id` or `project_id`. Later versions may add values. */
        Sort: "username" | "total_hours" | "last_session" | "hours_7d" | "hours_28d" | "display_name" | "status" | "groups" | "projects_assigned" | "timer_started_at" | "current_streak" | "goals_behind" | "goals_near" | "this_week" | "urgency";
        /** @description Users in this state (see `state` of a user), or with a running timer (`studying`). With more than 2000 users, all except `silent` and `studying` require `group_id` or `project_id`. Later versions may add values. */
        State: "silent" | "overdue" | "behind" | "slowing" | "not_started" | "on_track" | "without_goals" | "studying";
        /** @description Users in this state. Later versions may add values. */
        Status: "active" | "inactive" | "all";
        /** @description Requests with this subject. Later versions may add values. */
        Subject: "all" | "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
        /** @description Records with this tag, ignoring case, accents and width; `none`: those without tags. */
        Tag: string | "";
        /** @description Records that started before the end of this day, which is included, or before this time, which is not. Days are those of the caller. */
        To: components["schemas"]["DayOrInstant"];
        /** @description The time zone of days; defaults to the caller's. */
        Tz: string;
        /** @description Records of this user. */
        UserId: number;
        /** @description Records of the user with this name, ignoring case. */
        Username: string;
        /** @description The same in every attempt to deliver the event. */
        WebhookId: string;
        /** @description Signatures according to Standard Webhooks, separated by spaces. */
        WebhookSignature: string;
        /** @description Seconds since 1970. */
        WebhookTimestamp: string;
        /** @description The maximum number of weeks in `weekly_progress`. */
        Weeks: number;
    };
    requestBodies: {
        AdvanceContactRequest: {
            content: {
                /**
                 * @example {
                 *       "status": "reviewed",
                 *       "adminNote": "Account created on Monday."
                 *     }
                 */
                "application/json": {
                    /**
                     * @example reviewed
                     * @enum {string}
                     */
                    status: "pending" | "reviewed" | "resolved";
                    /**
                     * @description Absent leaves the note unchanged; null or "" clears it.
                     * @example Account created on Monday.
                     */
                    adminNote?: string | null;
                };
            };
        };
        BrowserRefresh: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        ChangePassword: {
            content: {
                /**
                 * @example {
                 *       "current_password": "a long and good password",
                 *       "new_password": "a long and good password"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @example a long and good password
                     */
                    current_password: string;
                    /**
                     * Format: password
                     * @example a long and good password
                     */
                    new_password: string;
                };
            };
        };
        DeleteMe: {
            content: {
                /**
                 * @example {
                 *       "current_password": "a long and good password",
                 *       "otp": "287082"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description Required if the account has one; without a password, the sign-in must be at most ten minutes old.
                     * @example a long and good password
                     */
                    current_password?: string;
                    /**
                     * @description For accounts with a second factor: the code, or a recovery code.
                     * @example 287082
                     */
                    otp?: string;
                };
            };
        };
        DisableTotp: {
            content: {
                /**
                 * @example {
                 *       "current_password": "a long and good password",
                 *       "otp": "287082"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description Required if the account has one; without a password, the sign-in must be at most ten minutes old.
                     * @example a long and good password
                     */
                    current_password?: string;
                    /**
                     * @description The six digits shown by the authenticator application, or a recovery code. Spaces and hyphens are ignored.
                     * @example 287082
                     */
                    otp: string;
                };
            };
        };
        ExcuseUser: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-12-14",
                 *       "to": "2026-12-25",
                 *       "reason": "Family visit"
                 *     }
                 */
                "application/json": {
                    from: components["schemas"]["FirstDay"];
                    to: components["schemas"]["LastDay"];
                    /**
                     * @description Read by the person and by administrators.
                     * @default
                     * @example Family visit
                     */
                    reason?: string;
                };
            };
        };
        RenameTag: {
            content: {
                /**
                 * @example {
                 *       "name": "mock exam"
                 *     }
                 */
                "application/json": {
                    /** @example mock exam */
                    name: string;
                };
            };
        };
        SaveChannel: {
            content: {
                /**
                 * @example {
                 *       "kind": "feishu",
                 *       "url": "https://open.feishu.cn/open-apis/bot/v2/hook/4f1c2a93",
                 *       "streak_hour": 20
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `url` is any other address; it gets JSON, signed as Standard Webhooks say if there is a secret. Later versions may add values.
                     * @example feishu
                     * @enum {string}
                     */
                    kind?: "ntfy" | "feishu" | "dingtalk" | "wecom" | "url";
                    /**
                     * Format: uri
                     * @description Where it is sent; never returned in full.
                     * @example https://open.feishu.cn/open-apis/bot/v2/hook/4f1c2a93
                     */
                    url?: string;
                    /**
                     * @description Feishu, DingTalk and `url`: the secret that signs; ntfy: an access token. Never returned.
                     * @example SEC4f1c2a93
                     */
                    secret?: string | null;
                    /**
                     * @description A word that the robot requires in each message; it is added where it is missing.
                     * @example 学习
                     */
                    keyword?: string | null;
                    /**
                     * @description The local hour from which a message warns that the streak ends today; null: no such messages.
                     * @example 20
                     */
                    streak_hour?: number | null;
                    /**
                     * @description Whether a message on the first day of each week summarizes the last one.
                     * @example true
                     */
                    weekly?: boolean;
                    /**
                     * @description For administrators: whether each new contact request is announced.
                     * @example false
                     */
                    new_requests?: boolean;
                };
            };
        };
        SaveStudentNote: {
            content: {
                /**
                 * @example {
                 *       "text": "Prefers to be called in the afternoon."
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Plain text; "" removes the note.
                     * @example Prefers to be called in the afternoon.
                     */
                    text: string;
                };
            };
        };
        UpdateDaysOffOfUser: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-12-14",
                 *       "to": "2026-12-22"
                 *     }
                 */
                "application/json": {
                    from?: components["schemas"]["FirstDay"];
                    to?: components["schemas"]["LastDay"];
                    /**
                     * @description Read by the person and by administrators.
                     * @example Family visit
                     */
                    reason?: string;
                };
            };
        };
        UpdateGroup: {
            content: {
                /**
                 * @example {
                 *       "name": "Class 4b"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Unique, ignoring case.
                     * @example Class 3b
                     */
                    name?: string;
                    /**
                     * @description The complete new list of members; may be empty.
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    user_ids?: components["schemas"]["Id"][];
                };
            };
        };
        UpdateMe: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Lin Wei",
                 *       "email": "lin@example.org",
                 *       "timezone": "Asia/Shanghai",
                 *       "time_zone": "Asia/Shanghai",
                 *       "locale": "zh",
                 *       "week_start": 1,
                 *       "day_start_hour": 3,
                 *       "rest_weekdays": [
                 *         6,
                 *         7
                 *       ],
                 *       "daily_goal_minutes": 90,
                 *       "weekly_goal_minutes": 420,
                 *       "streak_reminder_hour": 19,
                 *       "weekly_mail": true,
                 *       "new_request_mail": false,
                 *       "current_password": "a long and good password"
                 *     }
                 */
                "application/json": {
                    /** @example Lin Wei */
                    display_name?: string;
                    /**
                     * Format: email
                     * @example lin@example.org
                     */
                    email?: string;
                    /** @example Asia/Shanghai */
                    timezone?: string;
                    /**
                     * @description Another name of `timezone`. The two cannot be set to different zones.
                     * @example Asia/Shanghai
                     */
                    time_zone?: string;
                    locale?: components["schemas"]["ChosenLocale"];
                    /**
                     * Format: int32
                     * @description The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks always begin on Monday.
                     * @example 1
                     */
                    week_start?: number;
                    day_start_hour?: components["schemas"]["DayStartHour"];
                    rest_weekdays?: components["schemas"]["RestWeekdays"];
                    daily_goal_minutes?: components["schemas"]["DailyGoalMinutes"];
                    weekly_goal_minutes?: components["schemas"]["WeeklyGoalMinutes"];
                    streak_reminder_hour?: components["schemas"]["StreakReminderHour"];
                    weekly_mail?: components["schemas"]["WeeklyMail"];
                    /**
                     * @description Whether a mail announces new contact requests, for administrators. Needs a mail server.
                     * @example false
                     */
                    new_request_mail?: boolean;
                    /**
                     * Format: password
                     * @description Required only for changing the e-mail address.
                     * @example a long and good password
                     */
                    current_password?: string;
                };
            };
        };
        UpdateProject: {
            content: {
                /**
                 * @example {
                 *       "name": "Linear algebra II",
                 *       "status": "active",
                 *       "target_hours": 60
                 *     }
                 */
                "application/json": {
                    /** @example Linear algebra */
                    name?: string;
                    /**
                     * @description Null clears the description.
                     * @example Vectors, matrices, proofs
                     */
                    description?: string | null;
                    /** @enum {string} */
                    status?: "active" | "completed" | "paused";
                    /** @enum {string} */
                    category?: "academic" | "skill" | "hobby" | "other";
                    /**
                     * @description Hours, rounded to two decimals, at least 0.01; 0 or null for no target.
                     * @example 40
                     */
                    target_hours?: number | null;
                    /** @enum {string} */
                    rating_standard?: "excellent" | "good" | "normal";
                    /**
                     * @description The day by which the target should be reached; null for none.
                     * @example 2026-06-30
                     */
                    due_date?: string | null;
                    /**
                     * @description The target hours per week, rounded to two decimals; null for none.
                     * @example 5
                     */
                    weekly_goal_hours?: number | null;
                    target_scope?: components["schemas"]["TargetScope"];
                    /**
                     * Format: int32
                     * @description The number of a color of the palette in `GET /api/meta`.
                     * @example 3
                     */
                    color?: number;
                    /**
                     * @deprecated
                     * @description Deprecated: use `assigned_user_ids`. The current value changes nothing.
                     */
                    assigned_user_id?: components["schemas"]["Id"] | null;
                    /**
                     * @description The complete new list of assigned users; may be empty.
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    assigned_user_ids?: components["schemas"]["Id"][];
                };
            };
        };
        UpdateSchoolDay: {
            content: {
                /**
                 * @example {
                 *       "to": "2026-10-08"
                 *     }
                 */
                "application/json": {
                    /** @example National Day */
                    name?: string;
                    from?: components["schemas"]["FirstDay"];
                    to?: components["schemas"]["LastDay"];
                    /**
                     * @description `off`: holidays. `school_day`: lessons, also on a rest day, such as a make-up day. Later versions may add values.
                     * @example off
                     * @enum {string}
                     */
                    kind?: "off" | "school_day";
                    /**
                     * @description The class for which it applies; null for the whole school.
                     * @example null
                     */
                    group_id?: components["schemas"]["Id"] | null;
                };
            };
        };
        UpdateSession: {
            content: {
                /**
                 * @example {
                 *       "ended_at": "2026-02-01T09:45:00Z",
                 *       "note": "Chapters 3 and 4"
                 *     }
                 */
                "application/json": {
                    /** @description Another project that the author of the record can see. */
                    project_id?: components["schemas"]["Id"];
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00Z
                     */
                    started_at?: string;
                    /** @description Null only for a running timer, where it changes nothing. */
                    ended_at?: string | null;
                    /** Format: int32 */
                    duration_seconds?: number;
                    /** @example Chapter 3 */
                    note?: string;
                    /**
                     * @description From the author's own tags, to which new names are added. Names that differ only in case, accents or width are the same tag.
                     * @example [
                     *       "mock exam"
                     *     ]
                     */
                    tags?: string[];
                    /**
                     * @description Of a running timer; null: open.
                     * @example 50
                     */
                    planned_minutes?: number | null;
                };
            };
        };
        UpdateTerm: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-09-01",
                 *       "to": "2027-01-29"
                 *     }
                 */
                "application/json": {
                    /** @example Autumn term */
                    name?: string;
                    from?: components["schemas"]["FirstDay"];
                    to?: components["schemas"]["LastDay"];
                };
            };
        };
        UpdateUser: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Wang Fang",
                 *       "status": "active"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Unique, ignoring case.
                     * @example lin
                     */
                    username?: string;
                    /**
                     * Format: email
                     * @example lin@example.org
                     */
                    email?: string;
                    /** @example Lin Wei */
                    display_name?: string;
                    /** @enum {string} */
                    role?: "admin" | "user";
                    /** @enum {string} */
                    status?: "active" | "inactive";
                    admin_scope?: components["schemas"]["AdminScope"];
                    /**
                     * @description The complete new list; may be empty.
                     * @example [
                     *       3
                     *     ]
                     */
                    admin_group_ids?: components["schemas"]["Id"][];
                    /** @example Asia/Shanghai */
                    timezone?: string;
                    /**
                     * @description Another name of `timezone`. The two cannot be set to different zones.
                     * @example Asia/Shanghai
                     */
                    time_zone?: string;
                };
            };
        };
        UpdateWebhook: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "goal.reached"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description Must begin with `https://` and resolve to public addresses. Redirects are not followed.
                     * @example https://example.org/hooks/studytrack
                     */
                    url?: string;
                    /**
                     * @description The events to send.
                     * @example [
                     *       "project.created",
                     *       "session.created"
                     *     ]
                     */
                    events?: components["schemas"]["WebhookEvent"][];
                    /** @description Whether events are recorded and sent. */
                    active?: boolean;
                };
            };
        };
    };
    headers: {
        /**
         * @description The version of what was read, for `If-None-Match` and `If-Match`.
         * @example "12.7en"
         */
        ETag: string;
        /**
         * @description The path of what was created, or, with 202, where its state is read.
         * @example /api/projects/42
         */
        Location: string;
        /**
         * @description `true` when this is the stored response to an earlier request with the same key.
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description Sent if the request has a deprecated field: since when it is deprecated (RFC 9745).
         * @example @1795305600
         */
        Deprecation: string;
        /**
         * @description How to sign in.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before a retry.
         * @example 60
         */
        "Retry-After": string;
        /**
         * @description What is left of the limit, and the seconds until it is reset.
         * @example "1200-in-1min"; r=1199; t=60
         */
        RateLimit: string;
        /**
         * @description The limit, its window in seconds, and a name for the caller.
         * @example "1200-in-1min"; q=1200; w=60; pk=:NWQ0Yw==:
         */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAchievementIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The file name. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAchievements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Achievement"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Changes made by this administrator. */
                actor?: number;
                /** @description Changes made through this operation. */
                action?: string;
                /** @description Changes to objects of this type. Later versions may add values. */
                target_type?: "user" | "project" | "assignment" | "contact_request" | "session" | "export" | "group" | "personal_token" | "webhook" | "term" | "school_day";
                /** @description Changes to the object with this id, of any type. */
                target_id?: number;
                /** @description On this day, or at this time, or later. */
                from?: components["schemas"]["DayOrInstant"];
                /** @description Before the end of this day, which is included, or before this time, which is not. Days are those of the caller. */
                to?: components["schemas"]["DayOrInstant"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            entries: components["schemas"]["AuditEntry"][];
                            /** @description Current names of the users, projects and groups in these entries that still exist; for a long list of ids, those of the first ten. */
                            names: components["schemas"]["AuditName"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBackgroundWork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["BackgroundWork"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContactRequests: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Requests in this state. Later versions may add values. */
                status?: components["parameters"]["QueryStatus"];
                /** @description Requests with this subject. Later versions may add values. */
                subject?: components["parameters"]["Subject"];
                /** @description Part of the name, e-mail, phone or message, ignoring case. */
                search?: string;
                /** @description This e-mail address, ignoring case. */
                email?: components["parameters"]["Email"];
                /** @description Received on this day, or at this time, or later. */
                from?: components["parameters"]["QueryFrom"];
                /** @description Received before the end of this day, which is included, or before this time, which is not. Days are those of the caller. */
                to?: components["parameters"]["QueryTo"];
                /** @description Unresolved after 24 hours, or not. Later versions may add values. */
                overdue?: components["parameters"]["Overdue"];
                /** @description The order by time of receipt. Later versions may add values. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            requests: components["schemas"]["ContactRequest"][];
                            pagination: components["schemas"]["Pagination"];
                            /**
                             * @description Counts over all requests, regardless of the filters.
                             * @example {
                             *       "pending": 3,
                             *       "reviewed": 1,
                             *       "resolved": 12,
                             *       "total": 16
                             *     }
                             */
                            stats: {
                                /** Format: int64 */
                                pending: number;
                                /** Format: int64 */
                                reviewed: number;
                                /** Format: int64 */
                                resolved: number;
                                /** Format: int64 */
                                total: number;
                            };
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["ContactBadRequest"];
            401: components["responses"]["ContactUnauthorized"];
            403: components["responses"]["ContactForbidden"];
            429: components["responses"]["ContactTooManyRequests"];
            500: components["responses"]["ContactInternalError"];
        };
    };
    getContactRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["ContactRequestDetail"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["ContactBadRequest"];
            401: components["responses"]["ContactUnauthorized"];
            403: components["responses"]["ContactForbidden"];
            404: components["responses"]["ContactNotFound"];
            429: components["responses"]["ContactTooManyRequests"];
            500: components["responses"]["ContactInternalError"];
        };
    };
    deleteContactRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeleteContactRequest"];
            /** @description VALIDATION_ERROR, PRECONDITION_FAILED: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            401: components["responses"]["ContactUnauthorized"];
            403: components["responses"]["ContactForbidden"];
            404: components["responses"]["ContactNotFound"];
            429: components["responses"]["ContactTooManyRequests"];
            500: components["responses"]["ContactInternalError"];
        };
    };
    advanceContactRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["AdvanceContactRequest"];
        responses: {
            200: components["responses"]["AdvanceContactRequest"];
            400: components["responses"]["ContactValidationErrorOrPreconditionFailedOrPayloadTooLarge"];
            401: components["responses"]["ContactUnauthorized"];
            403: components["responses"]["ContactForbidden"];
            404: components["responses"]["ContactNotFound"];
            429: components["responses"]["ContactTooManyRequests"];
            500: components["responses"]["ContactInternalError"];
        };
    };
    patchContactRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["AdvanceContactRequest"];
        responses: {
            200: components["responses"]["AdvanceContactRequest"];
            400: components["responses"]["ContactValidationErrorOrPreconditionFailedOrPayloadTooLarge"];
            401: components["responses"]["ContactUnauthorized"];
            403: components["responses"]["ContactForbidden"];
            404: components["responses"]["ContactNotFound"];
            429: components["responses"]["ContactTooManyRequests"];
            500: components["responses"]["ContactInternalError"];
        };
    };
    changeContactRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         3,
                 *         4
                 *       ],
                 *       "status": "resolved"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description At most 200.
                     * @example [
                     *       3,
                     *       4
                     *     ]
                     */
                    ids: components["schemas"]["Id"][];
                    /**
                     * @description Moves the requests forward to this state.
                     * @enum {string}
                     */
                    status?: "pending" | "reviewed" | "resolved";
                    /**
                     * @description Deletes the requests instead.
                     * @constant
                     */
                    delete?: true;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /**
                             * Format: int64
                             * @description Requests updated or deleted.
                             * @example 2
                             */
                            changed_count: number;
                            /** @description One per distinct id, in the order of the request. */
                            results: {
                                id: components["schemas"]["Id"];
                                /**
                                 * @description Later versions may add values.
                                 * @enum {string}
                                 */
                                outcome: "updated" | "unchanged" | "status_backward" | "deleted" | "not_found";
                            }[];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR, PAYLOAD_TOO_LARGE: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            401: components["responses"]["ContactUnauthorized"];
            403: components["responses"]["ContactForbidden"];
            429: components["responses"]["ContactTooManyRequests"];
            500: components["responses"]["ContactInternalError"];
        };
    };
    exportContactRequests: {
        parameters: {
            query?: {
                /** @description The format of the file. Later versions may add values. */
                format?: components["parameters"]["Format"];
                /** @description Requests in this state. Later versions may add values. */
                status?: components["parameters"]["QueryStatus"];
                /** @description Requests with this subject. Later versions may add values. */
                subject?: components["parameters"]["Subject"];
                /** @description Part of the name, e-mail, phone or message, ignoring case. */
                search?: string;
                /** @description This e-mail address, ignoring case. */
                email?: components["parameters"]["Email"];
                /** @description Received on this day, or at this time, or later. */
                from?: components["parameters"]["QueryFrom"];
                /** @description Received before the end of this day, which is included, or before this time, which is not. Days are those of the caller. */
                to?: components["parameters"]["QueryTo"];
                /** @description Unresolved after 24 hours, or not. Later versions may add values. */
                overdue?: components["parameters"]["Overdue"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportContactRequests"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["ContactBadRequest"];
            401: components["responses"]["ContactUnauthorized"];
            403: components["responses"]["ContactForbidden"];
            429: components["responses"]["ContactTooManyRequests"];
            500: components["responses"]["ContactInternalError"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Part of the name, ignoring case. */
                search?: string;
                /** @description Groups of which this user is a member. */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            groups: components["schemas"]["Group"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Class 3b",
                 *       "user_ids": [
                 *         7,
                 *         9
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Unique, ignoring case.
                     * @example Class 3b
                     */
                    name: string;
                    /**
                     * @description The members: ordinary users, active or not; at most 1,000.
                     * @default []
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    user_ids?: components["schemas"]["Id"][];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The group was created. */
                        message: string;
                        data: components["schemas"]["GroupWithMembers"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["GroupWithMembers"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateGroup"];
        responses: {
            200: components["responses"]["UpdateGroup"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeleteContactRequest"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateGroup"];
        responses: {
            200: components["responses"]["UpdateGroup"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGroupComparison: {
        parameters: {
            query: {
                /** @description The first day of the period, or a time on it; at most 371 days in all. */
                from: components["schemas"]["DayOrInstant"];
                /** @description Its last day, which is included. A time is not included: the last day is that of the moment before. */
                to: components["schemas"]["DayOrInstant"];
                /** @description The first day of the period to compare it with, or a time on it. */
                other_from: components["parameters"]["OtherFrom"];
                /** @description Its last day, which is included. A time is not included: the last day is that of the moment before. */
                other_to: components["parameters"]["OtherTo"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["GroupComparison"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportGroupComparison: {
        parameters: {
            query: {
                /** @description The first day of the period, or a time on it; at most 371 days in all. */
                from: components["schemas"]["DayOrInstant"];
                /** @description Its last day, which is included. A time is not included: the last day is that of the moment before. */
                to: components["schemas"]["DayOrInstant"];
                /** @description The first day of the period to compare it with, or a time on it. */
                other_from: components["parameters"]["OtherFrom"];
                /** @description Its last day, which is included. A time is not included: the last day is that of the moment before. */
                other_to: components["parameters"]["OtherTo"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportContactRequests"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeGroupMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "add": [
                 *         7,
                 *         9
                 *       ],
                 *       "remove": [
                 *         8
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Users to add.
                     * @default []
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    add?: components["schemas"]["Id"][];
                    /**
                     * @description Users to remove.
                     * @default []
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    remove?: components["schemas"]["Id"][];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The group was updated. */
                        message: string;
                        data: components["schemas"]["GroupWithMembers"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGroupStatistics: {
        parameters: {
            query?: {
                /** @description The first day, or a time on it, by default that of the week eleven weeks before the last one; at most 371 days in all. */
                from?: components["schemas"]["DayOrInstant"];
                /** @description The last day, which is included, by default the caller's current day. A time is not included: the last day is that of the moment before. */
                to?: components["schemas"]["DayOrInstant"];
                /** @description Page of `members`, from 1. */
                page?: number;
                /** @description Members per page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["GroupStatistics"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_ids": [
                 *         7,
                 *         9
                 *       ],
                 *       "subject": "Piano on Friday",
                 *       "text": "Please bring your exercise book."
                 *     }
                 */
                "application/json": {
                    /** @description The recipients; at most 500. Duplicates get one mail. */
                    user_ids: components["schemas"]["Id"][];
                    subject: string;
                    text: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The message was sent. */
                        message: string;
                        data: {
                            /**
                             * Format: int64
                             * @description The number of queued mails.
                             * @example 2
                             */
                            sent_count: number;
                            /**
                             * @description Users who are inactive, deleted or unknown, and get no mail.
                             * @example [
                             *       12
                             *     ]
                             */
                            skipped_user_ids: components["schemas"]["Id"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProgress: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Users to whom this project is assigned. */
                project_id?: components["parameters"]["ProjectId"];
                /** @description Members of this group. */
                group_id?: components["parameters"]["GroupId"];
                /** @description Part of the username, the e-mail address or the display name, ignoring case. */
                search?: components["parameters"]["Search"];
                /** @description Users in this state. Later versions may add values. */
                status?: components["parameters"]["Status"];
                /** @description Users without a finished record that ended within this many times 24 hours, without days off. */
                inactive_days?: components["parameters"]["InactiveDays"];
                /** @description Users in this state (see `state` of a user), or with a running timer (`studying`). With more than 2000 users, all except `silent` and `studying` require `group_id` or `project_id`. Later versions may add values. */
                state?: components["parameters"]["State"];
                /** @description The field to sort by, then by id. `this_week`: the last of `weeks`; `urgency`: the states in their order, silent users first in descending order. With more than 2000 users, all except `username`, `display_name`, `status`, `total_hours` and `last_session` require `group_id` or `project_id`. Later versions may add values. */
                sort?: components["parameters"]["Sort"];
                /** @description The direction of the sort. Later versions may add values. */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            users: components["schemas"]["Progress"][];
                            /** @description How many of the users that the other filters find are in each state; all except `studying` add up to them. Null for more than 2000. */
                            counts: components["schemas"]["ProgressCounts"] | null;
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportProgress: {
        parameters: {
            query?: {
                /** @description The format of the file. Later versions may add values. */
                format?: components["parameters"]["Format"];
                /** @description Users to whom this project is assigned. */
                project_id?: components["parameters"]["ProjectId"];
                /** @description Members of this group. */
                group_id?: components["parameters"]["GroupId"];
                /** @description Part of the username, the e-mail address or the display name, ignoring case. */
                search?: components["parameters"]["Search"];
                /** @description Users in this state. Later versions may add values. */
                status?: components["parameters"]["Status"];
                /** @description Users without a finished record that ended within this many times 24 hours, without days off. */
                inactive_days?: components["parameters"]["InactiveDays"];
                /** @description Users in this state (see `state` of a user), or with a running timer (`studying`). With more than 2000 users, all except `silent` and `studying` require `group_id` or `project_id`. Later versions may add values. */
                state?: components["parameters"]["State"];
                /** @description The field to sort by, then by id. `this_week`: the last of `weeks`; `urgency`: the states in their order, silent users first in descending order. With more than 2000 users, all except `username`, `display_name`, `status`, `total_hours` and `last_session` require `group_id` or `project_id`. Later versions may add values. */
                sort?: components["parameters"]["Sort"];
                /** @description The direction of the sort. Later versions may add values. */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportContactRequests"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectHours: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Users to whom this project is assigned. */
                project_id?: components["parameters"]["ProjectId"];
                /** @description Members of this group. */
                group_id?: components["parameters"]["GroupId"];
                /** @description Part of the username, the e-mail address or the display name, ignoring case. */
                search?: components["parameters"]["Search"];
                /** @description Users in this state. Later versions may add values. */
                status?: components["parameters"]["Status"];
                /** @description Users without a finished record that ended within this many times 24 hours, without days off. */
                inactive_days?: components["parameters"]["InactiveDays"];
                /** @description The field to sort by, then by id. `project_hours` requires `sort_project_id`, and `group_id` or `project_id`; users without that project come last. Later versions may add values. */
                sort?: "username" | "total_hours" | "last_session" | "project_hours";
                /** @description The project whose hours `project_hours` sorts by. */
                sort_project_id?: number;
                /** @description The direction of the sort. Later versions may add values. */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @description Projects assigned to members of the group `group_id`, the same on every page; without it, to the users of this page. Active ones first, then by `users_count` and name; at most 40. */
                            projects: components["schemas"]["ProjectColumn"][];
                            /**
                             * Format: int64
                             * @description The number of projects, including those omitted.
                             * @example 3
                             */
                            projects_total: number;
                            users: components["schemas"]["ProjectHours"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportProjectHours: {
        parameters: {
            query?: {
                /** @description The format of the file. Later versions may add values. */
                format?: components["parameters"]["Format"];
                /** @description Users to whom this project is assigned. */
                project_id?: components["parameters"]["ProjectId"];
                /** @description Members of this group. */
                group_id?: components["parameters"]["GroupId"];
                /** @description Part of the username, the e-mail address or the display name, ignoring case. */
                search?: components["parameters"]["Search"];
                /** @description Users in this state. Later versions may add values. */
                status?: components["parameters"]["Status"];
                /** @description Users without a finished record that ended within this many times 24 hours, without days off. */
                inactive_days?: components["parameters"]["InactiveDays"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportContactRequests"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProgressTrend: {
        parameters: {
            query?: {
                /** @description Members of this group. Required with more than 2000 active users. */
                group_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @description The last 7 weeks, the latest last. */
                            weeks: {
                                /** @description This time of one of the last weeks. */
                                at: components["schemas"]["Instant"];
                                /**
                                 * Format: int64
                                 * @description Users who had an account then.
                                 * @example 92
                                 */
                                users: number;
                                /**
                                 * Format: int64
                                 * @description Of these, those who were `on_track`.
                                 * @example 68
                                 */
                                on_track: number;
                            }[];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRosters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            rosters: components["schemas"]["Roster"][];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importRoster: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                    /**
                     * @description Unless `false`, only the difference is computed. Later versions may add values.
                     * @default true
                     * @enum {string}
                     */
                    dry_run?: "true" | "false";
                    /**
                     * @description What to do with active accounts that an earlier roster has named and this one does not: `keep` or `deactivate` them. Accounts that no roster has named, and administrators, are never deactivated. Later versions may add values.
                     * @default keep
                     * @enum {string}
                     */
                    missing?: "keep" | "deactivate";
                    /**
                     * Format: int32
                     * @description How many missing accounts may be deactivated, such as the number of the difference. If more are missing, nothing is changed. By default a fifth of the rows of the file, or ten: an incomplete file does not deactivate a school.
                     * @example 12
                     */
                    deactivate_at_most?: number;
                    /**
                     * @description Mail a link for choosing a password to each new account, valid for 72 hours. Otherwise new accounts sign in through the identity provider, or with a link that they or an administrator request. Later versions may add values.
                     * @default false
                     * @enum {string}
                     */
                    invite?: "true" | "false";
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Roster"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRoster: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Only changes of this kind. Later versions may add values. */
                kind?: "new" | "changed" | "moved" | "missing" | "left_out" | "problem";
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            roster: components["schemas"]["Roster"];
                            changes: {
                                /**
                                 * @description Null for missing accounts.
                                 * @example 7
                                 */
                                row: number | null;
                                /**
                                 * @description Later versions may add values.
                                 * @example existing
                                 * @enum {string}
                                 */
                                kind: "new" | "existing" | "missing" | "left_out";
                                /**
                                 * @description Null until a new account exists.
                                 * @example 7
                                 */
                                user_id: components["schemas"]["Id"] | null;
                                /** @example lin */
                                username: string;
                                /** @example Lin Wei */
                                display_name: string;
                                changes: {
                                    /** @example email */
                                    field: string;
                                    /** @example lin@example.org */
                                    before: string | null;
                                    /** @example lin.wei@example.org */
                                    after: string | null;
                                }[];
                                /**
                                 * @description Groups.
                                 * @example [
                                 *       "Class 4b"
                                 *     ]
                                 */
                                joins: string[];
                                /**
                                 * @example [
                                 *       "Class 3b"
                                 *     ]
                                 */
                                leaves: string[];
                                /**
                                 * @description Why it could not be applied.
                                 * @example null
                                 */
                                problem: string | null;
                            }[];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSchoolDays: {
        parameters: {
            query?: {
                /** @description Entries that end on this day or later. */
                from?: components["schemas"]["DayOrInstant"];
                /** @description Entries that begin on this day, which is included, or earlier. A time is not included: the last day is that of the moment before. */
                to?: components["schemas"]["DayOrInstant"];
                /** @description Entries of the whole school and of this class only. */
                group_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["SchoolDay"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSchoolDay: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "National Day",
                 *       "from": "2026-10-01",
                 *       "to": "2026-10-07",
                 *       "kind": "off",
                 *       "group_id": null
                 *     }
                 */
                "application/json": {
                    /** @example National Day */
                    name: string;
                    from: components["schemas"]["FirstDay"];
                    to: components["schemas"]["LastDay"];
                    /**
                     * @description `off`: holidays. `school_day`: lessons, also on a rest day, such as a make-up day. Later versions may add values.
                     * @example off
                     * @enum {string}
                     */
                    kind: "off" | "school_day";
                    /**
                     * @description The class for which it applies; null for the whole school.
                     * @example null
                     */
                    group_id?: components["schemas"]["Id"] | null;
                };
            };
        };
        responses: {
            /** @description With `dry_run`: what would change. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The days were added. */
                        message: string;
                        data: components["schemas"]["SchoolDay"] | components["schemas"]["EffectOfDays"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The days were added. */
                        message: string;
                        data: components["schemas"]["SchoolDay"] | components["schemas"]["EffectOfDays"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSchoolDay: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateSchoolDay"];
        responses: {
            200: components["responses"]["UpdateSchoolDay"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSchoolDay: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The days were deleted. */
                        message: string;
                        data?: components["schemas"]["EffectOfDays"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchSchoolDay: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateSchoolDay"];
        responses: {
            200: components["responses"]["UpdateSchoolDay"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importSchoolDays: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                    /**
                     * @description Unless `false`, nothing is saved; the response says what would change. Later versions may add values.
                     * @default true
                     * @enum {string}
                     */
                    dry_run?: "true" | "false";
                    /**
                     * Format: int64
                     * @description The class for which the days apply; without it, the whole school.
                     * @example 42
                     */
                    group_id?: number;
                    /**
                     * @description The numbers of events that become days off.
                     * @default
                     * @example 1,4
                     */
                    off?: string;
                    /**
                     * @description The numbers of events that become make-up days.
                     * @default
                     * @example 1,4
                     */
                    school_days?: string;
                    /**
                     * @description The numbers of events that are not imported.
                     * @default
                     * @example 1,4
                     */
                    ignored?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["ImportedCalendar"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTerms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Term"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTerm: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Autumn term",
                 *       "from": "2026-10-01",
                 *       "to": "2026-10-07"
                 *     }
                 */
                "application/json": {
                    /** @example Autumn term */
                    name: string;
                    from: components["schemas"]["FirstDay"];
                    to: components["schemas"]["LastDay"];
                };
            };
        };
        responses: {
            /** @description With `dry_run`: what would change. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The term was created. */
                        message: string;
                        data: components["schemas"]["Term"] | components["schemas"]["EffectOfDays"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The term was created. */
                        message: string;
                        data: components["schemas"]["Term"] | components["schemas"]["EffectOfDays"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTerm: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateTerm"];
        responses: {
            200: components["responses"]["UpdateTerm"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTerm: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The term was deleted. */
                        message: string;
                        data?: components["schemas"]["EffectOfDays"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchTerm: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateTerm"];
        responses: {
            200: components["responses"]["UpdateTerm"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Users in this state. Later versions may add values. */
                status?: "active" | "inactive" | "all";
                /** @description Users with this role. Later versions may add values. */
                role?: "admin" | "user" | "all";
                /** @description Part of the username, the e-mail address or the display name, ignoring case. */
                search?: components["parameters"]["Search"];
                /** @description Members of this group. */
                group_id?: components["parameters"]["GroupId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            users: components["schemas"]["ManagedUser"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "wang",
                 *       "email": "wang@example.org",
                 *       "display_name": "Wang Fang",
                 *       "timezone": "Asia/Shanghai"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Unique, ignoring case.
                     * @example lin
                     */
                    username: string;
                    /**
                     * Format: email
                     * @example lin@example.org
                     */
                    email: string;
                    /**
                     * @description Defaults to the username.
                     * @example Lin Wei
                     */
                    display_name?: string;
                    /**
                     * @default user
                     * @enum {string}
                     */
                    role?: "admin" | "user";
                    /**
                     * @default active
                     * @enum {string}
                     */
                    status?: "active" | "inactive";
                    /**
                     * @description Defaults to that of the administrator until the owner chooses one.
                     * @example Asia/Shanghai
                     */
                    timezone?: string;
                    /**
                     * @description Another name of `timezone`. The two cannot be set to different zones.
                     * @example Asia/Shanghai
                     */
                    time_zone?: string;
                    /**
                     * Format: password
                     * @description If omitted, a password is generated and returned once; it is valid for 7 days and must be changed first.
                     * @example a long and good password
                     */
                    password?: string;
                    /** @description The unresolved contact request for this; it is resolved and linked to the account. */
                    contact_request_id?: components["schemas"]["Id"];
                    /** @default all */
                    admin_scope?: components["schemas"]["AdminScope"];
                    /**
                     * @description With `admin_scope: groups`.
                     * @default []
                     * @example [
                     *       3
                     *     ]
                     */
                    admin_group_ids?: components["schemas"]["Id"][];
                    /**
                     * @description Groups that the new account joins, for ordinary users. Required for administrators who are limited to groups, who can only name theirs.
                     * @default []
                     * @example [
                     *       3
                     *     ]
                     */
                    group_ids?: components["schemas"]["Id"][];
                    /** @description Instead of setting a password, mails a link for choosing one, valid for 72 hours. */
                    invite?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The user was created. */
                        message: string;
                        data: components["schemas"]["CreatedUser"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["ManagedUser"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateUser"];
        responses: {
            200: components["responses"]["UpdateUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastAdmin"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastAdmin"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateUser"];
        responses: {
            200: components["responses"]["UpdateUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastAdmin"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDaysOffOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ListDaysOffOfUser"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    excuseUser: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the user. */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ExcuseUser"];
        responses: {
            200: components["responses"]["ExcuseUser"];
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The days off were added. */
                        message: string;
                        data: components["schemas"]["DaysOff"] | components["schemas"]["EffectOfDays"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDaysOffOfUser: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the user. */
                id: components["parameters"]["PathId"];
                /** @description The id of the days off. */
                days_off_id: components["parameters"]["DaysOffId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateDaysOffOfUser"];
        responses: {
            200: components["responses"]["UpdateDaysOffOfUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDaysOffOfUser: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the user. */
                id: components["parameters"]["PathId"];
                /** @description The id of the days off. */
                days_off_id: components["parameters"]["DaysOffId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeleteDaysOffOfUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchDaysOffOfUser: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the user. */
                id: components["parameters"]["PathId"];
                /** @description The id of the days off. */
                days_off_id: components["parameters"]["DaysOffId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateDaysOffOfUser"];
        responses: {
            200: components["responses"]["UpdateDaysOffOfUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unlinkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InviteUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStudentNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["StudentNote"] | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveStudentNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["SaveStudentNote"];
        responses: {
            200: components["responses"]["SaveStudentNote"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchStudentNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["SaveStudentNote"];
        responses: {
            200: components["responses"]["SaveStudentNote"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendResetLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InviteUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "password": "a long and good password"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description If omitted, a password is generated and returned once; it is valid for 7 days and must be changed first.
                     * @example a long and good password
                     */
                    password?: string;
                    /** @description The unresolved contact request for this; it is resolved and linked to the account. */
                    contact_request_id?: components["schemas"]["Id"];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The password was reset and all sign-ins of the user were ended. */
                        message: string;
                        data: components["schemas"]["UserWithPassword"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetTotp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUsers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "users": [
                 *         {
                 *           "username": "wang",
                 *           "email": "wang@example.org",
                 *           "display_name": "Wang Fang",
                 *           "timezone": "Asia/Shanghai"
                 *         },
                 *         {
                 *           "username": "zhao",
                 *           "email": "zhao@example.org"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description At most 200. If a name occurs twice, the second row is rejected. */
                    users: {
                        /**
                         * @description Unique, ignoring case.
                         * @example lin
                         */
                        username: string;
                        /**
                         * Format: email
                         * @example lin@example.org
                         */
                        email: string;
                        /**
                         * @description Defaults to the username.
                         * @example Lin Wei
                         */
                        display_name?: string;
                        /**
                         * @default user
                         * @enum {string}
                         */
                        role?: "admin" | "user";
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /**
                         * @description Defaults to that of the administrator until the owner chooses one.
                         * @example Asia/Shanghai
                         */
                        timezone?: string;
                        /**
                         * @description Another name of `timezone`. The two cannot be set to different zones.
                         * @example Asia/Shanghai
                         */
                        time_zone?: string;
                    }[];
                    /**
                     * @description Groups that the new account joins, for ordinary users. Required for administrators who are limited to groups, who can only name theirs.
                     * @default []
                     * @example [
                     *       3
                     *     ]
                     */
                    group_ids?: components["schemas"]["Id"][];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["CreatedUsers"];
                    };
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.org/hooks/studytrack",
                 *       "events": [
                 *         "project.created",
                 *         "session.created"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description Must begin with `https://` and resolve to public addresses. Redirects are not followed.
                     * @example https://example.org/hooks/studytrack
                     */
                    url: string;
                    /**
                     * @description The events to send.
                     * @example [
                     *       "project.created",
                     *       "session.created"
                     *     ]
                     */
                    events: components["schemas"]["WebhookEvent"][];
                    /**
                     * @description Whether events are recorded and sent.
                     * @default true
                     */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The webhook was created. */
                        message: string;
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateWebhook"];
        responses: {
            200: components["responses"]["UpdateWebhook"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeleteContactRequest"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateWebhook"];
        responses: {
            200: components["responses"]["UpdateWebhook"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Deliveries in this state. Later versions may add values. */
                state?: "waiting" | "delivered" | "failed";
                /** @description Deliveries before this id: `next_before` of the previous page. */
                before?: number;
                /** @description Entries per page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @description Newest first; deliveries are deleted after 30 days. */
                            deliveries: components["schemas"]["WebhookDelivery"][];
                            /** @description The `before` of the next page; null on the last one. */
                            next_before: components["schemas"]["Id"] | null;
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: number;
                /** @description The id of the delivery. */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The delivery is queued. */
                        message: string;
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pingWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The delivery is queued. */
                        message: string;
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The webhook was updated. */
                        message: string;
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "pUq4c1vTn0xgYv3mB7k2dQ",
                 *       "password": "a long and good password"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description From the fragment of the link.
                     * @example pUq4c1vTn0xgYv3mB7k2dQ
                     */
                    token: string;
                    /**
                     * Format: password
                     * @example a long and good password
                     */
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The password was set; you can now sign in with it. */
                        message: string;
                        data: {
                            /**
                             * @description The name to sign in with.
                             * @example lin
                             */
                            username: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    browserRefresh: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. Where it is missing, `Origin` must name this service. Later versions may add values. */
                "Sec-Fetch-Site"?: components["parameters"]["SecFetchSite"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["BrowserRefresh"];
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Token refreshed. */
                        message: string;
                        data: components["schemas"]["BrowserSignIn"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    browserSignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. Where it is missing, `Origin` must name this service. Later versions may add values. */
                "Sec-Fetch-Site"?: components["parameters"]["SecFetchSite"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "admin",
                 *       "password": "a long and good password",
                 *       "otp": "287082",
                 *       "keep_signed_in": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Username or e-mail address.
                     * @example admin
                     */
                    username?: string;
                    /** @description Instead of the username. */
                    email?: string;
                    /**
                     * Format: password
                     * @example a long and good password
                     */
                    password: string;
                    /**
                     * @description For accounts with a second factor: the code, or a recovery code.
                     * @example 287082
                     */
                    otp?: string;
                    /**
                     * @description Whether the cookie outlives the browser: up to 30 days from the last refresh.
                     * @default false
                     * @example true
                     */
                    keep_signed_in?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["BrowserSignIn"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrOtpRequired"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    browserSignOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. Where it is missing, `Origin` must name this service. Later versions may add values. */
                "Sec-Fetch-Site"?: components["parameters"]["SecFetchSite"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["BrowserRefresh"];
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginSingleSignOn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. Where it is missing, `Origin` must name this service. Later versions may add values. */
                "Sec-Fetch-Site"?: components["parameters"]["SecFetchSite"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["BrowserRefresh"];
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /**
                             * @description Where to send the browser.
                             * @example https://login.example.org/authorize?client_id=studytrack&state=pUq4c1vTn0xgYv3mB7k2dQ
                             */
                            url: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    finishSingleSignOn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. Where it is missing, `Origin` must name this service. Later versions may add values. */
                "Sec-Fetch-Site"?: components["parameters"]["SecFetchSite"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "code=Vn0xgYv3mB7k2dQ&state=pUq4c1vTn0xgYv3mB7k2dQ",
                 *       "keep_signed_in": true,
                 *       "otp": "287082"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The query of the address to which the provider has sent the browser back, without the question mark.
                     * @example code=Vn0xgYv3mB7k2dQ&state=pUq4c1vTn0xgYv3mB7k2dQ
                     */
                    query: string;
                    /**
                     * @description Whether the cookie outlives the browser: up to 30 days from the last refresh.
                     * @default false
                     * @example true
                     */
                    keep_signed_in?: boolean;
                    /**
                     * @description For accounts with a second factor: the code, or a recovery code.
                     * @example 287082
                     */
                    otp?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["BrowserSignIn"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrOtpRequired"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastAdmin"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "pUq4c1vTn0xgYv3mB7k2dQ"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description From the link in the mail.
                     * @example pUq4c1vTn0xgYv3mB7k2dQ
                     */
                    token: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "lin@example.org"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @example lin@example.org
                     */
                    email: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "admin",
                 *       "password": "a long and good password",
                 *       "otp": "287082"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Username or e-mail address.
                     * @example admin
                     */
                    username?: string;
                    /** @description Instead of the username. */
                    email?: string;
                    /**
                     * Format: password
                     * @example a long and good password
                     */
                    password: string;
                    /**
                     * @description For accounts with a second factor: the code, or a recovery code.
                     * @example 287082
                     */
                    otp?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Signed in. */
                        message: string;
                        data: components["schemas"]["SignedIn"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrOtpRequired"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GetMe"];
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateMe"];
        responses: {
            200: components["responses"]["UpdateMe"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateMe"];
        responses: {
            200: components["responses"]["UpdateMe"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ChangePassword"];
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ChangePassword"];
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "pUq4c1vTn0xgYv3mB7k2dQ"
                 *     }
                 */
                "application/json": {
                    /** @example pUq4c1vTn0xgYv3mB7k2dQ */
                    refresh_token: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Token refreshed. */
                        message: string;
                        data: components["schemas"]["SignedIn"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSignIns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["SignIn"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDeniedOrPasswordChangeRequired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSignIns: {
        parameters: {
            query?: {
                /** @description Whether the current one ends, too. Later versions may add values. */
                current?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDeniedOrPasswordChangeRequired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the sign-in. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDeniedOrPasswordChangeRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "current_password": "a long and good password"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description Required if the account has one; without a password, the sign-in must be at most ten minutes old.
                     * @example a long and good password
                     */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Scan the QR code with an authenticator application and confirm with a code. */
                        message: string;
                        data: {
                            /**
                             * @description In Base32, for manual entry.
                             * @example GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
                             */
                            secret: string;
                            /**
                             * @description The secret as a URL for authenticator applications.
                             * @example otpauth://totp/Studytrack:lin?issuer=Studytrack&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
                             */
                            otpauth_url: string;
                            /**
                             * @description The URL as a QR code in SVG.
                             * @example <svg></svg>
                             */
                            qr_svg: string;
                            /**
                             * Format: int64
                             * @description Seconds until the setup expires.
                             * @example 600
                             */
                            expires_in: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDeniedOrPasswordChangeRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["DisableTotp"];
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDeniedOrPasswordChangeRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "otp": "287082"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The six digits shown by the authenticator application, or a recovery code. Spaces and hyphens are ignored.
                     * @example 287082
                     */
                    otp: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The second factor is enabled; store the recovery codes in a safe place. */
                        message: string;
                        data: {
                            /** @description 10 codes, each valid once instead of a code. Returned only once. */
                            recovery_codes: string[];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDeniedOrPasswordChangeRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["DisableTotp"];
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDeniedOrPasswordChangeRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readCalendar: {
        parameters: {
            query: {
                /** @description The secret part of the address. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCaptcha: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @example q5Zr8wT1kVx0bN3cJ7hM2g */
                            captcha_id: string;
                            /**
                             * @description The picture as a data URL.
                             * @example data:image/png;base64,iVBORw0KGgo=
                             */
                            image: string;
                            /**
                             * Format: int64
                             * @description Seconds.
                             * @example 300
                             */
                            expires_in: number;
                            /** @description Only with `CAPTCHA_MODE=reveal`. */
                            answer?: string;
                        };
                    };
                    "image/png": string;
                    "audio/wav": string;
                };
            };
            304: components["responses"]["NotModified"];
            429: components["responses"]["ContactTooManyRequests"];
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
        };
    };
    submitContactRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "林小雨",
                 *       "email": "lin@example.org",
                 *       "phone": "+86 138-0013-8000",
                 *       "subject": "account_registration",
                 *       "message": "我想注册一个账号。",
                 *       "captcha": "K7PW",
                 *       "captcha_id": "q5Zr8wT1kVx0bN3cJ7hM2g"
                 *     }
                 */
                "application/json": {
                    /** @example 林小雨 */
                    name: string;
                    /**
                     * Format: email
                     * @example lin@example.org
                     */
                    email: string;
                    /**
                     * @description A Chinese mobile number. Spaces, hyphens, parentheses and the country code are removed.
                     * @example +86 138-0013-8000
                     */
                    phone?: string | null;
                    subject: components["schemas"]["ContactSubject"];
                    /** @example 我想注册一个账号。 */
                    message: string;
                    /**
                     * @description The characters in the picture, in upper or lower case.
                     * @example K7PW
                     */
                    captcha: string;
                    /**
                     * @description The id of the captcha; required if the cookie is not sent.
                     * @example q5Zr8wT1kVx0bN3cJ7hM2g
                     */
                    captcha_id?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Your request has been received. An administrator will reply within 24 hours. */
                        message: string;
                        requestId: components["schemas"]["Id"];
                    };
                };
            };
            /** @description VALIDATION_ERROR, CONFLICT, IDEMPOTENCY_MISMATCH, PAYLOAD_TOO_LARGE: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            429: components["responses"]["ContactTooManyRequests"];
            500: components["responses"]["ContactInternalError"];
        };
    };
    getDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Dashboard"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description The maximum duration of the response; never longer than a token is valid. */
                seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listForecasts: {
        parameters: {
            query: {
                /** @description The ids of the projects, separated by commas. */
                project_ids: string;
                /** @description For administrators: the forecasts of this user. */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["ProjectForecast"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unsubscribe: {
        parameters: {
            query: {
                /** @description From the link in the mail. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example You will not get these mails any more. */
                        message: string;
                        data: {
                            /**
                             * @description Which mails were switched off. Later versions may add values.
                             * @example week
                             * @enum {string}
                             */
                            kind: "streak" | "week";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GetMe"];
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateMe"];
        responses: {
            200: components["responses"]["UpdateMe"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["DeleteMe"];
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrLastAdmin"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateMe"];
        responses: {
            200: components["responses"]["UpdateMe"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        /** @description Null if there is no address. */
                        data: {
                            created_at: components["schemas"]["Instant"];
                            /** @description When a calendar last read it, accurate to about a minute. */
                            last_used_at: components["schemas"]["Instant"] | null;
                        } | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The calendar address was created. Copy it now; it is not shown again. */
                        message: string;
                        data: {
                            /**
                             * @description For calendar applications. Anyone who knows it can read the records. Returned only once; empty when the `Idempotency-Key` is repeated.
                             * @example http://127.0.0.1:3000/api/calendar.ics?token=pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d
                             */
                            secret_url: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Channel"] | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["SaveChannel"];
        responses: {
            200: components["responses"]["SaveChannel"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["SaveChannel"];
        responses: {
            200: components["responses"]["SaveChannel"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "kind": "ntfy",
                 *       "url": "https://ntfy.sh/mei"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `url` is any other address; it gets JSON, signed as Standard Webhooks say if there is a secret. Later versions may add values.
                     * @example feishu
                     * @enum {string}
                     */
                    kind?: "ntfy" | "feishu" | "dingtalk" | "wecom" | "url";
                    /**
                     * Format: uri
                     * @description Where it is sent; never returned in full.
                     * @example https://open.feishu.cn/open-apis/bot/v2/hook/4f1c2a93
                     */
                    url?: string;
                    /**
                     * @description Feishu, DingTalk and `url`: the secret that signs; ntfy: an access token. Never returned.
                     * @example SEC4f1c2a93
                     */
                    secret?: string | null;
                    /**
                     * @description A word that the robot requires in each message; it is added where it is missing.
                     * @example 学习
                     */
                    keyword?: string | null;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            arrived: boolean;
                            /**
                             * Format: int64
                             * @example 400
                             */
                            milliseconds: number;
                            /**
                             * @description The HTTP status of the answer, if there was one.
                             * @example 200
                             */
                            status: number | null;
                            /**
                             * @description The beginning of the answer.
                             * @example {"code":0,"msg":"success"}
                             */
                            answer: string | null;
                            /**
                             * @description Null if it arrived.
                             * @example null
                             */
                            error_code: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDaysOff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ListDaysOffOfUser"];
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDaysOff: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ExcuseUser"];
        responses: {
            200: components["responses"]["ExcuseUser"];
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The days off were added. */
                        message: string;
                        data: components["schemas"]["DaysOff"] | components["schemas"]["EffectOfDays"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDaysOff: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the days off. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateDaysOffOfUser"];
        responses: {
            200: components["responses"]["UpdateDaysOffOfUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDaysOff: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the days off. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeleteDaysOffOfUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchDaysOff: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is saved; the response says what would change. Later versions may add values. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /** @description The id of the days off. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateDaysOffOfUser"];
        responses: {
            200: components["responses"]["UpdateDaysOffOfUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["DeleteMe"];
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrLastAdmin"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        /** @description The latest one, or null if there was none within the last day. */
                        data: components["schemas"]["PersonalExport"] | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The archive is being created; GET /api/me/export shows when it is ready. */
                        message: string;
                        data: components["schemas"]["PersonalExport"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Tag"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name; case, accents and width do not matter. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name; case, accents and width do not matter. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RenameTag"];
        responses: {
            200: components["responses"]["RenameTag"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name; case, accents and width do not matter. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name; case, accents and width do not matter. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RenameTag"];
        responses: {
            200: components["responses"]["RenameTag"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["PersonalToken"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Backup script",
                 *       "scopes": [
                 *         "read",
                 *         "sessions:write"
                 *       ],
                 *       "expires_at": "2027-02-01T08:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The purpose of the token.
                     * @example Backup script
                     */
                    name: string;
                    scopes: components["schemas"]["TokenScopes"];
                    /**
                     * Format: date-time
                     * @description When it expires; at most a year from now.
                     * @example 2027-02-01T08:00:00Z
                     */
                    expires_at: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The token was created. Copy it now; it is not shown again. */
                        message: string;
                        data: components["schemas"]["CreatedPersonalToken"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMeta: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Projects in this state. Later versions may add values. */
                status?: "active" | "completed" | "paused" | "all";
                /** @description Projects of this category. Later versions may add values. */
                category?: "academic" | "skill" | "hobby" | "other" | "all";
                /** @description The id of a user, `me` or `all`. */
                creator?: ("me" | "all") | number;
                /** @description Projects whose forecast has this state on the current day of the caller. Later versions may add values. */
                state?: "no_target" | "not_started" | "done" | "overdue" | "paused" | "behind" | "slowing" | "ahead" | "on_track" | "all";
                /** @description Projects assigned to this user; only for administrators. */
                assigned_user_id?: number;
                /** @description `none`: projects without assigned users; only for administrators. Later versions may add values. */
                assigned?: "none" | "all";
                /** @description Part of the name or description, ignoring case; `%` and `_` are not wildcards. */
                search?: string;
                /** @description The field to sort by, then by id. Projects without a due date or own record come last. Later versions may add values. */
                sort?: "id" | "name" | "status" | "category" | "rating_standard" | "target_hours" | "current_hours" | "progress" | "due_date" | "own_hours" | "own_last_session" | "created_at" | "updated_at";
                /** @description The direction of the sort. Later versions may add values. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            projects: components["schemas"]["Project"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Linear algebra",
                 *       "description": "Vectors, matrices, proofs",
                 *       "category": "other",
                 *       "target_hours": 40,
                 *       "rating_standard": "normal",
                 *       "due_date": "2026-06-30",
                 *       "weekly_goal_hours": 5,
                 *       "target_scope": "shared",
                 *       "color": 3,
                 *       "assigned_user_ids": [
                 *         7,
                 *         9
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example Linear algebra */
                    name: string;
                    /**
                     * @description Null clears the description.
                     * @example Vectors, matrices, proofs
                     */
                    description?: string | null;
                    /**
                     * @default other
                     * @enum {string}
                     */
                    category?: "academic" | "skill" | "hobby" | "other";
                    /**
                     * @description Hours, rounded to two decimals, at least 0.01; 0 or null for no target.
                     * @example 40
                     */
                    target_hours?: number | null;
                    /**
                     * @default normal
                     * @enum {string}
                     */
                    rating_standard?: "excellent" | "good" | "normal";
                    /**
                     * @description The day by which the target should be reached; null for none.
                     * @example 2026-06-30
                     */
                    due_date?: string | null;
                    /**
                     * @description The target hours per week, rounded to two decimals; null for none.
                     * @example 5
                     */
                    weekly_goal_hours?: number | null;
                    /** @default shared */
                    target_scope?: components["schemas"]["TargetScope"];
                    /** @description The number of a color; by default it follows from the id. */
                    color?: number | null;
                    /**
                     * @description Required and not empty for administrators; ignored for ordinary users.
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    assigned_user_ids?: number[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The project was created. */
                        message: string;
                        data: components["schemas"]["Project"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["ProjectDetail"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateProject"];
        responses: {
            200: components["responses"]["UpdateProject"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeleteContactRequest"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateProject"];
        responses: {
            200: components["responses"]["UpdateProject"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAssignments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Assignment"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjectForecast: {
        parameters: {
            query?: {
                /** @description For administrators: the forecast of this user. */
                user_id?: number;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Forecast"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadProjectImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    image: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The cover image was stored. */
                        message: string;
                        data: {
                            /**
                             * @description The public path of the picture; the same as the `image` of the project.
                             * @example /uploads/projects/5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp
                             */
                            image_url: string;
                            /**
                             * @description The file name, generated by the service.
                             * @example 5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp
                             */
                            filename: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProjectImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Page number, from 1. Without it and `limit`, all entries. */
                page?: number;
                /** @description Entries per page, 10 if only `page` is given; values above 100 mean 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        pagination?: components["schemas"]["Pagination"];
                        data: components["schemas"]["Member"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The project was restored. */
                        message: string;
                        data: components["schemas"]["Project"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectSessions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Records that started on this day, or at this time, or later. */
                from?: components["parameters"]["From"];
                /** @description Records that started before the end of this day, which is included, or before this time, which is not. Days are those of the caller. */
                to?: components["parameters"]["To"];
                /** @description Records of this user. */
                user_id?: components["parameters"]["UserId"];
                /** @description Records of the user with this name, ignoring case. */
                username?: components["parameters"]["Username"];
                /** @description Part of the note, ignoring case; `%` and `_` are not wildcards. */
                search?: components["parameters"]["QuerySearch"];
                /** @description Records with this tag, ignoring case, accents and width; `none`: those without tags. */
                tag?: components["parameters"]["Tag"];
                /** @description The order by start. Later versions may add values. */
                order?: components["parameters"]["QueryOrder"];
                /** @description `true`: only running timers; `false`: only finished records. Later versions may add values. */
                running?: components["parameters"]["Running"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ListProjectSessions"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "started_at": "2026-02-01T08:00:00Z",
                 *       "duration_seconds": 5400,
                 *       "note": "Chapter 3"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00Z
                     */
                    started_at: string;
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00Z
                     */
                    ended_at?: string;
                    /**
                     * Format: int32
                     * @description Instead of `ended_at`.
                     * @example 5400
                     */
                    duration_seconds?: number;
                    /**
                     * @default
                     * @example Chapter 3
                     */
                    note?: string;
                    /**
                     * @description From the author's own tags, to which new names are added. Names that differ only in case, accents or width are the same tag.
                     * @default []
                     * @example [
                     *       "mock exam"
                     *     ]
                     */
                    tags?: string[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The study record was saved. */
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrProjectNotActiveOrSessionOverlapOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjectStatistics: {
        parameters: {
            query?: {
                /** @description The first local day of a period, to which totals and lists are limited, or a time on it. */
                from?: components["schemas"]["DayOrInstant"];
                /** @description The last day, which is included, by default today; at most 371 days in all. A time is not included: the last day is that of the moment before. */
                to?: components["schemas"]["DayOrInstant"];
                /** @description `previous`: adds the totals of the period of the same length before. Later versions may add values. */
                compare?: components["parameters"]["Compare"];
                /** @description The first day of another period to compare it with, in the same calendar, or a time on it. */
                other_from?: components["parameters"]["QueryOtherFrom"];
                /** @description Its last day, which is included. A time is not included. */
                other_to?: components["parameters"]["QueryOtherTo"];
                /** @description The time zone of days; defaults to the caller's. */
                tz?: components["parameters"]["Tz"];
                /** @description The maximum number of weeks in `weekly_progress`. */
                weeks?: components["parameters"]["Weeks"];
                /** @description The statistics of this user. */
                user_id?: components["parameters"]["QueryUserId"];
                /** @description `false` leaves `daily` empty: it is most of the response. Later versions may add values. */
                daily?: components["parameters"]["Daily"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Statistics"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    batchAssign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "project_ids": [
                 *         1,
                 *         2
                 *       ],
                 *       "user_ids": [
                 *         7,
                 *         9
                 *       ],
                 *       "assign_type": "add"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The projects to change.
                     * @example [
                     *       1,
                     *       2
                     *     ]
                     */
                    project_ids: components["schemas"]["Id"][];
                    /**
                     * @description Shape A: the users affected; may be empty only with `replace` or `group_ids`.
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    user_ids?: components["schemas"]["Id"][];
                    /** @description Shape A: groups whose active members are appended to `user_ids`. */
                    group_ids?: components["schemas"]["Id"][];
                    /**
                     * @description Shape A: what to do with them. Later versions may add values.
                     * @enum {string}
                     */
                    assign_type?: "add" | "remove" | "replace";
                    /** @description Shape B: the resulting list of every project; may be empty. */
                    assigned_user_ids?: components["schemas"]["Id"][];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["BatchAssignResult"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @enum {string} */
                            id: "academic" | "skill" | "hobby" | "other";
                            /** @example Academic */
                            name: string;
                            /** @example School and university subjects */
                            description: string;
                            /** @example academic */
                            icon: string;
                        }[];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTrash: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            projects: {
                                id: components["schemas"]["Id"];
                                /** @example Linear algebra */
                                name: string;
                                /** @example Vectors, matrices, proofs */
                                description: string;
                                /** @enum {string} */
                                status: "active" | "completed" | "paused";
                                /** @enum {string} */
                                category: "academic" | "skill" | "hobby" | "other";
                                /** @example 40 */
                                target_hours: number;
                                /** @example 12.5 */
                                current_hours: number;
                                /** @example 31.25 */
                                progress: number;
                                /** @enum {string} */
                                rating_standard: "excellent" | "good" | "normal";
                                /**
                                 * @description The day by which the target should be reached.
                                 * @example 2026-06-30
                                 */
                                due_date: string | null;
                                /**
                                 * @description The target hours per week.
                                 * @example 5
                                 */
                                weekly_goal_hours: number | null;
                                target_scope: components["schemas"]["TargetScope"];
                                color: components["schemas"]["ProjectColor"];
                                /**
                                 * @description The part of `current_hours` studied by the caller.
                                 * @example 4.5
                                 */
                                own_hours: number;
                                /**
                                 * @description The caller's own hours in percent of the target, at most 100; 0 without a target.
                                 * @example 11.25
                                 */
                                own_progress: number;
                                /** @description The end of the caller's latest finished record. */
                                own_last_session: components["schemas"]["Instant"] | null;
                                /** @description The path of the cover image; absent if there is none. */
                                image?: string;
                                /**
                                 * @description The creator, who owns the project.
                                 * @example 1
                                 */
                                user_id: components["schemas"]["Id"];
                                /**
                                 * @deprecated
                                 * @description Deprecated: use `assigned_user_ids`, whose first it is.
                                 * @example 7
                                 */
                                assigned_user_id: components["schemas"]["Id"] | null;
                                /**
                                 * @description All assigned users for the owner and administrators; others see at most themselves.
                                 * @example [
                                 *       7,
                                 *       9
                                 *     ]
                                 */
                                assigned_user_ids: components["schemas"]["Id"][];
                                /**
                                 * @description The number of assigned users; null for assigned users if there are fewer than five.
                                 * @example 2
                                 */
                                members_count: number | null;
                                created_at: components["schemas"]["Instant"];
                                updated_at: components["schemas"]["Instant"];
                                etag: components["schemas"]["ETag"];
                                deleted_at: components["schemas"]["Instant"];
                            }[];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAssignableUsers: {
        parameters: {
            query?: {
                /** @description Part of the username, display name or e-mail address. */
                search?: string;
                /** @description Members of this group. */
                group_id?: components["parameters"]["GroupId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @example 7 */
                            id: components["schemas"]["Id"];
                            /**
                             * @description The same as id.
                             * @example 7
                             */
                            user_id: components["schemas"]["Id"];
                            /** @example lin */
                            username: string;
                            /** @example Lin Wei */
                            display_name: string;
                            /** @example lin@example.org */
                            email: string;
                            /** @constant */
                            status: "active";
                        }[];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReportLinks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Links to the reports of this student. */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            links: components["schemas"]["ReportLink"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeReportLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readSharedReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "pUq4c1vTn0xgYv3mB7k2dQ"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The fragment of the link.
                     * @example pUq4c1vTn0xgYv3mB7k2dQ
                     */
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["StudentReport"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReport: {
        parameters: {
            query: {
                /** @description The first local day of the student, or a time on it. */
                from: components["schemas"]["DayOrInstant"];
                /** @description The last day, which is included; at most 371 days in all. A time is not included: the last day is that of the moment before. */
                to: components["schemas"]["DayOrInstant"];
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["StudentReport"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createReportLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-01-01",
                 *       "to": "2026-01-31",
                 *       "expires_at": "2026-06-01T08:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The first local day of the student, or a time on it.
                     * @example 2026-01-01
                     */
                    from: components["schemas"]["DayOrInstant"];
                    /**
                     * @description The last day, which is included; at most 371 days in all. A time is not included: the last day is that of the moment before.
                     * @example 2026-01-31
                     */
                    to: components["schemas"]["DayOrInstant"];
                    /**
                     * Format: date-time
                     * @description When it expires; at most a year from now.
                     * @example 2026-06-01T08:00:00Z
                     */
                    expires_at: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The link was created. Copy it now; it is not shown again. */
                        message: string;
                        data: components["schemas"]["CreatedReportLink"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSchoolYear: {
        parameters: {
            query?: {
                /** @description For administrators: that of this user. */
                user_id?: number;
                /** @description For administrators: that of this class, without `user_id`. */
                group_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["SchoolYear"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description Entries per page; values above 100 mean 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Records that started on this day, or at this time, or later. */
                from?: components["parameters"]["From"];
                /** @description Records that started before the end of this day, which is included, or before this time, which is not. Days are those of the caller. */
                to?: components["parameters"]["To"];
                /** @description Records of this user. */
                user_id?: components["parameters"]["UserId"];
                /** @description Records of the user with this name, ignoring case. */
                username?: components["parameters"]["Username"];
                /** @description Part of the note, ignoring case; `%` and `_` are not wildcards. */
                search?: components["parameters"]["QuerySearch"];
                /** @description Records with this tag, ignoring case, accents and width; `none`: those without tags. */
                tag?: components["parameters"]["Tag"];
                /** @description The order by start. Later versions may add values. */
                order?: components["parameters"]["QueryOrder"];
                /** @description `true`: only running timers; `false`: only finished records. Later versions may add values. */
                running?: components["parameters"]["Running"];
                /** @description Records on this project. */
                project_id?: components["parameters"]["QueryProjectId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ListProjectSessions"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateSession"];
        responses: {
            200: components["responses"]["UpdateSession"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ProjectNotActiveOrSessionOverlapOrTimerRunning"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeleteContactRequest"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateSession"];
        responses: {
            200: components["responses"]["UpdateSession"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ProjectNotActiveOrSessionOverlapOrTimerRunning"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportSessions: {
        parameters: {
            query?: {
                /** @description Records that started on this day, or at this time, or later. */
                from?: components["parameters"]["From"];
                /** @description Records that started before the end of this day, which is included, or before this time, which is not. Days are those of the caller. */
                to?: components["parameters"]["To"];
                /** @description Records of this user. */
                user_id?: components["parameters"]["UserId"];
                /** @description Records of the user with this name, ignoring case. */
                username?: components["parameters"]["Username"];
                /** @description Part of the note, ignoring case; `%` and `_` are not wildcards. */
                search?: components["parameters"]["QuerySearch"];
                /** @description Records with this tag, ignoring case, accents and width; `none`: those without tags. */
                tag?: components["parameters"]["Tag"];
                /** @description The order by start. Later versions may add values. */
                order?: components["parameters"]["QueryOrder"];
                /** @description Records on this project. */
                project_id?: components["parameters"]["QueryProjectId"];
                /** @description The format of the file. Later versions may add values. */
                format?: "csv" | "json";
                /** @description The columns of a CSV file: the fields of a record, or, for people, date, start, end, hours, project, note and user, in the caller's language and time zone. Later versions may add values. */
                layout?: "fields" | "spreadsheet";
                /** @description The separator of `layout=spreadsheet`; with `semicolon`, hours have a decimal comma. Later versions may add values. */
                separator?: "comma" | "semicolon" | "tab";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            sessions: components["schemas"]["Session"][];
                        };
                    };
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                    /**
                     * @description Unless `false`, the file is only checked. Later versions may add values.
                     * @default true
                     * @enum {string}
                     */
                    dry_run?: "true" | "false";
                    /**
                     * @description What to do with rows that overlap a record or an earlier row: `reject` the file, `skip` them, `trim` them so that the later one begins where the earlier one ends, or `stack` rows of the file so that the later one keeps its duration and follows the earlier ones, also past records, within 24 hours. Rows of which nothing is left, during which a record begins, or, with `stack`, that overlap a record as written, are skipped. Later versions may add values.
                     * @default reject
                     * @enum {string}
                     */
                    on_overlap?: "reject" | "skip" | "trim" | "stack";
                    /**
                     * @description Leave out rows with errors instead of rejecting the file; the report lists them. Later versions may add values.
                     * @default false
                     * @enum {string}
                     */
                    skip_invalid?: "true" | "false";
                    /**
                     * @description Create projects that the caller cannot see, as projects of the caller. Later versions may add values.
                     * @default false
                     * @enum {string}
                     */
                    create_projects?: "true" | "false";
                    /**
                     * @description The order in dates such as 03/04/2026 and 26-04-03; `auto` detects it from the days, ends and durations of the file, or else takes the month first, and the report says so. Later versions may add values.
                     * @default auto
                     * @enum {string}
                     */
                    date_order?: "auto" | "month_first" | "day_first" | "year_first";
                    /**
                     * @description The unit of durations such as 90, and of the first number of 1:30. Without it, the header or the starts and ends must tell it: rows of which it is not known have errors, and the report has `duration_unit_asked`. Later versions may add values.
                     * @enum {string}
                     */
                    duration_unit?: "hours" | "minutes" | "seconds" | "milliseconds";
                    /** @description The headers of columns that are not recognised, as JSON: an object with some of project, note, start, end, date, start_date, start_time, end_date, end_time, duration, email, tags. The report of a dry run names those in use. */
                    columns?: string;
                    /** @description The id or name of the project of rows that name none. */
                    default_project?: string;
                    /** @description Other projects for names in the file, as JSON: an object from name to id, name, or null for rows to leave out. */
                    project_map?: string;
                    /**
                     * @description With `own`, rows of other people are left out if a file has several people's. Later versions may add values.
                     * @default own
                     * @enum {string}
                     */
                    people?: "own" | "all";
                    /**
                     * @description Accept an export of another account or installation, whose projects are matched by name. Later versions may add values.
                     * @default false
                     * @enum {string}
                     */
                    from_other_account?: "true" | "false";
                    /**
                     * @description Rows with a date and a duration only follow one another from this time of their day.
                     * @default 09:00
                     */
                    day_starts_at?: string;
                    /**
                     * @description The time zone of local times in a report; defaults to the caller's.
                     * @example Asia/Shanghai
                     */
                    time_zone?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        /**
                         * @example {
                         *       "import_id": 12,
                         *       "rows": 120,
                         *       "valid": 117,
                         *       "duplicates": 2,
                         *       "overlaps": 1,
                         *       "skipped": 1,
                         *       "trimmed": 1,
                         *       "moved": 0,
                         *       "invalid": 0,
                         *       "created_projects": 0,
                         *       "left_out": 0,
                         *       "shortened": 0,
                         *       "other_durations": 3,
                         *       "date_order": "month_first",
                         *       "date_order_guessed": false,
                         *       "duration_unit": "hours",
                         *       "duration_unit_asked": false,
                         *       "columns": {
                         *         "project": "Project",
                         *         "start_date": "Start date",
                         *         "start_time": "Start time",
                         *         "duration": "Duration (h)"
                         *       },
                         *       "file_columns": [
                         *         {
                         *           "name": "Project",
                         *           "example": "Linear algebra"
                         *         },
                         *         {
                         *           "name": "Start date",
                         *           "example": "07/14/26"
                         *         },
                         *         {
                         *           "name": "Start time",
                         *           "example": "09:00"
                         *         },
                         *         {
                         *           "name": "Duration (h)",
                         *           "example": "1.5"
                         *         },
                         *         {
                         *           "name": "Billable",
                         *           "example": "No"
                         *         }
                         *       ],
                         *       "unread_columns": [
                         *         "Billable"
                         *       ],
                         *       "readings": [
                         *         {
                         *           "field": "start_date",
                         *           "column": "Start date",
                         *           "written": "07/14/26",
                         *           "read": "14 July 2026, month first",
                         *           "date_order": "month_first"
                         *         },
                         *         {
                         *           "field": "duration",
                         *           "column": "Duration (h)",
                         *           "written": "1.5",
                         *           "read": "1 hour 30 minutes",
                         *           "duration_unit": "hours"
                         *         }
                         *       ],
                         *       "hours": 152.5,
                         *       "imported": 117,
                         *       "errors": [],
                         *       "notices": [
                         *         {
                         *           "row": 14,
                         *           "action": "trimmed",
                         *           "field": "started_at",
                         *           "message": "overlaps row 13",
                         *           "other_row": 13,
                         *           "started_at": "2026-02-01T09:30:00.000Z"
                         *         },
                         *         {
                         *           "row": 31,
                         *           "action": "skipped",
                         *           "field": "started_at",
                         *           "message": "overlaps your record 310",
                         *           "session_id": 310
                         *         }
                         *       ],
                         *       "projects": [
                         *         {
                         *           "project_id": 42,
                         *           "project_name": "Linear algebra",
                         *           "sessions": 117,
                         *           "hours": 152.5,
                         *           "started_at": "2026-02-01T08:00:00.000Z",
                         *           "ended_at": "2026-03-29T18:00:00.000Z"
                         *         }
                         *       ],
                         *       "sessions": []
                         *     }
                         */
                        data: {
                            /** Format: int64 */
                            rows: number;
                            /**
                             * Format: int64
                             * @description Rows to import, including trimmed ones.
                             */
                            valid: number;
                            /**
                             * Format: int64
                             * @description Rows that already exist or are repeated in the file; left out.
                             */
                            duplicates: number;
                            /**
                             * Format: int64
                             * @description Rows rejected or skipped because they overlap.
                             */
                            overlaps: number;
                            /**
                             * Format: int64
                             * @description Rows left out because they overlap.
                             */
                            skipped: number;
                            /** Format: int64 */
                            trimmed: number;
                            /**
                             * Format: int64
                             * @description Rows that `stack` lets begin later.
                             */
                            moved: number;
                            /**
                             * Format: int64
                             * @description Rows with an error other than an overlap.
                             */
                            invalid: number;
                            /** Format: int64 */
                            created_projects: number;
                            /**
                             * Format: int64
                             * @description Rows of other people, and of projects that `project_map` leaves out.
                             */
                            left_out: number;
                            /**
                             * Format: int64
                             * @description Rows whose project name, note or tags are shortened to their maximum length, or with more than five tags.
                             */
                            shortened: number;
                            /**
                             * Format: int64
                             * @description Rows whose duration differs from the time between their start and end by a minute or more: start and end count.
                             */
                            other_durations: number;
                            /** @description The headers of the columns in use. */
                            columns: {
                                [key: string]: string;
                            };
                            /** @description The columns of the file that have a name, each with its cell in the first row. */
                            file_columns: components["schemas"]["FileColumn"][];
                            /** @description The headers of columns that are not read, and the letters, such as `(C)`, of columns with values but no header. */
                            unread_columns: string[];
                            /** @description How dates, times and durations were read: an example of each way in which a column has them. */
                            readings: components["schemas"]["ImportReading"][];
                            /**
                             * @description Later versions may add values.
                             * @enum {string}
                             */
                            date_order: "month_first" | "day_first" | "year_first";
                            /** @description Whether the dates of the file can be read in several orders. */
                            date_order_guessed: boolean;
                            /** @description The unit of durations without a unit, such as 90; null if it is not known. */
                            duration_unit: ("hours" | "minutes" | "seconds" | "milliseconds") | null;
                            /** @description Whether rows have errors because their durations have no unit: send `duration_unit`. */
                            duration_unit_asked: boolean;
                            /** @description Total of the valid rows. */
                            hours: number;
                            /** Format: int64 */
                            imported: number;
                            /** @description Why the file is rejected; the first 100. */
                            errors: components["schemas"]["ImportError"][];
                            /** @description Rows that are not imported unchanged; the first 100. */
                            notices: components["schemas"]["ImportNotice"][];
                            /** @description The valid rows by project, the first 100 by hours. */
                            projects: components["schemas"]["ImportedProject"][];
                            /** @description For a dry run, the first 100 records that would be imported. */
                            sessions: components["schemas"]["ImportedSession"][];
                            /** @description The id of the import. */
                            import_id: components["schemas"]["Id"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessionImports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            imports: components["schemas"]["SessionImport"][];
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSessionImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["SessionImport"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    undoSessionImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        /**
                         * @example {
                         *       "deleted": 116,
                         *       "kept": 1
                         *     }
                         */
                        data: {
                            /** Format: int64 */
                            deleted: number;
                            /**
                             * Format: int64
                             * @description Records that have been edited or deleted since.
                             */
                            kept: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "pUq4c1vTn0xgYv3mB7k2dQ",
                 *       "username": "lin",
                 *       "email": "lin@example.org",
                 *       "display_name": "Lin Wei",
                 *       "timezone": "Asia/Shanghai",
                 *       "time_zone": "Asia/Shanghai",
                 *       "locale": "en",
                 *       "password": "a long and good password",
                 *       "example": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description From the fragment of the set-up link.
                     * @example pUq4c1vTn0xgYv3mB7k2dQ
                     */
                    token: string;
                    /**
                     * @description Unique, ignoring case.
                     * @example lin
                     */
                    username: string;
                    /**
                     * Format: email
                     * @example lin@example.org
                     */
                    email: string;
                    /**
                     * @description Defaults to the username.
                     * @example Lin Wei
                     */
                    display_name?: string;
                    /**
                     * @description IANA name; UTC until one is chosen.
                     * @example Asia/Shanghai
                     */
                    timezone?: string;
                    /**
                     * @description Another name of `timezone`. The two cannot be set to different zones.
                     * @example Asia/Shanghai
                     */
                    time_zone?: string;
                    /** @description The language of the administrator. */
                    locale?: ("en" | "zh" | "zh-Hant") | null;
                    /**
                     * Format: password
                     * @example a long and good password
                     */
                    password: string;
                    /**
                     * @description Whether to add an example school: three classes of students with projects and sixteen weeks of study, a term with a holiday, and a teacher of one class.
                     * @default false
                     */
                    example?: boolean;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The administrator was created; you can now sign in. */
                        message: string;
                        data: {
                            /**
                             * @description The name to sign in with.
                             * @example lin
                             */
                            username: string;
                            /**
                             * @description The password of the students and the class teacher of the example school. Shown only once.
                             * @example xK4vw9RpqZ2M
                             */
                            example_password?: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatistics: {
        parameters: {
            query?: {
                /** @description The first local day of a period, to which totals and lists are limited, or a time on it. */
                from?: components["schemas"]["DayOrInstant"];
                /** @description The last day, which is included, by default today; at most 371 days in all. A time is not included: the last day is that of the moment before. */
                to?: components["schemas"]["DayOrInstant"];
                /** @description `previous`: adds the totals of the period of the same length before. Later versions may add values. */
                compare?: components["parameters"]["Compare"];
                /** @description The first day of another period to compare it with, in the same calendar, or a time on it. */
                other_from?: components["parameters"]["QueryOtherFrom"];
                /** @description Its last day, which is included. A time is not included. */
                other_to?: components["parameters"]["QueryOtherTo"];
                /** @description The time zone of days; defaults to the caller's. */
                tz?: components["parameters"]["Tz"];
                /** @description The maximum number of weeks in `weekly_progress`. */
                weeks?: components["parameters"]["Weeks"];
                /** @description The statistics of this user. */
                user_id?: components["parameters"]["QueryUserId"];
                /** @description `false` leaves `daily` empty: it is most of the response. Later versions may add values. */
                daily?: components["parameters"]["Daily"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["PersonalStatistics"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sync: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; omit it to start a full copy. */
                since?: string;
                /** @description Items per page; values above 1000 mean 1000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @description The cursor is no longer valid: discard the copy and start over without `since`. */
                            reset: boolean;
                            /** @description New or changed, with their assignments. */
                            projects: components["schemas"]["Project"][];
                            /**
                             * @description The present colors of your active projects without a chosen one: they differ, and so depend on your other projects. Each page has all of them; they win over `color` of `projects`.
                             * @example [
                             *       {
                             *         "project_id": 42,
                             *         "color": 6
                             *       }
                             *     ]
                             */
                            colors: {
                                project_id: components["schemas"]["Id"];
                                /** Format: int32 */
                                color: number;
                            }[];
                            /** @description New or changed. */
                            sessions: components["schemas"]["Session"][];
                            /** @description Deleted or no longer visible to you. */
                            deleted: {
                                projects: {
                                    id: components["schemas"]["Id"];
                                    /**
                                     * @description The project name that your records on it show from now on; null if you have none.
                                     * @example Linear algebra
                                     */
                                    name: string | null;
                                }[];
                                /**
                                 * @description The ids of the records.
                                 * @example [
                                 *       310
                                 *     ]
                                 */
                                sessions: number[];
                            };
                            /** @description Whether another page is available. */
                            has_more: boolean;
                            /**
                             * @description The `since` of the next request; null with `reset`. Store it together with the items of this page.
                             * @example MS4wMTIzNDU2Nzg5YWJjZGVmLjE3NjQ5Lm8uMC4uMTc2OTkzMjgwMDAwMA
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTimer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["RunningTimer"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startTimer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "project_id": 42,
                 *       "note": "Chapter 3"
                 *     }
                 */
                "application/json": {
                    project_id: components["schemas"]["Id"];
                    /**
                     * @default
                     * @example Chapter 3
                     */
                    note?: string;
                    /**
                     * @description From the author's own tags, to which new names are added. Names that differ only in case, accents or width are the same tag.
                     * @default []
                     * @example [
                     *       "mock exam"
                     *     ]
                     */
                    tags?: string[];
                    /**
                     * Format: date-time
                     * @description Defaults to now; at most 24 hours ago.
                     * @example 2026-02-01T08:00:00Z
                     */
                    started_at?: string;
                    /** @description How long it is meant to run; null: open. */
                    planned_minutes?: number | null;
                };
            };
        };
        responses: {
            /** @description It already existed and is returned unchanged. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The timer was started. */
                        message: string;
                        data: components["schemas"]["StartedTimer"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The timer was started. */
                        message: string;
                        data: components["schemas"]["StartedTimer"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrProjectNotActiveOrSessionOverlapOrIdempotencyMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    stopTimer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "session_id": 310
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Defaults to the running timer.
                     * @example 310
                     */
                    session_id?: components["schemas"]["Id"];
                    /**
                     * Format: date-time
                     * @description Defaults to now.
                     * @example 2026-02-01T08:00:00Z
                     */
                    ended_at?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The timer was stopped. */
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description NO_TIMER: The current state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @constant */
                            status: "ok";
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @constant */
                            status: "ready";
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    on_project_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "project.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookProject"];
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_project_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "project.updated";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookProject"];
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_project_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "project.deleted";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        id: components["schemas"]["Id"];
                    };
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_project_restored: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "project.restored";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookProject"];
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_assignment_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "assignment.changed";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        project_id: components["schemas"]["Id"];
                        /**
                         * @description Later versions may add values.
                         * @enum {string}
                         */
                        change: "assigned" | "unassigned";
                        /**
                         * Format: int64
                         * @description The number of users.
                         * @example 2
                         */
                        users_count: number;
                        /**
                         * @description The first 1,000 users.
                         * @example [
                         *       7,
                         *       9
                         *     ]
                         */
                        user_ids: components["schemas"]["Id"][];
                    };
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_session_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "session.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookSession"];
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_session_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "session.updated";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookSession"];
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_session_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "session.deleted";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        id: components["schemas"]["Id"];
                        project_id: components["schemas"]["Id"];
                        user_id: components["schemas"]["Id"];
                    };
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_session_imported: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "session.imported";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        import_id: components["schemas"]["Id"];
                        user_id: components["schemas"]["Id"];
                        /**
                         * Format: int64
                         * @description The number of created records.
                         * @example 340
                         */
                        sessions_count: number;
                        /**
                         * @description The projects of the records.
                         * @example [
                         *       42
                         *     ]
                         */
                        project_ids: components["schemas"]["Id"][];
                    };
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_goal_reached: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "goal.reached";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookGoal"];
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_contact_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "contact.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookContactRequest"];
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_contact_status_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "contact.status_changed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookContactRequest"];
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_events_skipped: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "events.skipped";
                    /** Format: date-time */
                    timestamp: string;
                    /** @description Events that were not recorded in this time, because too many of them waited. */
                    data: {
                        webhook_id: components["schemas"]["Id"];
                        /** @description Whose events; `null`: those of everybody. */
                        user_id: components["schemas"]["Id"] | null;
                        from: components["schemas"]["Instant"];
                        until: components["schemas"]["Instant"];
                    };
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
    on_ping: {
        parameters: {
            query?: never;
            header: {
                /** @description The same in every attempt to deliver the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Signatures according to Standard Webhooks, separated by spaces. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "ping";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        webhook_id: components["schemas"]["Id"];
                    };
                };
            };
        };
        responses: {
            204: components["responses"]["Received"];
        };
    };
}
