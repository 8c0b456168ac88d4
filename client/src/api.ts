// Made from docs/openapi.json by `npm run client:types`.

/** The paths whose POST takes an Idempotency-Key. */
export const creatingPaths: ReadonlySet<string> = new Set(["/api/admin/users","/api/projects","/api/contact/submit","/api/projects/{id}/sessions","/api/timer/start"]);

export interface paths {
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
         * @description With the username or the e-mail address. An account with a second factor takes `otp`, too; without it the right password is answered with OTP_REQUIRED. After ten failures for one account or thirty from one address within 15 minutes it answers 429; from an address that the account signed in from within 30 days the right password is still accepted, for up to ten failures there.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Each is used once. The used one is answered with the same successor for 30 seconds, unless that was used already; later it ends the sign-in.
         */
        post: operations["refreshToken"];
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
         * @description Its tokens hold no longer, in any process; other sign-ins go on.
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
         * Read your account
         * @description Who the token stands for, with role and time zone.
         */
        get: operations["getMe"];
        /**
         * Update your account
         * @description Every field is optional. A new e-mail address needs `current_password`, is answered with `pending_email`, and counts once the link that is mailed to it is opened; without a mail server only administrators change it (403).
         */
        put: operations["updateMe"];
        post?: never;
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
         * @description With the token of the mailed link: it can be used once, within 24 hours.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Ends all your other sign-ins. A wrong present password counts like a failed sign-in.
         */
        put: operations["changePassword"];
        post?: never;
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
         * @description Those that have not ended, most recently used first, at most 100.
         */
        get: operations["listSignIns"];
        put?: never;
        post?: never;
        delete?: never;
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
         * Begin to set up a second factor
         * @description Returns a new secret for an authenticator application (TOTP, RFC 6238). It takes effect once a code confirms it.
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
         * @description With a code made from the new secret. From then on signing in takes a code, too; present sign-ins continue.
         */
        post: operations["confirmTotp"];
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
         * @description For users who lost their device and their recovery codes. Your own takes a code: `DELETE /api/auth/totp`.
         */
        delete: operations["resetTotp"];
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Newest first. Deleted ones are not shown.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Without a password a one-time password is made, and returned this once: not again for the same Idempotency-Key. Can answer a contact request about account_registration in the same step.
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
         * Read one user
         * @description An account, without anything secret.
         */
        get: operations["getUser"];
        /**
         * Update a user
         * @description Every field is optional. Role and status take effect with the next request of the user.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Delete a user
         * @description Assignments and sign-ins go, a running timer ends. Study records stay with an anonymous user, owned projects with the administrators.
         */
        delete: operations["deleteUser"];
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
         * @description Ends all sign-ins of the user. Without a password a one-time password is made, and returned this once. Can answer a contact request about password_reset in the same step.
         */
        post: operations["resetPassword"];
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
         * @description Administrators see all projects; others those they own and those assigned to them. Never stale.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description An administrator names the users it is assigned to; an ordinary user creates it for themselves.
         */
        post: operations["createProject"];
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
         * @description The four there are, named in the language of the reader.
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
    "/api/projects/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active ordinary users, for assignment
         * @description All of them by username, unpaged.
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
    "/api/projects/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted projects
         * @description Own ones; administrators see all.
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
    "/api/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one project
         * @description With its count of records, the latest one and the achievements earned on it. For its owner, assigned users and administrators.
         */
        get: operations["getProject"];
        /**
         * Update a project
         * @description Every field is optional; `{}` changes nothing. Assignments are changed by administrators only.
         */
        put: operations["updateProject"];
        post?: never;
        /**
         * Delete a project
         * @description Its study records are kept; `POST /api/projects/{id}/restore` brings it back.
         */
        delete: operations["deleteProject"];
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
         * @description With the assignments of users who can still be assigned.
         */
        post: operations["restoreProject"];
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
         * @description A JPEG, PNG, GIF or WebP file of at most 5 MB, 50 megapixels and 500 frames. It is stored without metadata, and replaces the former one.
         */
        post: operations["uploadProjectImage"];
        /**
         * Take the cover image of a project away
         * @description Without one it changes nothing.
         */
        delete: operations["deleteProjectImage"];
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
         * @description With `user_ids` and `assign_type` valid pairs are applied and the others explained; with `assigned_user_ids` it is all or nothing, and the list becomes that of every project.
         */
        post: operations["batchAssign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description First assigned first. For the owner and administrators.
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
    "/api/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who works or worked on a project
         * @description Everybody who is assigned now or has recorded study on it.
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
    "/api/contact/captcha": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a captcha
         * @description The picture of four characters that a submission must name, valid for five minutes and one try. Which captcha it is stands in a cookie and in the answer. With `Accept: image/*` the picture itself.
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
         * @description At most five submissions an hour for an e-mail address and from an IP address, of which one is accepted for the e-mail address.
         */
        post: operations["submitContactRequest"];
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
         * List contact requests, newest first
         * @description With the number in each state over all requests.
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
    "/api/admin/contact-requests/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download contact requests as CSV
         * @description All pages of the list, as of one moment.
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
    "/api/admin/contact-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a contact request
         * @description With the address and the client it came from.
         */
        get: operations["getContactRequest"];
        put?: never;
        post?: never;
        /**
         * Delete a contact request
         * @description In any state, and for good.
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
         * @description From pending to reviewed to resolved, or straight to resolved; never back.
         */
        put: operations["advanceContactRequest"];
        post?: never;
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
         * @description All of them to its owner and administrators; other viewers find their own.
         */
        get: operations["listProjectSessions"];
        put?: never;
        /**
         * Record a stretch of study
         * @description On a project that the caller sees and that is active, or was when the record began. 1 second to 24 hours; two records of one user never overlap.
         */
        post: operations["createSession"];
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
         * @description Own ones, and those on own projects, deleted ones too; administrators see all.
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
    "/api/sessions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download records
         * @description The finished records of the list, all pages of it, as of one moment. The CSV file can be imported again.
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
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one record
         * @description For its author, the owner of the project and administrators.
         */
        get: operations["getSession"];
        /**
         * Correct a record
         * @description All fields are optional; one with its present value changes nothing. A running timer takes a note only.
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
         * The running timer
         * @description A record without an end, with the time so far; null when none runs.
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
         * @description On another project it stops the one that runs, which is answered as `stopped`; on the same project that one goes on and is answered with 200.
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
         * @description The record lasts one second at least, and at most as long as a timer may run.
         */
        post: operations["stopTimer"];
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
         * Import records
         * @description From a CSV file in UTF-8 of at most 10 MiB and 50000 rows: our own export, or the detailed report of Toggl Track or Clockify. Projects are found by id or name. All rows are saved or none; what is there already is left alone, so a file may be sent again. One import of a user runs at a time; its progress can be read meanwhile.
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
         * @description The newest ten of the caller, from the last 7 days.
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
         * Read the progress of an import
         * @description One of the caller’s own; imports are kept for 7 days.
         */
        get: operations["getSessionImport"];
        put?: never;
        post?: never;
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
         * Statistics of a project
         * @description All finished records on it, by everybody; with `user_id` those of one user: oneself, or anybody for the owner and administrators. A record belongs to the local days it touches.
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
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a person
         * @description The caller's own finished records over all projects; administrators may ask for another `user_id`.
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
    "/api/achievements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all achievements, with when the caller earned them
         * @description By own records over all projects. Once earned, they are kept.
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
    "/achievements/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The picture of an achievement
         * @description The `icon` of an achievement, readable without a token.
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
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what administrators changed, newest first
         * @description Written in the transaction of the change. Never a password, nor what a stranger wrote; names and addresses go when their account is deleted.
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
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process answers
         * @description Whether the process is alive, for whoever restarts it.
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
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The database answers and its schema is at head
         * @description Whether to send requests here; 503 also while the process is ending.
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
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures of this process for Prometheus
         * @description With `METRICS_TOKEN` set, it must be sent as the bearer token. With `NODE_ENV=production` and no token the path is unknown (404). With several processes, each answers for itself.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        User: {
            /** @example 7 */
            id: number;
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
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            updated_at: string;
            last_login_at: string | null;
            /**
             * @description Whether the password was made by the service and must be changed first.
             * @example false
             */
            must_change_password: boolean;
            /**
             * @description Whether signing in takes a second factor.
             * @example false
             */
            totp_enabled: boolean;
        };
        /** @description A failure of everything but the contact side. */
        Error: {
            /** @constant */
            success: false;
            /** @description In the language of the reader. */
            message: string;
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description The same text as above. */
                message: string;
                details?: {
                    field: string;
                    message: string;
                }[];
            };
        };
        /**
         * @description Never translated.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "UNAUTHORIZED" | "OTP_REQUIRED" | "PERMISSION_DENIED" | "PASSWORD_CHANGE_REQUIRED" | "OTP_SETUP_REQUIRED" | "RESOURCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PROJECT_NOT_ACTIVE" | "SESSION_OVERLAP" | "TIMER_RUNNING" | "NO_TIMER" | "LAST_ADMIN" | "IDEMPOTENCY_MISMATCH" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "SERVICE_UNAVAILABLE" | "INTERNAL_ERROR";
        UpdatedUser: {
            /** @example 7 */
            id: number;
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
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            updated_at: string;
            last_login_at: string | null;
            /**
             * @description Whether the password was made by the service and must be changed first.
             * @example false
             */
            must_change_password: boolean;
            /**
             * @description Whether signing in takes a second factor.
             * @example false
             */
            totp_enabled: boolean;
            /**
             * @description The new e-mail address, until the link that was mailed to it is opened.
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
             * @description The User-Agent header of the client, at most 200 characters; any client can send any text.
             * @example Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0
             */
            device: string;
            /**
             * @description The address it was last used from.
             * @example 192.0.2.10
             */
            address: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its tokens were last issued, not each request.
             * @example 2026-02-01T08:00:00.000Z
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @description When it ends unless it is refreshed; 90 days after it began at the latest.
             * @example 2026-02-01T08:00:00.000Z
             */
            expires_at: string;
            /** @description Whether this request belongs to it. */
            current: boolean;
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
            page: number;
            limit: number;
            total: number;
            pages: number;
        };
        UserWithPassword: {
            /** @example 7 */
            id: number;
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
            /**
             * @description IANA name.
             * @example Asia/Shanghai
             */
            timezone: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            updated_at: string;
            last_login_at: string | null;
            /**
             * @description Whether the password was made by the service and must be changed first.
             * @example false
             */
            must_change_password: boolean;
            /**
             * @description Whether signing in takes a second factor.
             * @example false
             */
            totp_enabled: boolean;
            /**
             * @description Shown this once, when the service chose the password.
             * @example xK4-vw9R-pq2M
             */
            one_time_password?: string;
        };
        Project: {
            /** @example 42 */
            id: number;
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
            /** @description The path of the cover image; absent when there is none. */
            image?: string;
            /**
             * @description The creator, who owns the project.
             * @example 1
             */
            user_id: number;
            /**
             * @description The first assigned user.
             * @example 7
             */
            assigned_user_id: number | null;
            /**
             * @description All of them to the owner and administrators; others find at most themselves.
             * @example [
             *       7,
             *       9
             *     ]
             */
            assigned_user_ids: number[];
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            updated_at: string;
        };
        ProjectDetail: {
            /** @example 42 */
            id: number;
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
            /** @description The path of the cover image; absent when there is none. */
            image?: string;
            /**
             * @description The creator, who owns the project.
             * @example 1
             */
            user_id: number;
            /**
             * @description The first assigned user.
             * @example 7
             */
            assigned_user_id: number | null;
            /**
             * @description All of them to the owner and administrators; others find at most themselves.
             * @example [
             *       7,
             *       9
             *     ]
             */
            assigned_user_ids: number[];
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Finished records.
             * @example 9
             */
            sessions_count: number;
            /** @description The end of the latest finished record. */
            last_session: string | null;
            achievements: {
                /** @example 1 */
                id: number;
                /** @example First step */
                name: string;
                /** @example Complete the first study record. */
                description: string;
                /**
                 * @description The path of a picture.
                 * @example /achievements/first_record.svg
                 */
                icon: string;
                /**
                 * Format: date-time
                 * @example 2026-02-01T08:00:00.000Z
                 */
                earned_at: string;
            }[];
        };
        BatchAssignResult: {
            /**
             * @description Pairs that now stand as asked.
             * @example 1
             */
            assigned_count: number;
            /**
             * @description Pairs that could not be processed.
             * @example 1
             */
            failed_count: number;
            details: {
                /** @example 1 */
                project_id: number;
                /** @example Linear algebra */
                project_name: string;
                assigned_users: {
                    /** @example 7 */
                    user_id: number;
                    /** @example lin */
                    username: string;
                    /** @enum {string} */
                    status: "assigned" | "already_assigned" | "removed" | "not_assigned";
                }[];
            }[];
            failures: {
                /** @example 2 */
                project_id: number;
                /**
                 * @description Null when a project is missing and no user was named.
                 * @example 7
                 */
                user_id: number | null;
                /** @enum {string} */
                code: "PROJECT_NOT_FOUND" | "USER_NOT_FOUND" | "USER_INACTIVE" | "USER_IS_ADMIN";
                /** @example There is no such project. */
                message: string;
            }[];
        };
        Assignment: {
            /** @example 7 */
            user_id: number;
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            assigned_at: string;
        };
        Member: {
            /** @example 7 */
            user_id: number;
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /** @description Null for whoever is not assigned now. */
            assigned_at: string | null;
            /** @example true */
            active_assignment: boolean;
            /** @example 9 */
            sessions_count: number;
            /** @example 12.5 */
            hours: number;
            last_session: string | null;
        };
        /** @description A failure of the contact side. */
        ContactError: {
            /** @constant */
            success: false;
            /** @description In the language of the reader. */
            message: string;
            code: components["schemas"]["ErrorCode"];
            errors?: {
                field: string;
                msg: string;
            }[];
        };
        ContactRequest: {
            /** @example 42 */
            id: number;
            /** @example 林小雨 */
            name: string;
            /** @example lin@example.org */
            email: string;
            /** @example 13800138000 */
            phone?: string;
            /** @enum {string} */
            subject: "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
            /** @example 我想注册一个账号。 */
            message: string;
            /**
             * @example reviewed
             * @enum {string}
             */
            status: "pending" | "reviewed" | "resolved";
            /** @example Account made on Monday. */
            admin_note: string | null;
            /** @example 203.0.113.7 */
            ip_address: string;
            /** @example Mozilla/5.0 */
            user_agent: string;
            /**
             * @description The account that was made or helped in answer, if any.
             * @example 42
             */
            user_id?: number;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            updated_at: string;
        };
        Session: {
            /** @example 310 */
            id: number;
            /** @example 42 */
            project_id: number;
            /** @example Linear algebra */
            project_name: string;
            /** @example 7 */
            user_id: number;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            started_at: string;
            /**
             * @description Null while the timer runs.
             * @example 2026-02-01T09:30:00.000Z
             */
            ended_at: string | null;
            /**
             * @description Of a running timer: up to now.
             * @example 5400
             */
            duration_seconds: number;
            /** @example 1.5 */
            hours: number;
            /** @example Chapter 3 */
            note: string;
            /** @enum {string} */
            source: "timer" | "manual";
            /**
             * @description Of its author, when it was made.
             * @example Asia/Shanghai
             */
            time_zone: string;
            /** @description The timer was left running and ended by the service. */
            auto_stopped: boolean;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "id": 310,
         *       "project_id": 42,
         *       "project_name": "Linear algebra",
         *       "user_id": 7,
         *       "started_at": "2026-02-01T08:00:00.000Z",
         *       "ended_at": null,
         *       "duration_seconds": 0,
         *       "hours": 0,
         *       "note": "Chapter 3",
         *       "source": "timer",
         *       "time_zone": "Asia/Shanghai",
         *       "auto_stopped": false,
         *       "created_at": "2026-02-01T08:00:00.000Z",
         *       "updated_at": "2026-02-01T08:00:00.000Z",
         *       "stopped": null
         *     }
         */
        StartedTimer: {
            /** @example 310 */
            id: number;
            /** @example 42 */
            project_id: number;
            /** @example Linear algebra */
            project_name: string;
            /** @example 7 */
            user_id: number;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            started_at: string;
            /**
             * @description Null while the timer runs.
             * @example 2026-02-01T09:30:00.000Z
             */
            ended_at: string | null;
            /**
             * @description Of a running timer: up to now.
             * @example 5400
             */
            duration_seconds: number;
            /** @example 1.5 */
            hours: number;
            /** @example Chapter 3 */
            note: string;
            /** @enum {string} */
            source: "timer" | "manual";
            /**
             * @description Of its author, when it was made.
             * @example Asia/Shanghai
             */
            time_zone: string;
            /** @description The timer was left running and ended by the service. */
            auto_stopped: boolean;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            updated_at: string;
            /** @description The timer that ran before, on another project. */
            stopped: components["schemas"]["Session"] | null;
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
         *         "valid": 118,
         *         "duplicates": 2,
         *         "overlaps": 0,
         *         "imported": 118,
         *         "errors": []
         *       },
         *       "error": null
         *     }
         */
        SessionImport: {
            id: number;
            dry_run: boolean;
            /**
             * @description Of `failed` nothing was written; of `undone` some was, and has been removed again. The last three are final.
             * @enum {string}
             */
            state: "checking" | "writing" | "undoing" | "done" | "failed" | "undone";
            /** @description Rows of the file; while it is checked, those read so far. */
            rows: number;
            /** @description Rows that have been written or left out. */
            processed: number;
            /** @description Records that the import has added. */
            imported: number;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            finished_at: string | null;
            /** @description Null until the file has been checked. */
            report: {
                rows: number;
                valid: number;
                /** @description There already, or twice in the file; left out. */
                duplicates: number;
                overlaps: number;
                imported: number;
                /** @description The first 100; rows are counted as a spreadsheet does, the header being 1. */
                errors: {
                    row: number;
                    field: string;
                    message: string;
                }[];
            } | null;
            /** @description Why it failed, as the answer to its request said. */
            error: {
                /** @enum {string} */
                code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "OTP_REQUIRED" | "PERMISSION_DENIED" | "PASSWORD_CHANGE_REQUIRED" | "OTP_SETUP_REQUIRED" | "RESOURCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PROJECT_NOT_ACTIVE" | "SESSION_OVERLAP" | "TIMER_RUNNING" | "NO_TIMER" | "LAST_ADMIN" | "IDEMPOTENCY_MISMATCH" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "SERVICE_UNAVAILABLE" | "INTERNAL_ERROR";
                message: string;
                details: {
                    field: string;
                    message: string;
                }[];
            } | null;
        };
        Statistics: {
            /** @example 5 */
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
             * @description Local days with study.
             * @example 4
             */
            study_days: number;
            /**
             * @description Days in a row up to today or yesterday. Of a project that is not active: as on the day it left that state. Days in a pause neither break nor extend a streak.
             * @example 2
             */
            current_streak: number;
            /** @example 3 */
            longest_streak: number;
            /**
             * @description 100 when completed, else the progress.
             * @example 31.25
             */
            completion_rate: number;
            /** @description ISO weeks, oldest first, up to the present one. */
            weekly_progress: {
                /** @example 2026-W05 */
                week: string;
                /** @example 7.5 */
                hours: number;
            }[];
        };
        PersonalStatistics: {
            /** @example 5 */
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
             * @description Local days with study.
             * @example 4
             */
            study_days: number;
            /**
             * @description Days in a row up to today or yesterday. Of a project that is not active: as on the day it left that state. Days in a pause neither break nor extend a streak.
             * @example 2
             */
            current_streak: number;
            /** @example 3 */
            longest_streak: number;
            /**
             * @description Mean progress of the active projects with a target, own and assigned.
             * @example 31.25
             */
            completion_rate: number;
            /** @description ISO weeks, oldest first, up to the present one. */
            weekly_progress: {
                /** @example 2026-W05 */
                week: string;
                /** @example 7.5 */
                hours: number;
            }[];
            /** @example 1.5 */
            today_hours: number;
            /**
             * @description Since Monday.
             * @example 7.5
             */
            week_hours: number;
            /** @description The last 371 days, oldest first. */
            daily: {
                /**
                 * Format: date
                 * @example 2026-02-01
                 */
                date: string;
                /** @example 1.5 */
                hours: number;
            }[];
            by_category: {
                /** @enum {string} */
                category: "academic" | "skill" | "hobby" | "other";
                /** @example 7.5 */
                hours: number;
            }[];
            /** @description The 20 projects with most hours; also deleted ones, for their records still count. */
            by_project: {
                /** @example 42 */
                project_id: number;
                /** @example Linear algebra */
                project_name: string;
                /** @example 7.5 */
                hours: number;
            }[];
            /**
             * @description Null when none runs.
             * @example {
             *       "id": 310,
             *       "project_id": 42,
             *       "project_name": "Linear algebra",
             *       "user_id": 7,
             *       "started_at": "2026-02-01T08:00:00.000Z",
             *       "ended_at": null,
             *       "duration_seconds": 1260,
             *       "hours": 0.35,
             *       "note": "Chapter 3",
             *       "source": "timer",
             *       "time_zone": "Asia/Shanghai",
             *       "auto_stopped": false,
             *       "created_at": "2026-02-01T08:00:00.000Z",
             *       "updated_at": "2026-02-01T08:00:00.000Z"
             *     }
             */
            running_timer: components["schemas"]["Session"] | null;
        };
        /**
         * @example {
         *       "id": 1,
         *       "name": "First step",
         *       "description": "Complete the first study record.",
         *       "icon": "/achievements/first_record.svg",
         *       "earned_at": null
         *     }
         */
        Achievement: {
            id: number;
            name: string;
            description: string;
            /** @description The path of a picture of this service. */
            icon: string;
            earned_at: string | null;
        };
        AuditEntry: {
            /** @example 42 */
            id: number;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            at: string;
            actor: {
                /** @example 42 */
                id: number;
                /** @example lin */
                username: string;
            };
            /**
             * @description The id of the operation in this reference.
             * @example updateUser
             */
            action: string;
            /**
             * @description The X-Request-Id of the answer, as the log has it.
             * @example b2a1c7de-0001
             */
            request_id: string;
            /** @enum {string} */
            target_type: "user" | "project" | "assignment" | "contact_request" | "session" | "export";
            /** @description One, or for assignments the projects; none for exports, whose filter is in `after`. */
            target_ids: number[];
            /**
             * @description The changed fields as they were; null for what is new.
             * @example {
             *       "role": "user"
             *     }
             */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The changed fields as they became; null for what was removed.
             * @example {
             *       "role": "admin"
             *     }
             */
            after: {
                [key: string]: unknown;
            } | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Names the request in the log.
         * @example 3f1c9a52-8d0e-4f0b-9d53-0d5a8c1b7e64
         */
        "X-Request-Id": string;
        /**
         * @description The state of what was read, for `If-None-Match` and `If-Match`.
         * @example "12.7en"
         */
        ETag: string;
        /**
         * @description The path of what was created.
         * @example /api/projects/42
         */
        Location: string;
        /**
         * @description `true` when this is the kept answer to an earlier request with the same key.
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description How to sign in.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before the next try.
         * @example 60
         */
        "Retry-After": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
                 *       "username": "lin",
                 *       "password": "a long and good password",
                 *       "otp": "287082"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Username or e-mail address.
                     * @example lin
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
            /** @description Sign in */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Signed in",
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl",
                     *         "token_type": "Bearer",
                     *         "expires_in": 900,
                     *         "refresh_token": "pUq4c1vTn0xgYv3mB7k2dQ",
                     *         "user": {
                     *           "id": 7,
                     *           "username": "lin",
                     *           "email": "lin@example.org",
                     *           "display_name": "Lin Wei",
                     *           "role": "user",
                     *           "status": "active",
                     *           "timezone": "Asia/Shanghai",
                     *           "created_at": "2026-02-01T08:00:00.000Z",
                     *           "updated_at": "2026-02-01T08:00:00.000Z",
                     *           "last_login_at": "2026-02-01T08:00:00.000Z",
                     *           "must_change_password": false,
                     *           "totp_enabled": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Signed in */
                        message: string;
                        data: {
                            /**
                             * @description For the Authorization header: `Bearer <token>`.
                             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl
                             */
                            token: string;
                            /** @constant */
                            token_type: "Bearer";
                            /**
                             * @description Seconds until the token expires.
                             * @example 900
                             */
                            expires_in: number;
                            /**
                             * @description For the next token; used once, 30 days long.
                             * @example pUq4c1vTn0xgYv3mB7k2dQ
                             */
                            refresh_token: string;
                            user: components["schemas"]["User"];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED, OTP_REQUIRED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description Exchange a refresh token for a new pair of tokens */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Token refreshed",
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl",
                     *         "token_type": "Bearer",
                     *         "expires_in": 900,
                     *         "refresh_token": "pUq4c1vTn0xgYv3mB7k2dQ",
                     *         "user": {
                     *           "id": 7,
                     *           "username": "lin",
                     *           "email": "lin@example.org",
                     *           "display_name": "Lin Wei",
                     *           "role": "user",
                     *           "status": "active",
                     *           "timezone": "Asia/Shanghai",
                     *           "created_at": "2026-02-01T08:00:00.000Z",
                     *           "updated_at": "2026-02-01T08:00:00.000Z",
                     *           "last_login_at": "2026-02-01T08:00:00.000Z",
                     *           "must_change_password": false,
                     *           "totp_enabled": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Token refreshed */
                        message: string;
                        data: {
                            /**
                             * @description For the Authorization header: `Bearer <token>`.
                             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl
                             */
                            token: string;
                            /** @constant */
                            token_type: "Bearer";
                            /**
                             * @description Seconds until the token expires.
                             * @example 900
                             */
                            expires_in: number;
                            /**
                             * @description For the next token; used once, 30 days long.
                             * @example pUq4c1vTn0xgYv3mB7k2dQ
                             */
                            refresh_token: string;
                            user: components["schemas"]["User"];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description End this sign-in */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Signed out"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Signed out */
                        message: string;
                    };
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description Read your account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 7,
                     *         "username": "lin",
                     *         "email": "lin@example.org",
                     *         "display_name": "Lin Wei",
                     *         "role": "user",
                     *         "status": "active",
                     *         "timezone": "Asia/Shanghai",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "last_login_at": "2026-02-01T08:00:00.000Z",
                     *         "must_change_password": false,
                     *         "totp_enabled": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateMe: {
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
                 *       "display_name": "Lin Wei",
                 *       "email": "lin@example.org",
                 *       "timezone": "Asia/Shanghai",
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
                     * Format: password
                     * @description Needed to change the e-mail address only.
                     * @example a long and good password
                     */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description Update your account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Your account was updated",
                     *       "data": {
                     *         "id": 7,
                     *         "username": "lin",
                     *         "email": "lin@example.org",
                     *         "display_name": "Lin Wei",
                     *         "role": "user",
                     *         "status": "active",
                     *         "timezone": "Asia/Shanghai",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "last_login_at": "2026-02-01T08:00:00.000Z",
                     *         "must_change_password": false,
                     *         "totp_enabled": false,
                     *         "pending_email": "lin.wei@example.org"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Your account was updated */
                        message: string;
                        data: components["schemas"]["UpdatedUser"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description Confirm a new e-mail address */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The e-mail address was changed"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The e-mail address was changed */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changePassword: {
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
        responses: {
            /** @description Change your password */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The password was changed and all other sign-ins were ended"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The password was changed and all other sign-ins were ended */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description List your sign-ins */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "id": "0b7c9b1e-3f52-4c0e-9a55-6a1d2f0c8e11",
                     *           "device": "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0",
                     *           "address": "192.0.2.10",
                     *           "created_at": "2026-02-01T08:00:00.000Z",
                     *           "last_used_at": "2026-02-01T08:00:00.000Z",
                     *           "expires_at": "2026-02-01T08:00:00.000Z",
                     *           "current": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["SignIn"][];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description End one of your sign-ins */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The sign-in was ended"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The sign-in was ended */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginTotp: {
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
                 *       "current_password": "a long and good password"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @example a long and good password
                     */
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Begin to set up a second factor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Scan the QR code with an authenticator application and confirm with a code",
                     *       "data": {
                     *         "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
                     *         "otpauth_url": "otpauth://totp/Studytrack:lin?issuer=Studytrack&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
                     *         "qr_svg": "<svg></svg>",
                     *         "expires_in": 600
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Scan the QR code with an authenticator application and confirm with a code */
                        message: string;
                        data: {
                            /**
                             * @description In Base32, to be typed in.
                             * @example GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
                             */
                            secret: string;
                            /**
                             * @description The same as an address for authenticator applications.
                             * @example otpauth://totp/Studytrack:lin?issuer=Studytrack&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
                             */
                            otpauth_url: string;
                            /**
                             * @description The address as a QR code, an SVG image.
                             * @example <svg></svg>
                             */
                            qr_svg: string;
                            /**
                             * @description Seconds within which a code must confirm it.
                             * @example 600
                             */
                            expires_in: number;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    disableTotp: {
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
                 *       "current_password": "a long and good password",
                 *       "otp": "287082"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @example a long and good password
                     */
                    current_password: string;
                    /**
                     * @description The six digits that the authenticator application shows, or a recovery code.
                     * @example 287082
                     */
                    otp: string;
                };
            };
        };
        responses: {
            /** @description Disable the second factor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The second factor is disabled"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The second factor is disabled */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                     * @description The six digits that the authenticator application shows, or a recovery code.
                     * @example 287082
                     */
                    otp: string;
                };
            };
        };
        responses: {
            /** @description Enable the second factor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The second factor is enabled; store the recovery codes in a safe place",
                     *       "data": {
                     *         "recovery_codes": [
                     *           "7h2k-9qwd-m4tx-c0vb"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The second factor is enabled; store the recovery codes in a safe place */
                        message: string;
                        data: {
                            /** @description 10 codes, each valid once in place of a code. Returned only here. */
                            recovery_codes: string[];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetTotp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a user's second factor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The second factor of the user was removed"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The second factor of the user was removed */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Users in this state. */
                status?: "active" | "inactive" | "all";
                /** @description Users with this role. */
                role?: "admin" | "user" | "all";
                /** @description Part of the username, the e-mail address or the display name, without regard to case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List users */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "users": [
                     *           {
                     *             "id": 7,
                     *             "username": "lin",
                     *             "email": "lin@example.org",
                     *             "display_name": "Lin Wei",
                     *             "role": "user",
                     *             "status": "active",
                     *             "timezone": "Asia/Shanghai",
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "last_login_at": "2026-02-01T08:00:00.000Z",
                     *             "must_change_password": false,
                     *             "totp_enabled": false
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "page": 1,
                     *           "limit": 10,
                     *           "total": 37,
                     *           "pages": 4
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            users: components["schemas"]["User"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours answers the same and creates nothing more. */
                "Idempotency-Key"?: string;
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
                     * @description Unique without regard to case.
                     * @example lin
                     */
                    username: string;
                    /**
                     * Format: email
                     * @example lin@example.org
                     */
                    email: string;
                    /**
                     * @description The username when left out.
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
                     * @default UTC
                     * @example Asia/Shanghai
                     */
                    timezone?: string;
                    /**
                     * Format: password
                     * @description Chosen by the service and returned once when left out; it can be used for 7 days, and must be changed first.
                     * @example a long and good password
                     */
                    password?: string;
                    /**
                     * @description The open contact request that asked for this; it is resolved and linked with the account.
                     * @example 42
                     */
                    contact_request_id?: number;
                };
            };
        };
        responses: {
            /** @description Create a user */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The user was created",
                     *       "data": {
                     *         "id": 7,
                     *         "username": "lin",
                     *         "email": "lin@example.org",
                     *         "display_name": "Lin Wei",
                     *         "role": "user",
                     *         "status": "active",
                     *         "timezone": "Asia/Shanghai",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "last_login_at": "2026-02-01T08:00:00.000Z",
                     *         "must_change_password": false,
                     *         "totp_enabled": false,
                     *         "one_time_password": "xK4-vw9R-pq2M"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The user was created */
                        message: string;
                        data: components["schemas"]["UserWithPassword"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read one user */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 7,
                     *         "username": "lin",
                     *         "email": "lin@example.org",
                     *         "display_name": "Lin Wei",
                     *         "role": "user",
                     *         "status": "active",
                     *         "timezone": "Asia/Shanghai",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "last_login_at": "2026-02-01T08:00:00.000Z",
                     *         "must_change_password": false,
                     *         "totp_enabled": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Wang Fang",
                 *       "status": "active"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Unique without regard to case.
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
                    /** @example Asia/Shanghai */
                    timezone?: string;
                };
            };
        };
        responses: {
            /** @description Update a user */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The user was updated",
                     *       "data": {
                     *         "id": 7,
                     *         "username": "lin",
                     *         "email": "lin@example.org",
                     *         "display_name": "Lin Wei",
                     *         "role": "user",
                     *         "status": "active",
                     *         "timezone": "Asia/Shanghai",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "last_login_at": "2026-02-01T08:00:00.000Z",
                     *         "must_change_password": false,
                     *         "totp_enabled": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The user was updated */
                        message: string;
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description LAST_ADMIN: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a user */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The user was deleted"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The user was deleted */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description LAST_ADMIN: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "a long and good password"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description Chosen by the service and returned once when left out; it can be used for 7 days, and must be changed first.
                     * @example a long and good password
                     */
                    password?: string;
                    /**
                     * @description The open contact request that asked for this; it is resolved and linked with the account.
                     * @example 42
                     */
                    contact_request_id?: number;
                };
            };
        };
        responses: {
            /** @description Reset a user's password */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The password was reset and all sign-ins of the user were ended",
                     *       "data": {
                     *         "id": 7,
                     *         "username": "lin",
                     *         "email": "lin@example.org",
                     *         "display_name": "Lin Wei",
                     *         "role": "user",
                     *         "status": "active",
                     *         "timezone": "Asia/Shanghai",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "last_login_at": "2026-02-01T08:00:00.000Z",
                     *         "must_change_password": false,
                     *         "totp_enabled": false,
                     *         "one_time_password": "xK4-vw9R-pq2M"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The password was reset and all sign-ins of the user were ended */
                        message: string;
                        data: components["schemas"]["UserWithPassword"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Projects in this state. */
                status?: "active" | "completed" | "paused" | "all";
                /** @description Projects of this category. */
                category?: "academic" | "skill" | "hobby" | "other" | "all";
                /** @description The id of a user, `me` or `all`. */
                creator?: string | ("me" | "all") | number;
                /** @description Part of the name or description, without regard to case; `%` and `_` are just characters. */
                search?: string;
                /** @description By which field; equal ones by id. */
                sort?: "id" | "name" | "status" | "category" | "rating_standard" | "target_hours" | "current_hours" | "progress" | "created_at" | "updated_at";
                /** @description Of the sort. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List projects */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "projects": [
                     *           {
                     *             "id": 42,
                     *             "name": "Linear algebra",
                     *             "description": "Vectors, matrices, proofs",
                     *             "status": "active",
                     *             "category": "academic",
                     *             "target_hours": 40,
                     *             "current_hours": 12.5,
                     *             "progress": 31.25,
                     *             "rating_standard": "excellent",
                     *             "user_id": 1,
                     *             "assigned_user_id": 7,
                     *             "assigned_user_ids": [
                     *               7,
                     *               9
                     *             ],
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "page": 1,
                     *           "limit": 10,
                     *           "total": 37,
                     *           "pages": 4
                     *         }
                     *       }
                     *     }
                     */
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
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours answers the same and creates nothing more. */
                "Idempotency-Key"?: string;
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
                     * @description Null clears it.
                     * @example Vectors, matrices, proofs
                     */
                    description?: ((string | null) | null) | string | null;
                    /**
                     * @default other
                     * @enum {string}
                     */
                    category?: "academic" | "skill" | "hobby" | "other";
                    /**
                     * @description Hours, kept with two decimals; 0 or null is no target.
                     * @example 40
                     */
                    target_hours?: ((number | null) | null) | number | null;
                    /**
                     * @default normal
                     * @enum {string}
                     */
                    rating_standard?: "excellent" | "good" | "normal";
                    /**
                     * @description Required and not empty when the caller is an administrator; ignored from an ordinary user.
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
            /** @description Create a project */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The project was created.",
                     *       "data": {
                     *         "id": 42,
                     *         "name": "Linear algebra",
                     *         "description": "Vectors, matrices, proofs",
                     *         "status": "active",
                     *         "category": "academic",
                     *         "target_hours": 40,
                     *         "current_hours": 12.5,
                     *         "progress": 31.25,
                     *         "rating_standard": "excellent",
                     *         "user_id": 1,
                     *         "assigned_user_id": 7,
                     *         "assigned_user_ids": [
                     *           7,
                     *           9
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The project was created. */
                        message: string;
                        data: components["schemas"]["Project"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description List the categories */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "id": "academic",
                     *           "name": "Academic",
                     *           "description": "School and university subjects",
                     *           "icon": "academic"
                     *         }
                     *       ]
                     *     }
                     */
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
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAssignableUsers: {
        parameters: {
            query?: {
                /** @description Part of the username, display name or e-mail address. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the active ordinary users, for assignment */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "id": 7,
                     *           "user_id": 7,
                     *           "username": "lin",
                     *           "display_name": "Lin Wei",
                     *           "email": "lin@example.org",
                     *           "status": "active"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @example 7 */
                            id: number;
                            /**
                             * @description The same as id.
                             * @example 7
                             */
                            user_id: number;
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
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTrash: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List deleted projects */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "projects": [
                     *           {
                     *             "id": 42,
                     *             "name": "Linear algebra",
                     *             "description": "Vectors, matrices, proofs",
                     *             "status": "active",
                     *             "category": "academic",
                     *             "target_hours": 40,
                     *             "current_hours": 12.5,
                     *             "progress": 31.25,
                     *             "rating_standard": "excellent",
                     *             "user_id": 1,
                     *             "assigned_user_id": 7,
                     *             "assigned_user_ids": [
                     *               7,
                     *               9
                     *             ],
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "deleted_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "page": 1,
                     *           "limit": 10,
                     *           "total": 37,
                     *           "pages": 4
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            projects: {
                                /** @example 42 */
                                id: number;
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
                                /** @description The path of the cover image; absent when there is none. */
                                image?: string;
                                /**
                                 * @description The creator, who owns the project.
                                 * @example 1
                                 */
                                user_id: number;
                                /**
                                 * @description The first assigned user.
                                 * @example 7
                                 */
                                assigned_user_id: number | null;
                                /**
                                 * @description All of them to the owner and administrators; others find at most themselves.
                                 * @example [
                                 *       7,
                                 *       9
                                 *     ]
                                 */
                                assigned_user_ids: number[];
                                /**
                                 * Format: date-time
                                 * @example 2026-02-01T08:00:00.000Z
                                 */
                                created_at: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-02-01T08:00:00.000Z
                                 */
                                updated_at: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-02-01T08:00:00.000Z
                                 */
                                deleted_at: string;
                            }[];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read one project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 42,
                     *         "name": "Linear algebra",
                     *         "description": "Vectors, matrices, proofs",
                     *         "status": "active",
                     *         "category": "academic",
                     *         "target_hours": 40,
                     *         "current_hours": 12.5,
                     *         "progress": 31.25,
                     *         "rating_standard": "excellent",
                     *         "user_id": 1,
                     *         "assigned_user_id": 7,
                     *         "assigned_user_ids": [
                     *           7,
                     *           9
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "sessions_count": 9,
                     *         "last_session": "2026-02-01T08:00:00.000Z",
                     *         "achievements": [
                     *           {
                     *             "id": 1,
                     *             "name": "First step",
                     *             "description": "Complete the first study record.",
                     *             "icon": "/achievements/first_record.svg",
                     *             "earned_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["ProjectDetail"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it no longer holds. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
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
                     * @description Null clears it.
                     * @example Vectors, matrices, proofs
                     */
                    description?: ((string | null) | null) | string | null;
                    /** @enum {string} */
                    status?: "active" | "completed" | "paused";
                    /** @enum {string} */
                    category?: "academic" | "skill" | "hobby" | "other";
                    /**
                     * @description Hours, kept with two decimals; 0 or null is no target.
                     * @example 40
                     */
                    target_hours?: ((number | null) | null) | number | null;
                    /** @enum {string} */
                    rating_standard?: "excellent" | "good" | "normal";
                    /** @description The former single assignment. The present value changes nothing. */
                    assigned_user_id?: number | null;
                    /**
                     * @description The full new list of assigned users; may be empty.
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
            /** @description Update a project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The project was updated.",
                     *       "data": {
                     *         "id": 42,
                     *         "name": "Linear algebra",
                     *         "description": "Vectors, matrices, proofs",
                     *         "status": "active",
                     *         "category": "academic",
                     *         "target_hours": 40,
                     *         "current_hours": 12.5,
                     *         "progress": 31.25,
                     *         "rating_standard": "excellent",
                     *         "user_id": 1,
                     *         "assigned_user_id": 7,
                     *         "assigned_user_ids": [
                     *           7,
                     *           9
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The project was updated. */
                        message: string;
                        data: components["schemas"]["Project"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it no longer holds. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The project was deleted; its study records are kept."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The project was deleted; its study records are kept. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Restore a deleted project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The project was restored.",
                     *       "data": {
                     *         "id": 42,
                     *         "name": "Linear algebra",
                     *         "description": "Vectors, matrices, proofs",
                     *         "status": "active",
                     *         "category": "academic",
                     *         "target_hours": 40,
                     *         "current_hours": 12.5,
                     *         "progress": 31.25,
                     *         "rating_standard": "excellent",
                     *         "user_id": 1,
                     *         "assigned_user_id": 7,
                     *         "assigned_user_ids": [
                     *           7,
                     *           9
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The project was restored. */
                        message: string;
                        data: components["schemas"]["Project"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadProjectImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
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
            /** @description Upload the cover image of a project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The cover image was stored.",
                     *       "data": {
                     *         "image_url": "/uploads/projects/5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp",
                     *         "filename": "5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The cover image was stored. */
                        message: string;
                        data: {
                            /**
                             * @description The path of the picture, which anyone may read; the same as `image` of the project.
                             * @example /uploads/projects/5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp
                             */
                            image_url: string;
                            /**
                             * @description Its name, made by the service.
                             * @example 5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp
                             */
                            filename: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteProjectImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Take the cover image of a project away */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The project has no cover image any more."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The project has no cover image any more. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    project_ids: number[];
                    /**
                     * @description Shape A: the users affected; may be empty only with `replace`.
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    user_ids?: number[];
                    /**
                     * @description Shape A: what to do with them.
                     * @enum {string}
                     */
                    assign_type?: "add" | "remove" | "replace";
                    /** @description Shape B: the resulting list of every project; may be empty. */
                    assigned_user_ids?: number[];
                };
            };
        };
        responses: {
            /** @description Assign many projects to many users */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "assigned_count": 1,
                     *         "failed_count": 1,
                     *         "details": [
                     *           {
                     *             "project_id": 1,
                     *             "project_name": "Linear algebra",
                     *             "assigned_users": [
                     *               {
                     *                 "user_id": 7,
                     *                 "username": "lin",
                     *                 "status": "assigned"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "failures": [
                     *           {
                     *             "project_id": 2,
                     *             "user_id": 7,
                     *             "code": "PROJECT_NOT_FOUND",
                     *             "message": "There is no such project."
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["BatchAssignResult"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAssignments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the assigned users in order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "user_id": 7,
                     *           "username": "lin",
                     *           "display_name": "Lin Wei",
                     *           "status": "active",
                     *           "assigned_at": "2026-02-01T08:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Assignment"][];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List who works or worked on a project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "user_id": 7,
                     *           "username": "lin",
                     *           "display_name": "Lin Wei",
                     *           "status": "active",
                     *           "assigned_at": "2026-02-01T08:00:00.000Z",
                     *           "active_assignment": true,
                     *           "sessions_count": 9,
                     *           "hours": 12.5,
                     *           "last_session": "2026-02-01T08:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Member"][];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description Get a captcha */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "captcha_id": "q5Zr8wT1kVx0bN3cJ7hM2g",
                     *         "image": "data:image/png;base64,iVBORw0KGgo=",
                     *         "expires_in": 300
                     *       }
                     *     }
                     */
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
                             * @description Seconds.
                             * @example 300
                             */
                            expires_in: number;
                            /** @description With CAPTCHA_MODE=reveal only. */
                            answer?: string;
                        };
                    };
                    "image/png": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                /** @description Repeating the request with the same key within 24 hours answers the same and creates nothing more. */
                "Idempotency-Key"?: string;
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
                     * @description A Chinese mobile number. Spaces, hyphens and the country code are left off.
                     * @example +86 138-0013-8000
                     */
                    phone?: ((string | null) | null) | string | null;
                    /** @enum {string} */
                    subject: "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
                    /** @example 我想注册一个账号。 */
                    message: string;
                    /**
                     * @description What the picture shows; case does not matter.
                     * @example K7PW
                     */
                    captcha: string;
                    /**
                     * @description Of the captcha; needed where the cookie does not travel.
                     * @example q5Zr8wT1kVx0bN3cJ7hM2g
                     */
                    captcha_id?: string;
                };
            };
        };
        responses: {
            /** @description Write to the administrators */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Your request has been received. An administrator will reply within 24 hours.",
                     *       "requestId": 42
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Your request has been received. An administrator will reply within 24 hours. */
                        message: string;
                        /** @example 42 */
                        requestId: number;
                    };
                };
            };
            /** @description VALIDATION_ERROR, CONFLICT, IDEMPOTENCY_MISMATCH, PAYLOAD_TOO_LARGE: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
        };
    };
    listContactRequests: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Requests in this state. */
                status?: "all" | "pending" | "reviewed" | "resolved";
                /** @description Requests about this. */
                subject?: "all" | "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
                /** @description A part of the name, e-mail, phone or message; as it stands, without regard to case. */
                search?: string;
                /** @description This e-mail address, without regard to case. */
                email?: string;
                /** @description Received at this moment or later. */
                from?: string;
                /** @description Received before this moment. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List contact requests, newest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "requests": [
                     *           {
                     *             "id": 42,
                     *             "name": "林小雨",
                     *             "email": "lin@example.org",
                     *             "phone": "13800138000",
                     *             "subject": "account_registration",
                     *             "message": "我想注册一个账号。",
                     *             "status": "reviewed",
                     *             "admin_note": "Account made on Monday.",
                     *             "ip_address": "203.0.113.7",
                     *             "user_agent": "Mozilla/5.0",
                     *             "user_id": 42,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "page": 1,
                     *           "limit": 10,
                     *           "total": 37,
                     *           "pages": 4
                     *         },
                     *         "stats": {
                     *           "pending": 3,
                     *           "reviewed": 1,
                     *           "resolved": 12,
                     *           "total": 16
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            requests: components["schemas"]["ContactRequest"][];
                            pagination: components["schemas"]["Pagination"];
                            /**
                             * @description Counts over all requests, whatever the filters.
                             * @example {
                             *       "pending": 3,
                             *       "reviewed": 1,
                             *       "resolved": 12,
                             *       "total": 16
                             *     }
                             */
                            stats: {
                                pending: number;
                                reviewed: number;
                                resolved: number;
                                total: number;
                            };
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
        };
    };
    exportContactRequests: {
        parameters: {
            query?: {
                /** @description Of the file. */
                format?: "csv";
                /** @description Requests in this state. */
                status?: "all" | "pending" | "reviewed" | "resolved";
                /** @description Requests about this. */
                subject?: "all" | "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
                /** @description A part of the name, e-mail, phone or message; as it stands, without regard to case. */
                search?: string;
                /** @description This e-mail address, without regard to case. */
                email?: string;
                /** @description Received at this moment or later. */
                from?: string;
                /** @description Received before this moment. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Download contact requests as CSV */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
        };
    };
    getContactRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a contact request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 42,
                     *         "name": "林小雨",
                     *         "email": "lin@example.org",
                     *         "phone": "13800138000",
                     *         "subject": "account_registration",
                     *         "message": "我想注册一个账号。",
                     *         "status": "reviewed",
                     *         "admin_note": "Account made on Monday.",
                     *         "ip_address": "203.0.113.7",
                     *         "user_agent": "Mozilla/5.0",
                     *         "user_id": 42,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["ContactRequest"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
        };
    };
    deleteContactRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a contact request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The contact request was deleted."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The contact request was deleted. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
        };
    };
    advanceContactRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "reviewed",
                 *       "adminNote": "Account made on Monday."
                 *     }
                 */
                "application/json": {
                    /**
                     * @example reviewed
                     * @enum {string}
                     */
                    status: "pending" | "reviewed" | "resolved";
                    /**
                     * @description Absent keeps the present note; null or "" clears it.
                     * @example Account made on Monday.
                     */
                    adminNote?: string | null;
                };
            };
        };
        responses: {
            /** @description Move a contact request forward, or change its note */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The contact request was updated.",
                     *       "data": {
                     *         "id": 42,
                     *         "name": "林小雨",
                     *         "email": "lin@example.org",
                     *         "status": "reviewed",
                     *         "admin_note": "Account made on Monday.",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The contact request was updated. */
                        message: string;
                        data: {
                            /** @example 42 */
                            id: number;
                            /** @example 林小雨 */
                            name: string;
                            /** @example lin@example.org */
                            email: string;
                            /**
                             * @example reviewed
                             * @enum {string}
                             */
                            status: "pending" | "reviewed" | "resolved";
                            /** @example Account made on Monday. */
                            admin_note: string | null;
                            /**
                             * Format: date-time
                             * @example 2026-02-01T08:00:00.000Z
                             */
                            updated_at: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR, PAYLOAD_TOO_LARGE: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
        };
    };
    listProjectSessions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Records that started then or later. */
                from?: string;
                /** @description Records that started before then. */
                to?: string;
                /** @description Records of this user. */
                user_id?: number;
                /** @description By start. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the records of a project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "sessions": [
                     *           {
                     *             "id": 310,
                     *             "project_id": 42,
                     *             "project_name": "Linear algebra",
                     *             "user_id": 7,
                     *             "started_at": "2026-02-01T08:00:00.000Z",
                     *             "ended_at": "2026-02-01T09:30:00.000Z",
                     *             "duration_seconds": 5400,
                     *             "hours": 1.5,
                     *             "note": "Chapter 3",
                     *             "source": "timer",
                     *             "time_zone": "Asia/Shanghai",
                     *             "auto_stopped": false,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "page": 1,
                     *           "limit": 10,
                     *           "total": 37,
                     *           "pages": 4
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            sessions: components["schemas"]["Session"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours answers the same and creates nothing more. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
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
                     * @description Instead of the end.
                     * @example 5400
                     */
                    duration_seconds?: number;
                    /**
                     * @default
                     * @example Chapter 3
                     */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Record a stretch of study */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The study record was saved.",
                     *       "data": {
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": "2026-02-01T09:30:00.000Z",
                     *         "duration_seconds": 5400,
                     *         "hours": 1.5,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The study record was saved. */
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT, PROJECT_NOT_ACTIVE, SESSION_OVERLAP, IDEMPOTENCY_MISMATCH: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Records that started then or later. */
                from?: string;
                /** @description Records that started before then. */
                to?: string;
                /** @description Records of this user. */
                user_id?: number;
                /** @description By start. */
                order?: "asc" | "desc";
                /** @description Records on this project. */
                project_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List records */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "sessions": [
                     *           {
                     *             "id": 310,
                     *             "project_id": 42,
                     *             "project_name": "Linear algebra",
                     *             "user_id": 7,
                     *             "started_at": "2026-02-01T08:00:00.000Z",
                     *             "ended_at": "2026-02-01T09:30:00.000Z",
                     *             "duration_seconds": 5400,
                     *             "hours": 1.5,
                     *             "note": "Chapter 3",
                     *             "source": "timer",
                     *             "time_zone": "Asia/Shanghai",
                     *             "auto_stopped": false,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "page": 1,
                     *           "limit": 10,
                     *           "total": 37,
                     *           "pages": 4
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            sessions: components["schemas"]["Session"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportSessions: {
        parameters: {
            query?: {
                /** @description Records that started then or later. */
                from?: string;
                /** @description Records that started before then. */
                to?: string;
                /** @description Records of this user. */
                user_id?: number;
                /** @description By start. */
                order?: "asc" | "desc";
                /** @description Records on this project. */
                project_id?: number;
                /** @description Of the file. */
                format?: "csv" | "json";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Download records */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "sessions": [
                     *           {
                     *             "id": 310,
                     *             "project_id": 42,
                     *             "project_name": "Linear algebra",
                     *             "user_id": 7,
                     *             "started_at": "2026-02-01T08:00:00.000Z",
                     *             "ended_at": "2026-02-01T09:30:00.000Z",
                     *             "duration_seconds": 5400,
                     *             "hours": 1.5,
                     *             "note": "Chapter 3",
                     *             "source": "timer",
                     *             "time_zone": "Asia/Shanghai",
                     *             "auto_stopped": false,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
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
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read one record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": "2026-02-01T09:30:00.000Z",
                     *         "duration_seconds": 5400,
                     *         "hours": 1.5,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it no longer holds. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ended_at": "2026-02-01T09:45:00Z",
                 *       "note": "Chapters 3 and 4"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00Z
                     */
                    started_at?: string;
                    /** @description Null only as the echo of a running timer. */
                    ended_at?: string | null;
                    duration_seconds?: number;
                    /** @example Chapter 3 */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Correct a record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The study record was changed.",
                     *       "data": {
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": "2026-02-01T09:30:00.000Z",
                     *         "duration_seconds": 5400,
                     *         "hours": 1.5,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The study record was changed. */
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SESSION_OVERLAP, TIMER_RUNNING: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it no longer holds. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The study record was deleted."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The study record was deleted. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description The running timer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": null,
                     *         "duration_seconds": 1260,
                     *         "hours": 0.35,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        /**
                         * @description Null when none runs.
                         * @example {
                         *       "id": 310,
                         *       "project_id": 42,
                         *       "project_name": "Linear algebra",
                         *       "user_id": 7,
                         *       "started_at": "2026-02-01T08:00:00.000Z",
                         *       "ended_at": null,
                         *       "duration_seconds": 1260,
                         *       "hours": 0.35,
                         *       "note": "Chapter 3",
                         *       "source": "timer",
                         *       "time_zone": "Asia/Shanghai",
                         *       "auto_stopped": false,
                         *       "created_at": "2026-02-01T08:00:00.000Z",
                         *       "updated_at": "2026-02-01T08:00:00.000Z"
                         *     }
                         */
                        data: components["schemas"]["Session"] | null;
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startTimer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours answers the same and creates nothing more. */
                "Idempotency-Key"?: string;
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
                    /** @example 42 */
                    project_id: number;
                    /**
                     * @default
                     * @example Chapter 3
                     */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description It was there already, and is answered as it is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The timer is running.",
                     *       "data": {
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": null,
                     *         "duration_seconds": 0,
                     *         "hours": 0,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "stopped": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The timer is running. */
                        message: string;
                        data: components["schemas"]["StartedTimer"];
                    };
                };
            };
            /** @description Start the timer */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The timer is running.",
                     *       "data": {
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": null,
                     *         "duration_seconds": 0,
                     *         "hours": 0,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "stopped": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The timer is running. */
                        message: string;
                        data: components["schemas"]["StartedTimer"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT, PROJECT_NOT_ACTIVE, SESSION_OVERLAP, IDEMPOTENCY_MISMATCH: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stopTimer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stop the timer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The timer was stopped.",
                     *       "data": {
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": "2026-02-01T09:30:00.000Z",
                     *         "duration_seconds": 5400,
                     *         "hours": 1.5,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The timer was stopped. */
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NO_TIMER: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                     * @description Unless it is `false`, the file is only checked.
                     * @default true
                     * @enum {string}
                     */
                    dry_run?: "true" | "false";
                    /**
                     * @description Of reports, which hold local times; by default the one of the caller.
                     * @example Asia/Shanghai
                     */
                    time_zone?: string;
                };
            };
        };
        responses: {
            /** @description Import records */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "import_id": 12,
                     *         "rows": 120,
                     *         "valid": 118,
                     *         "duplicates": 2,
                     *         "overlaps": 0,
                     *         "imported": 118,
                     *         "errors": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        /**
                         * @example {
                         *       "import_id": 12,
                         *       "rows": 120,
                         *       "valid": 118,
                         *       "duplicates": 2,
                         *       "overlaps": 0,
                         *       "imported": 118,
                         *       "errors": []
                         *     }
                         */
                        data: {
                            rows: number;
                            valid: number;
                            /** @description There already, or twice in the file; left out. */
                            duplicates: number;
                            overlaps: number;
                            imported: number;
                            /** @description The first 100; rows are counted as a spreadsheet does, the header being 1. */
                            errors: {
                                row: number;
                                field: string;
                                message: string;
                            }[];
                            /** @description Under which the import can be read. */
                            import_id: number;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description CONFLICT: The present state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description List own imports */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "imports": [
                     *           {
                     *             "id": 12,
                     *             "dry_run": false,
                     *             "state": "done",
                     *             "rows": 120,
                     *             "processed": 120,
                     *             "imported": 118,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "finished_at": "2026-02-01T08:00:01.000Z",
                     *             "report": {
                     *               "rows": 120,
                     *               "valid": 118,
                     *               "duplicates": 2,
                     *               "overlaps": 0,
                     *               "imported": 118,
                     *               "errors": []
                     *             },
                     *             "error": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
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
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSessionImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the progress of an import */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 12,
                     *         "dry_run": false,
                     *         "state": "done",
                     *         "rows": 120,
                     *         "processed": 120,
                     *         "imported": 118,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "finished_at": "2026-02-01T08:00:01.000Z",
                     *         "report": {
                     *           "rows": 120,
                     *           "valid": 118,
                     *           "duplicates": 2,
                     *           "overlaps": 0,
                     *           "imported": 118,
                     *           "errors": []
                     *         },
                     *         "error": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["SessionImport"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProjectStatistics: {
        parameters: {
            query?: {
                /** @description Where days begin and end; by default the caller's time zone. */
                tz?: string;
                /** @description How many weeks `weekly_progress` shows at most. */
                weeks?: number;
                /** @description The figures of this user. */
                user_id?: number;
            };
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Statistics of a project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "total_sessions": 5,
                     *         "total_hours": 7.5,
                     *         "average_session_length": 1.5,
                     *         "longest_session": 2.25,
                     *         "shortest_session": 0.5,
                     *         "study_days": 4,
                     *         "current_streak": 2,
                     *         "longest_streak": 3,
                     *         "completion_rate": 31.25,
                     *         "weekly_progress": [
                     *           {
                     *             "week": "2026-W05",
                     *             "hours": 7.5
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Statistics"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStatistics: {
        parameters: {
            query?: {
                /** @description Where days begin and end; by default the caller's time zone. */
                tz?: string;
                /** @description How many weeks `weekly_progress` shows at most. */
                weeks?: number;
                /** @description The figures of this user. */
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Statistics of a person */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "total_sessions": 5,
                     *         "total_hours": 7.5,
                     *         "average_session_length": 1.5,
                     *         "longest_session": 2.25,
                     *         "shortest_session": 0.5,
                     *         "study_days": 4,
                     *         "current_streak": 2,
                     *         "longest_streak": 3,
                     *         "completion_rate": 31.25,
                     *         "weekly_progress": [
                     *           {
                     *             "week": "2026-W05",
                     *             "hours": 7.5
                     *           }
                     *         ],
                     *         "today_hours": 1.5,
                     *         "week_hours": 7.5,
                     *         "daily": [
                     *           {
                     *             "date": "2026-02-01",
                     *             "hours": 1.5
                     *           }
                     *         ],
                     *         "by_category": [
                     *           {
                     *             "category": "academic",
                     *             "hours": 7.5
                     *           }
                     *         ],
                     *         "by_project": [
                     *           {
                     *             "project_id": 42,
                     *             "project_name": "Linear algebra",
                     *             "hours": 7.5
                     *           }
                     *         ],
                     *         "running_timer": {
                     *           "id": 310,
                     *           "project_id": 42,
                     *           "project_name": "Linear algebra",
                     *           "user_id": 7,
                     *           "started_at": "2026-02-01T08:00:00.000Z",
                     *           "ended_at": null,
                     *           "duration_seconds": 1260,
                     *           "hours": 0.35,
                     *           "note": "Chapter 3",
                     *           "source": "timer",
                     *           "time_zone": "Asia/Shanghai",
                     *           "auto_stopped": false,
                     *           "created_at": "2026-02-01T08:00:00.000Z",
                     *           "updated_at": "2026-02-01T08:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["PersonalStatistics"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description List all achievements, with when the caller earned them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "name": "First step",
                     *           "description": "Complete the first study record.",
                     *           "icon": "/achievements/first_record.svg",
                     *           "earned_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Achievement"][];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAchievementIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the file. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture of an achievement */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Changes made by this administrator. */
                actor?: number;
                /** @description Changes made through this operation. */
                action?: string;
                /** @description Changes of the thing with this id, of whichever type. */
                target_id?: number;
                /** @description At this moment or later. */
                from?: string;
                /** @description Before this moment. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what administrators changed, newest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "entries": [
                     *           {
                     *             "id": 42,
                     *             "at": "2026-02-01T08:00:00.000Z",
                     *             "actor": {
                     *               "id": 42,
                     *               "username": "lin"
                     *             },
                     *             "action": "updateUser",
                     *             "request_id": "b2a1c7de-0001",
                     *             "target_type": "user",
                     *             "target_ids": [
                     *               42
                     *             ],
                     *             "before": {
                     *               "role": "user"
                     *             },
                     *             "after": {
                     *               "role": "admin"
                     *             }
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "page": 1,
                     *           "limit": 10,
                     *           "total": 37,
                     *           "pages": 4
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            entries: components["schemas"]["AuditEntry"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is not valid; every failing field is named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: It exists, and the caller may not do this to it, or must change a one-time password first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description The process answers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "status": "ok"
                     *       }
                     *     }
                     */
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
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description The database answers and its schema is at head */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "status": "ready"
                     *       }
                     *     }
                     */
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
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description Figures of this process for Prometheus */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the present state. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: No token, or one that does not hold (any more). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description INTERNAL_ERROR: A fault of the service; the text names the request for the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database cannot be reached for the moment. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
