// Made from docs/openapi.json by `npm run client:types`.

/** The paths whose POST takes an Idempotency-Key. */
export const creatingPaths: ReadonlySet<string> = new Set(["/api/me/tokens","/api/admin/users","/api/admin/users/bulk","/api/me/calendar","/api/admin/groups","/api/projects","/api/me/export","/api/contact/submit","/api/projects/{id}/sessions","/api/timer/start","/api/admin/webhooks"]);

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
         * @description Like `POST /api/auth/login`, with the refresh token in an HttpOnly cookie instead of the response. It ends the sign-in whose cookie it replaces. For pages of this service alone: the request must be same-origin and JSON, or is answered with 403.
         */
        post: operations["browserSignIn"];
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
         * Get a new token by the cookie
         * @description The cookie is replaced. A used one is answered with its successor for 24 hours, as long as that has not been used: the response may have been lost. For pages of this service alone: the request must be same-origin and JSON, or is answered with 403.
         */
        post: operations["browserRefresh"];
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
         * @description Ends the sign-in of the cookie and removes the cookie; without one it changes nothing. For pages of this service alone: the request must be same-origin and JSON, or is answered with 403.
         */
        post: operations["browserSignOut"];
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
         * @description Who the token stands for, with role, time zone and preferences.
         */
        get: operations["getMe"];
        /**
         * Update your account
         * @description Every field is optional. Statistics follow the new time zone and preferences at once, for the past as well. A new e-mail address needs `current_password`, is answered with `pending_email`, and counts once the link that is mailed to it is opened; without a mail server only administrators change it (403).
         */
        put: operations["updateMe"];
        post?: never;
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
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete your account
         * @description With the password and, where the account has one, the second factor. Name, e-mail address, sign-ins, tokens and assignments are deleted; study records stay with an anonymous user, owned projects with the administrators. It cannot be undone. The last active administrator cannot be deleted.
         */
        delete: operations["deleteMe"];
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
         * @description With the token of an invitation (valid for 72 hours) or of a reset (1 hour), which can be used once. Ends all sign-ins of the account and its other links; the second factor stays. Signing in is a request of its own.
         */
        post: operations["acceptLink"];
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
         * Ask for a link that resets the password
         * @description The same response for every address; a mail is sent if an active account has it, and at most three a day for an account. At most five requests an hour for an e-mail address and from an IP address.
         */
        post: operations["forgotPassword"];
        delete?: never;
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
         * @description Mails a link with which they choose their password, valid for 72 hours; a former one is valid no longer. For accounts that nobody has signed in to. Without a mail server the link is returned, this once. At most ten links a day for an account.
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * Send a link that resets the password
         * @description Valid for an hour; a former one is valid no longer. Password and sign-ins stay as they are until it is used. Without a mail server the link is returned, this once. At most ten links a day for an account.
         */
        post: operations["sendResetLink"];
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
    "/api/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your personal access tokens
         * @description Those that are valid, the newest first, without the tokens themselves.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a personal access token
         * @description For a program of your own, in the same header as the token of a sign-in. It ends when it expires or is revoked, and with a new password or the deactivation of the account. At most 50, and not with a token.
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
         * @description It is rejected from then on, also in requests that are still in progress.
         */
        delete: operations["revokeToken"];
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
         * @description Without a password a one-time password is made, and returned this once: not again for the same Idempotency-Key. With `invite` there is no password: a link to choose one is mailed, or, without a mail server, returned this once. Can answer a contact request about account_registration in the same step.
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
         * @description Rows whose names are free are created, the others explained. A row that is not valid in itself rejects the request. With `Accept: text/html` the response is a list of the names and passwords to print.
         */
        post: operations["createUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * Read whether you have a calendar address
         * @description Since when there is one, or null. The address itself is shown once, when it is created.
         */
        get: operations["getCalendar"];
        put?: never;
        /**
         * Create a secret address for your calendar
         * @description Your records of a year and the due dates of your projects as iCalendar (RFC 5545). It replaces the former address, and ends with a new password or the deactivation of the account.
         */
        post: operations["createCalendar"];
        /**
         * Revoke your calendar address
         * @description Calendars that subscribe to it get 404 from then on.
         */
        delete: operations["deleteCalendar"];
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
         * @description The newest 2,000 finished records of the last 365 days, and due dates of projects as whole days. The secret is in the query, which is not logged.
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
    "/api/admin/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description By name, with the number of their members.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group
         * @description Such as a class: with `group_ids`, projects are assigned to all of its active members in one request.
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
         * Read one group with its members
         * @description At most 1,000, so they are not paged.
         */
        get: operations["getGroup"];
        /**
         * Rename a group, or replace its members
         * @description Both fields are optional. Assignments made before stay as they are.
         */
        put: operations["updateGroup"];
        post?: never;
        /**
         * Delete a group
         * @description Its members, and what they are assigned to, stay.
         */
        delete: operations["deleteGroup"];
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
         * @description Users who are members already, or are none, change nothing: it can be repeated.
         */
        post: operations["changeGroupMembers"];
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
    "/api/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of your latest archive
         * @description Null when you asked for none within a day.
         */
        get: operations["getExport"];
        put?: never;
        /**
         * Ask for an archive of everything that belongs to you
         * @description Account, preferences, projects, records, assignments, groups, awards, sign-ins and tokens as JSON, lists also as CSV, and the images of your projects, as a tar file compressed with gzip. It is written in the background: one at a time, at most three a day; the owner of the account gets a mail when it is ready.
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
         * @description For a day after it was written.
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
         * @description With `user_ids`, `group_ids` or both and `assign_type`, valid pairs are applied and the others explained; with `assigned_user_ids` it is all or nothing, and the list becomes that of every project.
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
         * @description A picture of the four characters that a submission must contain, valid for five minutes and one try. Its id is in a cookie and in the response. With `Accept: image/*` the response is the picture itself, with `Accept: audio/wav` the characters are spoken instead, in the language of the reader.
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
         * @description With the address and the client it came from, and earlier requests of the e-mail address.
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
         * @description Takes `status` or `delete`. Rows that fail are listed by id; the others are processed.
         */
        post: operations["changeContactRequests"];
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
         * @description Own ones, and those on own projects, deleted ones too; administrators see all. All filters hold together.
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
         * @description All fields are optional; one with its present value changes nothing. Of a running timer everything but the end may be changed; it starts at most 24 hours ago. With another `project_id` the record moves there, with its hours: its author must see that project, which is active or was when the record began.
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
         * @description On another project it stops the one that runs, which is answered as `stopped`; on the same project that one goes on and is answered with 200. With `started_at` the running one ends at that time, and must have begun before.
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
         * @description The record lasts one second at least, and at most as long as a timer may run. With `session_id` it may be repeated: a record that has ended is answered as it is. A timer that the service ended as left running takes an earlier `ended_at`.
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
         * Import sessions
         * @description From a CSV file in UTF-8 of at most 10 MiB and 50000 rows: our own export, or the detailed report of Toggl Track or Clockify. Projects are found by id or name. All rows are imported or none, unless the options leave some out; existing sessions are not changed, and a file that is sent again with the same options adds nothing. A user has one import in progress at a time, whose progress can be read meanwhile.
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
         * @description One of the caller’s own; imports are stored for 7 days.
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
    "/api/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what changed since the last time
         * @description For a copy that is kept up to date: own and assigned projects with their assignments, own records, and those of others on own projects; for administrators, too. Nothing that is committed late is skipped, and an item may come more than once. Running timers come when they start and end.
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
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Learn at once that something changed
         * @description Server-sent events: `ready` at the beginning, then `changed` with a JSON array of what to read again: `projects`, `sessions` (records, hours and statistics), `timer`, and for administrators `inbox`. It ends with the sign-in, and when the service stops; connect again after a moment, and read everything again at `ready`. At most 5 connections of a user in each process.
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
    "/api/projects/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a project
         * @description All finished records on it, by everybody; with `user_id` those of one user: oneself, or anybody for the owner and administrators. A record belongs to the local days it touches. When days begin and which are days of rest are preferences: of that user, or else of the caller.
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
         * @description The caller's own finished records over all projects; administrators may ask for another `user_id`. Days and weeks follow the preferences of that user.
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
    "/api/projects/{id}/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Forecast of a project
         * @description How it stands towards its target and due date, and what a day has to bring. Of everybody's finished records, in days of the caller's time zone. For users who see the project.
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
    "/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a start page shows
         * @description The caller's hours of today and this week, streak, timer, the projects to go on with and the goals at risk, in one request. Days follow the caller's time zone and preferences.
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
    "/api/admin/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how ordinary users are doing
         * @description Groups, assigned projects and their goals, hours, streak, latest record and running timer of each.
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
         * Download how ordinary users are doing as CSV
         * @description All pages of the list, by username.
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
         * List the hours of ordinary users on each project assigned to them
         * @description A table: users in its rows, projects in its columns. Filters are those of `GET /api/admin/progress`.
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
         * Download the hours of ordinary users on each project as CSV
         * @description A line for each user and project assigned to them, of all pages and of all projects, by username.
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
    "/api/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description At most 20, so they are not paged; without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events are sent to its address as POST, signed as the Standard Webhooks specification says, at least once and in order for each object. The secret is shown only here.
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
         * Read one webhook
         * @description With its state, and without its secret.
         */
        get: operations["getWebhook"];
        /**
         * Change a webhook, or switch it on or off
         * @description All fields are optional. While it is off, no events are recorded for it; what waits goes on if it is switched on within 24 hours.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description With its deliveries, also those that wait.
         */
        delete: operations["deleteWebhook"];
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
         * Give a webhook a new secret
         * @description The former one signs for another 24 hours, too: two signatures in one header, so that no delivery is rejected.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description The newest first, of the last 30 days, with the outcome of the last attempt.
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
         * @description An event `ping`. It is delivered as every other: see its state in the list.
         */
        post: operations["pingWebhook"];
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
         * Deliver an event once more
         * @description With the same `webhook-id`, so that a receiver that has processed it can ignore it.
         */
        post: operations["replayWebhookDelivery"];
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
         * Background work by kind
         * @description What waits to be done after the transactions that asked for it, such as mails. What the jobs contain is not shown.
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
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process is alive
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
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The service is ready for requests
         * @description Readiness: the database responds, its schema is current and images can be stored. 503 also while the process shuts down.
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
         * Metrics for Prometheus
         * @description With `METRICS_TOKEN` set, it must be sent as the bearer token. With `NODE_ENV=production` and no token the path is unknown (404). With `WEB_CONCURRENCY`, the metrics of all processes are returned as those of one.
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
    "/api/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a front end needs to know
         * @description Version, languages, and the limits of every form. It changes only when the service is restarted.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            /**
             * Format: int64
             * @example 7
             */
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
             * @description Whether the time zone was ever chosen. If not, an application should suggest that of the device.
             * @example true
             */
            timezone_chosen: boolean;
            /**
             * @description The language chosen for the user interface and for mails; null when none was chosen.
             * @example zh
             */
            locale: ("en" | "zh") | null;
            /**
             * Format: int32
             * @description The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks begin on Monday for everybody.
             * @example 1
             */
            week_start: number;
            /**
             * Format: int32
             * @description The hour at which a day of study begins: with 3, what is studied before 3:00 belongs to the day before.
             * @example 3
             */
            day_start_hour: number;
            /**
             * @description Weekdays, from 1 (Monday) to 7 (Sunday), without study that do not break a streak. Study on them counts.
             * @example [
             *       6,
             *       7
             *     ]
             */
            rest_weekdays: number[];
            /**
             * @description The minutes to study on a day; null when there is no goal.
             * @example 90
             */
            daily_goal_minutes: number | null;
        };
        /** @description An error of everything but the contact side. */
        ApiError: {
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
                }[];
            };
        };
        /**
         * @description Never translated.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "UNAUTHORIZED" | "OTP_REQUIRED" | "PERMISSION_DENIED" | "PASSWORD_CHANGE_REQUIRED" | "OTP_SETUP_REQUIRED" | "RESOURCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PROJECT_NOT_ACTIVE" | "SESSION_OVERLAP" | "TIMER_RUNNING" | "NO_TIMER" | "LAST_ADMIN" | "IDEMPOTENCY_MISMATCH" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "SERVICE_UNAVAILABLE" | "INTERNAL_ERROR";
        UpdatedUser: {
            /**
             * Format: int64
             * @example 7
             */
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
             * @description Whether the time zone was ever chosen. If not, an application should suggest that of the device.
             * @example true
             */
            timezone_chosen: boolean;
            /**
             * @description The language chosen for the user interface and for mails; null when none was chosen.
             * @example zh
             */
            locale: ("en" | "zh") | null;
            /**
             * Format: int32
             * @description The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks begin on Monday for everybody.
             * @example 1
             */
            week_start: number;
            /**
             * Format: int32
             * @description The hour at which a day of study begins: with 3, what is studied before 3:00 belongs to the day before.
             * @example 3
             */
            day_start_hour: number;
            /**
             * @description Weekdays, from 1 (Monday) to 7 (Sunday), without study that do not break a streak. Study on them counts.
             * @example [
             *       6,
             *       7
             *     ]
             */
            rest_weekdays: number[];
            /**
             * @description The minutes to study on a day; null when there is no goal.
             * @example 90
             */
            daily_goal_minutes: number | null;
            /**
             * @description The new e-mail address, until the link that was mailed to it is opened.
             * @example lin.wei@example.org
             */
            pending_email?: string;
        };
        AccountLink: {
            /**
             * @description Whether the link was mailed to the user.
             * @example true
             */
            link_mailed: boolean;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            link_expires_at: string;
            /**
             * @description The link to hand over, where the service has no mail server. Shown this once.
             * @example https://study.example.org/accept#token=pUq4c1vTn0xgYv3mB7k2dQ&for=invitation
             */
            link?: string;
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
        PersonalToken: {
            /**
             * Format: int64
             * @example 42
             */
            id: number;
            /**
             * @description What it is for.
             * @example Backup script
             */
            name: string;
            /**
             * @description `read`: every read that is not for administrators only; `sessions:write`: records and timer; `projects:write`: projects and their images; `admin`: all operations for administrators. None includes another one. Never more than the user may do at that moment.
             * @example [
             *       "read",
             *       "sessions:write"
             *     ]
             */
            scopes: ("read" | "sessions:write" | "projects:write" | "admin")[];
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            expires_at: string;
            /** @description To about a minute; null until its first use. */
            last_used_at: string | null;
        };
        CreatedPersonalToken: {
            /**
             * Format: int64
             * @example 42
             */
            id: number;
            /**
             * @description What it is for.
             * @example Backup script
             */
            name: string;
            /**
             * @description `read`: every read that is not for administrators only; `sessions:write`: records and timer; `projects:write`: projects and their images; `admin`: all operations for administrators. None includes another one. Never more than the user may do at that moment.
             * @example [
             *       "read",
             *       "sessions:write"
             *     ]
             */
            scopes: ("read" | "sessions:write" | "projects:write" | "admin")[];
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            expires_at: string;
            /** @description To about a minute; null until its first use. */
            last_used_at: string | null;
            /**
             * @description For the Authorization header. Returned only here, and not again for a repeated `Idempotency-Key`.
             * @example studytrack_pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2dQ
             */
            token?: string;
        };
        ManagedUser: {
            /**
             * Format: int64
             * @example 7
             */
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
             * @description False until an invited user chooses one.
             * @example true
             */
            has_password: boolean;
            /**
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
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
        /** @description The fields of the link are those of an invitation. */
        CreatedUser: {
            /**
             * Format: int64
             * @example 7
             */
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
             * @description False until an invited user chooses one.
             * @example true
             */
            has_password: boolean;
            /**
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
            /**
             * @description Shown this once, when the service chose the password.
             * @example xK4-vw9R-pq2M
             */
            one_time_password?: string;
            /**
             * @description Whether the link was mailed to the user.
             * @example true
             */
            link_mailed?: boolean;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            link_expires_at?: string;
            /**
             * @description The link to hand over, where the service has no mail server. Shown this once.
             * @example https://study.example.org/accept#token=pUq4c1vTn0xgYv3mB7k2dQ&for=invitation
             */
            link?: string;
        };
        UserWithPassword: {
            /**
             * Format: int64
             * @example 7
             */
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
             * @description False until an invited user chooses one.
             * @example true
             */
            has_password: boolean;
            /**
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
            /**
             * @description Shown this once, when the service chose the password.
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
            /** @description One for each row of the request, in its order. */
            results: {
                /**
                 * Format: int64
                 * @description The place in the request, from 0.
                 * @example 0
                 */
                index: number;
                /** @example wang */
                username: string;
                /**
                 * @description The account; null when it was not created.
                 * @example 7
                 */
                user_id: number | null;
                errors: {
                    /** @example username */
                    field: string;
                    /** @example is already taken */
                    message: string;
                }[];
            }[];
            /** @description Shown this once; not again for the same Idempotency-Key. */
            one_time_passwords?: {
                /**
                 * Format: int64
                 * @example 7
                 */
                user_id: number;
                /** @example wang */
                username: string;
                /** @example Wang Fang */
                display_name: string;
                /** @example k4vw9rpq2m8ht7xz */
                one_time_password: string;
            }[];
        };
        Group: {
            /**
             * Format: int64
             * @example 3
             */
            id: number;
            /** @example Class 3b */
            name: string;
            /**
             * Format: int64
             * @example 28
             */
            members_count: number;
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
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
        };
        GroupWithMembers: {
            /**
             * Format: int64
             * @example 3
             */
            id: number;
            /** @example Class 3b */
            name: string;
            /**
             * Format: int64
             * @example 28
             */
            members_count: number;
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
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
            /** @description By username. */
            members: {
                /**
                 * Format: int64
                 * @example 7
                 */
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
                added_at: string;
            }[];
        };
        Project: {
            /**
             * Format: int64
             * @example 42
             */
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
            /**
             * @description The day by which the target is to be reached.
             * @example 2026-06-30
             */
            due_date: string | null;
            /**
             * @description Hours that a week should bring.
             * @example 5
             */
            weekly_goal_hours: number | null;
            /**
             * @description Of current_hours, the part of the reader.
             * @example 4.5
             */
            own_hours: number;
            /** @description The end of the latest finished record of the reader. */
            own_last_session: string | null;
            /** @description The path of the cover image; absent when there is none. */
            image?: string;
            /**
             * Format: int64
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
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
        };
        ProjectDetail: {
            /**
             * Format: int64
             * @example 42
             */
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
            /**
             * @description The day by which the target is to be reached.
             * @example 2026-06-30
             */
            due_date: string | null;
            /**
             * @description Hours that a week should bring.
             * @example 5
             */
            weekly_goal_hours: number | null;
            /**
             * @description Of current_hours, the part of the reader.
             * @example 4.5
             */
            own_hours: number;
            /** @description The end of the latest finished record of the reader. */
            own_last_session: string | null;
            /** @description The path of the cover image; absent when there is none. */
            image?: string;
            /**
             * Format: int64
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
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
            /**
             * Format: int64
             * @description Finished records.
             * @example 9
             */
            sessions_count: number;
            /** @description The end of the latest finished record. */
            last_session: string | null;
            achievements: {
                /**
                 * Format: int64
                 * @example 1
                 */
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
        PersonalExport: {
            /**
             * Format: int64
             * @example 3
             */
            id: number;
            /**
             * @description Being written, ready to be downloaded, or failed.
             * @example ready
             * @enum {string}
             */
            state: "pending" | "ready" | "failed";
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            requested_at: string;
            finished_at: string | null;
            /** @description When the archive is deleted: a day after it was written. */
            expires_at: string | null;
            /**
             * @description Of the archive, once it is ready.
             * @example 48213
             */
            bytes: number | null;
        };
        BatchAssignResult: {
            /**
             * Format: int64
             * @description Pairs that now stand as asked.
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
                /**
                 * Format: int64
                 * @example 1
                 */
                project_id: number;
                /** @example Linear algebra */
                project_name: string;
                assigned_users: {
                    /**
                     * Format: int64
                     * @example 7
                     */
                    user_id: number;
                    /** @example lin */
                    username: string;
                    /** @enum {string} */
                    status: "assigned" | "already_assigned" | "removed" | "not_assigned";
                }[];
            }[];
            failures: {
                /**
                 * Format: int64
                 * @example 2
                 */
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
            /**
             * Format: int64
             * @example 7
             */
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
            /**
             * Format: int64
             * @example 7
             */
            user_id: number;
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /** @description Null for a user who is no longer assigned. */
            assigned_at: string | null;
            /** @example true */
            active_assignment: boolean;
            /**
             * Format: int64
             * @example 9
             */
            sessions_count: number;
            /** @example 12.5 */
            hours: number;
            last_session: string | null;
        };
        /** @description An error of the contact side. */
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
        ContactRequest: {
            /**
             * Format: int64
             * @example 42
             */
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
             * Format: int64
             * @description The account that was created or got a new password because of it, if any.
             * @example 42
             */
            user_id?: number;
            /** @description The administrator who changed its status or note last. */
            handled_by: {
                /**
                 * Format: int64
                 * @example 42
                 */
                id: number;
                /** @example head */
                username: string;
            } | null;
            /**
             * @description Whether it is unresolved after 24 hours.
             * @example false
             */
            overdue: boolean;
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
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
        };
        ContactRequestDetail: {
            /**
             * Format: int64
             * @example 42
             */
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
             * Format: int64
             * @description The account that was created or got a new password because of it, if any.
             * @example 42
             */
            user_id?: number;
            /** @description The administrator who changed its status or note last. */
            handled_by: {
                /**
                 * Format: int64
                 * @example 42
                 */
                id: number;
                /** @example head */
                username: string;
            } | null;
            /**
             * @description Whether it is unresolved after 24 hours.
             * @example false
             */
            overdue: boolean;
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
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
            /** @description Of the same e-mail address, newest first; at most 20. */
            earlier_requests: {
                /**
                 * Format: int64
                 * @example 42
                 */
                id: number;
                /** @enum {string} */
                subject: "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
                /** @enum {string} */
                status: "pending" | "reviewed" | "resolved";
                /**
                 * Format: date-time
                 * @example 2026-02-01T08:00:00.000Z
                 */
                created_at: string;
            }[];
        };
        Session: {
            /**
             * Format: int64
             * @example 310
             */
            id: number;
            /**
             * Format: int64
             * @example 42
             */
            project_id: number;
            /** @example Linear algebra */
            project_name: string;
            /**
             * Format: int64
             * @example 7
             */
            user_id: number;
            /**
             * @description Of its author.
             * @example lin
             */
            username: string;
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
             * Format: int64
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
            /**
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
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
         *       "source": "timer",
         *       "time_zone": "Asia/Shanghai",
         *       "auto_stopped": false,
         *       "created_at": "2026-02-01T08:00:00.000Z",
         *       "updated_at": "2026-02-01T08:00:00.000Z",
         *       "stopped": null
         *     }
         */
        StartedTimer: {
            /**
             * Format: int64
             * @example 310
             */
            id: number;
            /**
             * Format: int64
             * @example 42
             */
            project_id: number;
            /** @example Linear algebra */
            project_name: string;
            /**
             * Format: int64
             * @example 7
             */
            user_id: number;
            /**
             * @description Of its author.
             * @example lin
             */
            username: string;
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
             * Format: int64
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
            /**
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
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
         *         "valid": 117,
         *         "duplicates": 2,
         *         "overlaps": 1,
         *         "skipped": 1,
         *         "trimmed": 1,
         *         "invalid": 0,
         *         "created_projects": 0,
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
            /** Format: int64 */
            id: number;
            dry_run: boolean;
            /**
             * @description `failed`: nothing was written; `undone`: what was written has been deleted again. The last three are final.
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
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            finished_at: string | null;
            /** @description Null until the file has been checked. */
            report: {
                /** Format: int64 */
                rows: number;
                /**
                 * Format: int64
                 * @description To be imported, trimmed ones too.
                 */
                valid: number;
                /**
                 * Format: int64
                 * @description Already exist, or twice in the file; left out.
                 */
                duplicates: number;
                /**
                 * Format: int64
                 * @description Rejected or skipped because they overlap.
                 */
                overlaps: number;
                /**
                 * Format: int64
                 * @description Left out because they overlap.
                 */
                skipped: number;
                /** Format: int64 */
                trimmed: number;
                /**
                 * Format: int64
                 * @description With an error other than an overlap.
                 */
                invalid: number;
                /** Format: int64 */
                created_projects: number;
                /** @description Of the valid rows. */
                hours: number;
                /** Format: int64 */
                imported: number;
                /** @description Why the file is rejected; the first 100. */
                errors: {
                    /**
                     * Format: int64
                     * @description As a spreadsheet counts, the header being 1.
                     */
                    row: number;
                    field: string;
                    message: string;
                    /**
                     * Format: int64
                     * @description The row that it overlaps.
                     */
                    other_row?: number;
                    /**
                     * Format: int64
                     * @description The record that it overlaps.
                     */
                    session_id?: number;
                }[];
                /** @description Rows that are not imported as they are; the first 100. */
                notices: {
                    /**
                     * Format: int64
                     * @description As a spreadsheet counts, the header being 1.
                     */
                    row: number;
                    field: string;
                    message: string;
                    /**
                     * Format: int64
                     * @description The row that it overlaps.
                     */
                    other_row?: number;
                    /**
                     * Format: int64
                     * @description The record that it overlaps.
                     */
                    session_id?: number;
                    /** @enum {string} */
                    action: "left_out" | "skipped" | "trimmed";
                    /**
                     * Format: date-time
                     * @description Where a trimmed row begins.
                     * @example 2026-02-01T08:00:00.000Z
                     */
                    started_at?: string;
                }[];
                /** @description The valid rows by project, the first 100 by hours. */
                projects: {
                    /** @description Null for one that is created. */
                    project_id: number | null;
                    project_name: string;
                    /** Format: int64 */
                    sessions: number;
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00.000Z
                     */
                    started_at: string;
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00.000Z
                     */
                    ended_at: string;
                    hours: number;
                }[];
                /** @description Of a dry run: the first 100 records that would be imported. */
                sessions: {
                    /** Format: int64 */
                    row: number;
                    /** @description Null for one that is created. */
                    project_id: number | null;
                    project_name: string;
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00.000Z
                     */
                    started_at: string;
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00.000Z
                     */
                    ended_at: string;
                    hours: number;
                }[];
            } | null;
            /** @description Why it failed: the error of the response to its request. */
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
             * @description Local days with study.
             * @example 4
             */
            study_days: number;
            /**
             * Format: int64
             * @description Days in a row up to today or yesterday. Of a project that is not active: as on the day it left that state. Days in a pause neither break nor extend a streak, and nor do days of rest without study.
             * @example 2
             */
            current_streak: number;
            /**
             * Format: int64
             * @example 3
             */
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
             * @description Local days with study.
             * @example 4
             */
            study_days: number;
            /**
             * Format: int64
             * @description Days in a row up to today or yesterday. Of a project that is not active: as on the day it left that state. Days in a pause neither break nor extend a streak, and nor do days of rest without study.
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
            /** @description ISO weeks, oldest first, up to the present one. */
            weekly_progress: {
                /** @example 2026-W05 */
                week: string;
                /** @example 7.5 */
                hours: number;
            }[];
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
            /** @example 1.5 */
            today_hours: number;
            /**
             * @description Since the first day of the week, by default Monday.
             * @example 7.5
             */
            week_hours: number;
            by_category: {
                /** @enum {string} */
                category: "academic" | "skill" | "hobby" | "other";
                /** @example 7.5 */
                hours: number;
            }[];
            /** @description The 20 projects with most hours; also deleted ones, for their records still count. */
            by_project: {
                /**
                 * Format: int64
                 * @example 42
                 */
                project_id: number;
                /** @example Linear algebra */
                project_name: string;
                /** @example 7.5 */
                hours: number;
            }[];
            /**
             * @description Null when none runs.
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
             *       "source": "timer",
             *       "time_zone": "Asia/Shanghai",
             *       "auto_stopped": false,
             *       "created_at": "2026-02-01T08:00:00.000Z",
             *       "updated_at": "2026-02-01T08:00:00.000Z"
             *     }
             */
            running_timer: components["schemas"]["Session"] | null;
        };
        Forecast: {
            /**
             * @description By an even pace from where the project stood when its target or due date was set, or work on it resumed, to the target on the due date: `behind` it, `on_track` when study today keeps up with it, `ahead` when today may be skipped. `overdue`: the due date is over. Without a due date an open target is `on_track`.
             * @example on_track
             * @enum {string}
             */
            state: "no_target" | "done" | "ahead" | "on_track" | "behind" | "overdue" | "paused";
            /**
             * @description Up to the target.
             * @example 27.5
             */
            remaining_hours: number;
            /**
             * @description Up to the due date, today included; 0 when it is over, null without one.
             * @example 55
             */
            days_left: number | null;
            /**
             * @description Remaining hours by days left; without a due date a seventh of the weekly goal.
             * @example 0.5
             */
            required_hours_per_day: number;
            /**
             * @description Hours a day over the last 7 days, by everybody.
             * @example 0.75
             */
            pace_7d: number;
            /**
             * @description The same over 28 days.
             * @example 0.6
             */
            pace_28d: number;
            /**
             * @description The day on which the target is reached at the pace of the last 28 days, or of all days of a younger project. Null without study in these days, or when nothing remains or the project is paused.
             * @example 2026-03-19
             */
            projected_completion: string | null;
            /**
             * @description How many days, from today on, may pass without study before the project is behind. Null without an open plan.
             * @example 0
             */
            safe_days: number | null;
            /**
             * @description What is left of today's even share, of the way to the due date and of the weekly goal; the larger one. 0 when paused or done.
             * @example 0.25
             */
            today_required_hours: number;
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
             * @description Since the first day of the caller's week.
             * @example 7.5
             */
            week_hours: number;
            /**
             * Format: int64
             * @description As in the statistics of the caller.
             * @example 12
             */
            current_streak: number;
            /**
             * @description Whether the streak is safe for today.
             * @example true
             */
            studied_today: boolean;
            /**
             * @description Null when none runs.
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
             *       "source": "timer",
             *       "time_zone": "Asia/Shanghai",
             *       "auto_stopped": false,
             *       "created_at": "2026-02-01T08:00:00.000Z",
             *       "updated_at": "2026-02-01T08:00:00.000Z"
             *     }
             */
            running_timer: components["schemas"]["Session"] | null;
            /** @description The five active projects that the caller studied last, latest first. */
            continue: {
                /**
                 * Format: int64
                 * @example 42
                 */
                project_id: number;
                /** @example Linear algebra */
                project_name: string;
                /** @example 12.5 */
                own_hours: number;
                /**
                 * Format: date-time
                 * @description The end of the latest record of the caller.
                 * @example 2026-02-01T08:00:00.000Z
                 */
                own_last_session: string;
            }[];
            /** @description Own and assigned projects that are overdue or behind their plan: the five due first. */
            goals_at_risk: {
                /**
                 * Format: int64
                 * @example 42
                 */
                project_id: number;
                /** @example Linear algebra */
                project_name: string;
                /**
                 * @description As in the forecast of the project.
                 * @example behind
                 * @enum {string}
                 */
                state: "overdue" | "behind";
                /**
                 * Format: date
                 * @example 2026-06-30
                 */
                due_date: string;
                /**
                 * Format: int64
                 * @description Today included; 0 when the due date is over.
                 * @example 10
                 */
                days_left: number;
                /** @example 12 */
                remaining_hours: number;
                /** @example 1.2 */
                required_hours_per_day: number;
            }[];
        };
        Progress: {
            /**
             * Format: int64
             * @example 7
             */
            user_id: number;
            /** @example lin */
            username: string;
            /** @example Lin Wei */
            display_name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /** @description Those the user is a member of, by name. */
            groups: {
                /**
                 * Format: int64
                 * @example 3
                 */
                id: number;
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
             * Format: int64
             * @description In days of the user's own calendar, as in `GET /api/stats`.
             * @example 4
             */
            current_streak: number;
            /** @description Of the active assigned projects; by everybody's hours, on the user's present day. */
            goals: {
                /**
                 * Format: int64
                 * @description Overdue, or behind their plan.
                 * @example 1
                 */
                behind: number;
                /**
                 * Format: int64
                 * @description With 80 % of the target or more, but not all of it.
                 * @example 0
                 */
                near: number;
            };
            /** @description The end of the latest finished record. */
            last_session: string | null;
            running_timer: {
                /**
                 * Format: int64
                 * @example 42
                 */
                project_id: number;
                /** @example Linear algebra */
                project_name: string;
                /**
                 * Format: date-time
                 * @example 2026-02-01T08:00:00.000Z
                 */
                started_at: string;
            } | null;
        };
        ProjectColumn: {
            /**
             * Format: int64
             * @example 42
             */
            id: number;
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
             * @description The day by which the target is to be reached.
             * @example 2026-06-30
             */
            due_date: string | null;
            /**
             * @description By everybody's hours, as in the forecast, on the present day of the reader.
             * @example on_track
             * @enum {string}
             */
            state: "no_target" | "done" | "ahead" | "on_track" | "behind" | "overdue" | "paused";
            /**
             * Format: int64
             * @description To how many members of the group, or users of this page, it is assigned.
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
            last_session: string | null;
            /**
             * Format: int64
             * @example 7
             */
            user_id: number;
            /**
             * @description Finished records on each of `projects`, in the same order; null where it is not assigned.
             * @example [
             *       12.5,
             *       0,
             *       null
             *     ]
             */
            hours: (number | null)[];
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
            /** Format: int64 */
            id: number;
            name: string;
            description: string;
            /** @description The path of a picture of this service. */
            icon: string;
            /** @description What it takes: study time in seconds, a streak in days, a target in percent; the others once. */
            requires: {
                /** @enum {string} */
                kind: "study_time" | "streak" | "target" | "early_bird" | "night_owl";
                /** Format: int64 */
                amount: number;
            };
            earned_at: string | null;
        };
        AuditEntry: {
            /**
             * Format: int64
             * @example 42
             */
            id: number;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            at: string;
            actor: {
                /**
                 * Format: int64
                 * @example 42
                 */
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
            target_type: "user" | "project" | "assignment" | "contact_request" | "session" | "export" | "group" | "personal_token" | "webhook";
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
        AuditName: {
            /** @enum {string} */
            type: "user" | "project" | "group";
            /**
             * Format: int64
             * @example 42
             */
            id: number;
            /** @example Lin Wei */
            name: string;
        };
        Webhook: {
            /**
             * Format: int64
             * @example 42
             */
            id: number;
            /** @example https://example.org/hooks/studytrack */
            url: string;
            events: ("project.created" | "project.updated" | "project.deleted" | "project.restored" | "assignment.changed" | "session.created" | "session.updated" | "session.deleted" | "goal.reached" | "contact.created" | "contact.status_changed")[];
            active: boolean;
            /** @description Why the service switched it off: `failures`, 20 attempts in a row without success, or `queue_full`, 20,000 waiting deliveries. */
            disabled_reason: ("failures" | "queue_full") | null;
            /**
             * Format: int64
             * @description Attempts in a row without success.
             * @example 0
             */
            failures: number;
            /** @description After a failed attempt: when the next one is made. */
            paused_until: string | null;
            /**
             * Format: int64
             * @description Deliveries that wait.
             * @example 0
             */
            waiting: number;
            /** @description Until when the former secret signs, too. */
            rotation_ends_at: string | null;
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
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
        };
        WebhookWithSecret: {
            /**
             * Format: int64
             * @example 42
             */
            id: number;
            /** @example https://example.org/hooks/studytrack */
            url: string;
            events: ("project.created" | "project.updated" | "project.deleted" | "project.restored" | "assignment.changed" | "session.created" | "session.updated" | "session.deleted" | "goal.reached" | "contact.created" | "contact.status_changed")[];
            active: boolean;
            /** @description Why the service switched it off: `failures`, 20 attempts in a row without success, or `queue_full`, 20,000 waiting deliveries. */
            disabled_reason: ("failures" | "queue_full") | null;
            /**
             * Format: int64
             * @description Attempts in a row without success.
             * @example 0
             */
            failures: number;
            /** @description After a failed attempt: when the next one is made. */
            paused_until: string | null;
            /**
             * Format: int64
             * @description Deliveries that wait.
             * @example 0
             */
            waiting: number;
            /** @description Until when the former secret signs, too. */
            rotation_ends_at: string | null;
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
             * @description For `If-Match` of a change that is based on what this item shows.
             * @example "1764921600000"
             */
            etag: string;
            /**
             * @description Verifies signatures. Returned only here, and not again for a repeated `Idempotency-Key`.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret?: string;
        };
        WebhookDelivery: {
            /**
             * Format: int64
             * @example 42
             */
            id: number;
            /**
             * @description The header `webhook-id`: the same in every attempt and replay.
             * @example msg_0b6ba3b6-2ed7-4f6c-9bd8-5cf01b6f2f11
             */
            message_id: string;
            /**
             * @example project.deleted
             * @enum {string}
             */
            type: "project.created" | "project.updated" | "project.deleted" | "project.restored" | "assignment.changed" | "session.created" | "session.updated" | "session.deleted" | "goal.reached" | "contact.created" | "contact.status_changed" | "ping";
            /**
             * @description What it is about.
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
             * @example delivered
             * @enum {string}
             */
            state: "waiting" | "delivered" | "failed";
            /**
             * Format: int64
             * @example 1
             */
            attempts: number;
            /**
             * Format: date-time
             * @example 2026-02-01T08:00:00.000Z
             */
            created_at: string;
            last_attempt_at: string | null;
            next_attempt_at: string | null;
            /** @example 200 */
            response_status: number | null;
            /**
             * @description How the response began: at most 300 characters.
             * @example ok
             */
            response_text: string | null;
            /**
             * @description Why the last attempt failed.
             * @example ECONNREFUSED
             */
            error_code: string | null;
        };
        BackgroundWork: {
            kinds: {
                /**
                 * @description `mail`: to account holders. `contact_mail`: to administrators, about contact requests. `webhook_delivery`: events to other programs. `personal_export`: archives of what belongs to a user.
                 * @example mail
                 * @enum {string}
                 */
                kind: "mail" | "contact_mail" | "webhook_delivery" | "personal_export";
                /**
                 * Format: int64
                 * @description Waiting for their first attempt.
                 * @example 3
                 */
                queued: number;
                /**
                 * Format: int64
                 * @description Being attempted by a process.
                 * @example 1
                 */
                running: number;
                /**
                 * Format: int64
                 * @description Waiting for another attempt after one that failed.
                 * @example 1
                 */
                failed: number;
                /** @description When the oldest unfinished job was created. */
                oldest_at: string | null;
                /** @description When the next failed job is attempted again. */
                next_attempt_at: string | null;
                /**
                 * @description Of the latest failure among the unfinished jobs.
                 * @example ECONNREFUSED
                 */
                last_error_code: string | null;
                last_failed_at: string | null;
            }[];
        };
        Meta: {
            /** @example 1.0.0 */
            version: string;
            /**
             * @description Of messages, unless `Accept-Language` asks for another.
             * @enum {string}
             */
            default_locale: "en" | "zh";
            locales: ("en" | "zh")[];
            /**
             * Format: int64
             * @description The largest `limit` of a list.
             * @example 100
             */
            max_page_size: number;
            /**
             * @description A timer that runs longer is stopped after so many hours.
             * @example 12
             */
            max_timer_hours: number;
            /**
             * @description Who must have a second factor.
             * @enum {string}
             */
            require_otp: "none" | "admin" | "all";
            /** @description Whether the service sends mail, so that users can change their address. */
            mail: boolean;
            /**
             * @description Other origins that images come from, for a Content-Security-Policy.
             * @example []
             */
            image_origins: string[];
            /**
             * @description Limits of the fields of a request, by the id of the operation. Lengths count code points.
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
             * @description The largest file, by the id of the operation.
             * @example {
             *       "uploadProjectImage": 5242880
             *     }
             */
            upload_bytes: {
                [key: string]: number;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Identifies the request in the log.
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
         * @description `true` when this is the stored response to an earlier request with the same key.
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Signed in.",
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
                     *           "totp_enabled": false,
                     *           "timezone_chosen": true,
                     *           "locale": "zh",
                     *           "week_start": 1,
                     *           "day_start_hour": 3,
                     *           "rest_weekdays": [
                     *             6,
                     *             7
                     *           ],
                     *           "daily_goal_minutes": 90
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Signed in. */
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
                             * Format: int64
                             * @description Seconds until the token expires.
                             * @example 900
                             */
                            expires_in: number;
                            /**
                             * @description For the next token; used once, 30 days long.
                             * @example pUq4c1vTn0xgYv3mB7k2dQ
                             */
                            refresh_token: string;
                            user: components["schemas"]["Account"];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED, OTP_REQUIRED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Token refreshed.",
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
                     *           "totp_enabled": false,
                     *           "timezone_chosen": true,
                     *           "locale": "zh",
                     *           "week_start": 1,
                     *           "day_start_hour": 3,
                     *           "rest_weekdays": [
                     *             6,
                     *             7
                     *           ],
                     *           "daily_goal_minutes": 90
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Token refreshed. */
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
                             * Format: int64
                             * @description Seconds until the token expires.
                             * @example 900
                             */
                            expires_in: number;
                            /**
                             * @description For the next token; used once, 30 days long.
                             * @example pUq4c1vTn0xgYv3mB7k2dQ
                             */
                            refresh_token: string;
                            user: components["schemas"]["Account"];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Signed out."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Signed out. */
                        message: string;
                    };
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    browserSignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. Where it is missing, `Origin` must name this service. */
                "Sec-Fetch-Site"?: "same-origin";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "lin",
                 *       "password": "a long and good password",
                 *       "otp": "287082",
                 *       "keep_signed_in": true
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
            /** @description Sign in on a page of this service */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Signed in.",
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl",
                     *         "token_type": "Bearer",
                     *         "expires_in": 900,
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
                     *           "totp_enabled": false,
                     *           "timezone_chosen": true,
                     *           "locale": "zh",
                     *           "week_start": 1,
                     *           "day_start_hour": 3,
                     *           "rest_weekdays": [
                     *             6,
                     *             7
                     *           ],
                     *           "daily_goal_minutes": 90
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Signed in. */
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
                             * Format: int64
                             * @description Seconds until the token expires.
                             * @example 900
                             */
                            expires_in: number;
                            user: components["schemas"]["Account"];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED, OTP_REQUIRED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    browserRefresh: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. Where it is missing, `Origin` must name this service. */
                "Sec-Fetch-Site"?: "same-origin";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Get a new token by the cookie */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Token refreshed.",
                     *       "data": {
                     *         "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl",
                     *         "token_type": "Bearer",
                     *         "expires_in": 900,
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
                     *           "totp_enabled": false,
                     *           "timezone_chosen": true,
                     *           "locale": "zh",
                     *           "week_start": 1,
                     *           "day_start_hour": 3,
                     *           "rest_weekdays": [
                     *             6,
                     *             7
                     *           ],
                     *           "daily_goal_minutes": 90
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Token refreshed. */
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
                             * Format: int64
                             * @description Seconds until the token expires.
                             * @example 900
                             */
                            expires_in: number;
                            user: components["schemas"]["Account"];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    browserSignOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. Where it is missing, `Origin` must name this service. */
                "Sec-Fetch-Site"?: "same-origin";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Sign out on a page of this service */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Signed out."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Signed out. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "totp_enabled": false,
                     *         "timezone_chosen": true,
                     *         "locale": "zh",
                     *         "week_start": 1,
                     *         "day_start_hour": 3,
                     *         "rest_weekdays": [
                     *           6,
                     *           7
                     *         ],
                     *         "daily_goal_minutes": 90
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Account"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Lin Wei",
                 *       "email": "lin@example.org",
                 *       "timezone": "Asia/Shanghai",
                 *       "locale": "zh",
                 *       "week_start": 1,
                 *       "day_start_hour": 3,
                 *       "rest_weekdays": [
                 *         6,
                 *         7
                 *       ],
                 *       "daily_goal_minutes": 90,
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
                     * @description The language chosen for the user interface and for mails; null when none was chosen.
                     * @example zh
                     */
                    locale?: ("en" | "zh") | null;
                    /**
                     * Format: int32
                     * @description The weekday on which weeks begin, from 1 (Monday) to 7 (Sunday). ISO weeks begin on Monday for everybody.
                     * @example 1
                     */
                    week_start?: number;
                    /**
                     * Format: int32
                     * @description The hour at which a day of study begins: with 3, what is studied before 3:00 belongs to the day before.
                     * @example 3
                     */
                    day_start_hour?: number;
                    /**
                     * @description Weekdays, from 1 (Monday) to 7 (Sunday), without study that do not break a streak. Study on them counts.
                     * @example [
                     *       6,
                     *       7
                     *     ]
                     */
                    rest_weekdays?: number[];
                    /**
                     * @description The minutes to study on a day; null when there is no goal.
                     * @example 90
                     */
                    daily_goal_minutes?: number | null;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Your account was updated.",
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
                     *         "timezone_chosen": true,
                     *         "locale": "zh",
                     *         "week_start": 1,
                     *         "day_start_hour": 3,
                     *         "rest_weekdays": [
                     *           6,
                     *           7
                     *         ],
                     *         "daily_goal_minutes": 90,
                     *         "pending_email": "lin.wei@example.org"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Your account was updated. */
                        message: string;
                        data: components["schemas"]["UpdatedUser"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteMe: {
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
                     * @description For accounts with a second factor: the code, or a recovery code.
                     * @example 287082
                     */
                    otp?: string;
                };
            };
        };
        responses: {
            /** @description Delete your account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Your account was deleted."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example Your account was deleted. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description LAST_ADMIN: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The e-mail address was changed."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The e-mail address was changed. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The password was changed and all other sign-ins were ended."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The password was changed and all other sign-ins were ended. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Set a password with a link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The password was set; sign in with it now.",
                     *       "data": {
                     *         "username": "lin"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The password was set; sign in with it now. */
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Ask for a link that resets the password */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "If an active account has this address, a mail with a link is on its way. If none comes, write to the administrators."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example If an active account has this address, a mail with a link is on its way. If none comes, write to the administrators. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    inviteUser: {
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
            /** @description Invite a user */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The link was mailed to the user.",
                     *       "data": {
                     *         "link_mailed": true,
                     *         "link_expires_at": "2026-02-01T08:00:00.000Z",
                     *         "link": "https://study.example.org/accept#token=pUq4c1vTn0xgYv3mB7k2dQ&for=invitation"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The link was mailed to the user. */
                        message: string;
                        data: components["schemas"]["AccountLink"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    sendResetLink: {
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
            /** @description Send a link that resets the password */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The link was mailed to the user.",
                     *       "data": {
                     *         "link_mailed": true,
                     *         "link_expires_at": "2026-02-01T08:00:00.000Z",
                     *         "link": "https://study.example.org/accept#token=pUq4c1vTn0xgYv3mB7k2dQ&for=invitation"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The link was mailed to the user. */
                        message: string;
                        data: components["schemas"]["AccountLink"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The sign-in was ended."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The sign-in was ended. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description List your personal access tokens */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *           "id": 42,
                     *           "name": "Backup script",
                     *           "scopes": [
                     *             "read",
                     *             "sessions:write"
                     *           ],
                     *           "created_at": "2026-02-01T08:00:00.000Z",
                     *           "expires_at": "2026-02-01T08:00:00.000Z",
                     *           "last_used_at": "2026-02-01T08:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["PersonalToken"][];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: string;
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
                     * @description What it is for.
                     * @example Backup script
                     */
                    name: string;
                    /**
                     * @description `read`: every read that is not for administrators only; `sessions:write`: records and timer; `projects:write`: projects and their images; `admin`: all operations for administrators. None includes another one. Never more than the user may do at that moment.
                     * @example [
                     *       "read",
                     *       "sessions:write"
                     *     ]
                     */
                    scopes: ("read" | "sessions:write" | "projects:write" | "admin")[];
                    /**
                     * Format: date-time
                     * @description When it expires: within a year.
                     * @example 2027-02-01T08:00:00Z
                     */
                    expires_at: string;
                };
            };
        };
        responses: {
            /** @description Create a personal access token */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The token was created; copy it now, it is not shown again.",
                     *       "data": {
                     *         "id": 42,
                     *         "name": "Backup script",
                     *         "scopes": [
                     *           "read",
                     *           "sessions:write"
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "expires_at": "2026-02-01T08:00:00.000Z",
                     *         "last_used_at": "2026-02-01T08:00:00.000Z",
                     *         "token": "studytrack_pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2dQ"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The token was created; copy it now, it is not shown again. */
                        message: string;
                        data: components["schemas"]["CreatedPersonalToken"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Revoke one of your personal access tokens */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The token was revoked."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The token was revoked. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Scan the QR code with an authenticator application and confirm with a code.",
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
                        /** @example Scan the QR code with an authenticator application and confirm with a code. */
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
                             * Format: int64
                             * @description Seconds within which a code must confirm it.
                             * @example 600
                             */
                            expires_in: number;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The second factor is disabled."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The second factor is disabled. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The second factor is enabled; store the recovery codes in a safe place.",
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
                        /** @example The second factor is enabled; store the recovery codes in a safe place. */
                        message: string;
                        data: {
                            /** @description 10 codes, each valid once in place of a code. Returned only here. */
                            recovery_codes: string[];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The second factor of the user was removed."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The second factor of the user was removed. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                /** @description Members of this group. */
                group_id?: number;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "totp_enabled": false,
                     *             "has_password": true,
                     *             "etag": "\"1764921600000\""
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
                            users: components["schemas"]["ManagedUser"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
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
                     * @description UTC until somebody chooses one.
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
                     * Format: int64
                     * @description The open contact request that asked for this; it is resolved and linked with the account.
                     * @example 42
                     */
                    contact_request_id?: number;
                    /** @description Instead of a password: mails a link, valid for 72 hours, with which the user chooses one. */
                    invite?: boolean;
                };
            };
        };
        responses: {
            /** @description Create a user */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The user was created.",
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
                     *         "has_password": true,
                     *         "etag": "\"1764921600000\"",
                     *         "one_time_password": "xK4-vw9R-pq2M",
                     *         "link_mailed": true,
                     *         "link_expires_at": "2026-02-01T08:00:00.000Z",
                     *         "link": "https://study.example.org/accept#token=pUq4c1vTn0xgYv3mB7k2dQ&for=invitation"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The user was created. */
                        message: string;
                        data: components["schemas"]["CreatedUser"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "totp_enabled": false,
                     *         "has_password": true,
                     *         "etag": "\"1764921600000\""
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["ManagedUser"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The user was updated.",
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
                     *         "has_password": true,
                     *         "etag": "\"1764921600000\""
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The user was updated. */
                        message: string;
                        data: components["schemas"]["ManagedUser"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description LAST_ADMIN: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The user was deleted."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The user was deleted. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description LAST_ADMIN: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                     * @description Chosen by the service and returned once when left out; it can be used for 7 days, and must be changed first.
                     * @example a long and good password
                     */
                    password?: string;
                    /**
                     * Format: int64
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The password was reset and all sign-ins of the user were ended.",
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
                     *         "has_password": true,
                     *         "etag": "\"1764921600000\"",
                     *         "one_time_password": "xK4-vw9R-pq2M"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The password was reset and all sign-ins of the user were ended. */
                        message: string;
                        data: components["schemas"]["UserWithPassword"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createUsers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: string;
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
                    /** @description At most 200. A name that occurs twice is taken for the second. */
                    users: {
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
                         * @description UTC until somebody chooses one.
                         * @example Asia/Shanghai
                         */
                        timezone?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Create many users with one-time passwords */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "created_count": 1,
                     *         "failed_count": 0,
                     *         "results": [
                     *           {
                     *             "index": 0,
                     *             "username": "wang",
                     *             "user_id": 7,
                     *             "errors": [
                     *               {
                     *                 "field": "username",
                     *                 "message": "is already taken"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "one_time_passwords": [
                     *           {
                     *             "user_id": 7,
                     *             "username": "wang",
                     *             "display_name": "Wang Fang",
                     *             "one_time_password": "k4vw9rpq2m8ht7xz"
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
                        data: components["schemas"]["CreatedUsers"];
                    };
                    "text/html": string;
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Read whether you have a calendar address */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "last_used_at": "2026-02-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        /** @description null while there is no address. */
                        data: {
                            /**
                             * Format: date-time
                             * @example 2026-02-01T08:00:00.000Z
                             */
                            created_at: string;
                            /** @description When a calendar last read it, to about a minute. */
                            last_used_at: string | null;
                        } | null;
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Create a secret address for your calendar */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The calendar address was created; copy it now, it is not shown again.",
                     *       "data": {
                     *         "secret_url": "http://127.0.0.1:3000/api/calendar.ics?token=pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The calendar address was created; copy it now, it is not shown again. */
                        message: string;
                        data: {
                            /**
                             * @description For a calendar to subscribe to. Everybody who knows it can read the records. Returned only here, and not again for a repeated `Idempotency-Key`.
                             * @example http://127.0.0.1:3000/api/calendar.ics?token=pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d
                             */
                            secret_url?: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Revoke your calendar address */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The calendar address was revoked."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The calendar address was revoked. */
                        message: string;
                    };
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Read a calendar by its secret address */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Part of the name, without regard to case. */
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
            /** @description List groups */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "groups": [
                     *           {
                     *             "id": 3,
                     *             "name": "Class 3b",
                     *             "members_count": 28,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
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
                            groups: components["schemas"]["Group"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: string;
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
                     * @description Unique without regard to case.
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
                    user_ids?: number[];
                };
            };
        };
        responses: {
            /** @description Create a group */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The group was created.",
                     *       "data": {
                     *         "id": 3,
                     *         "name": "Class 3b",
                     *         "members_count": 28,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\"",
                     *         "members": [
                     *           {
                     *             "user_id": 7,
                     *             "username": "lin",
                     *             "display_name": "Lin Wei",
                     *             "status": "active",
                     *             "added_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The group was created. */
                        message: string;
                        data: components["schemas"]["GroupWithMembers"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getGroup: {
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
            /** @description Read one group with its members */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 3,
                     *         "name": "Class 3b",
                     *         "members_count": 28,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\"",
                     *         "members": [
                     *           {
                     *             "user_id": 7,
                     *             "username": "lin",
                     *             "display_name": "Lin Wei",
                     *             "status": "active",
                     *             "added_at": "2026-02-01T08:00:00.000Z"
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
                        data: components["schemas"]["GroupWithMembers"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Class 4b"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Unique without regard to case.
                     * @example Class 3b
                     */
                    name?: string;
                    /**
                     * @description The full new list of members; may be empty.
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    user_ids?: number[];
                };
            };
        };
        responses: {
            /** @description Rename a group, or replace its members */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The group was updated.",
                     *       "data": {
                     *         "id": 3,
                     *         "name": "Class 3b",
                     *         "members_count": 28,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\"",
                     *         "members": [
                     *           {
                     *             "user_id": 7,
                     *             "username": "lin",
                     *             "display_name": "Lin Wei",
                     *             "status": "active",
                     *             "added_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The group was updated. */
                        message: string;
                        data: components["schemas"]["GroupWithMembers"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
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
            /** @description Delete a group */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The group was deleted; its members and their assignments are kept."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The group was deleted; its members and their assignments are kept. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    changeGroupMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the thing. */
                id: number;
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
                     * @description Users who become members.
                     * @default []
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    add?: number[];
                    /**
                     * @description Users who are members no longer.
                     * @default []
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    remove?: number[];
                };
            };
        };
        responses: {
            /** @description Add and remove members */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The group was updated.",
                     *       "data": {
                     *         "id": 3,
                     *         "name": "Class 3b",
                     *         "members_count": 28,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\"",
                     *         "members": [
                     *           {
                     *             "user_id": 7,
                     *             "username": "lin",
                     *             "display_name": "Lin Wei",
                     *             "status": "active",
                     *             "added_at": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The group was updated. */
                        message: string;
                        data: components["schemas"]["GroupWithMembers"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                /** @description Projects in this state of their forecast. */
                state?: "no_target" | "done" | "ahead" | "on_track" | "behind" | "overdue" | "paused" | "all";
                /** @description Projects assigned to this user; for administrators. */
                assigned_user_id?: number;
                /** @description `none`: projects that are assigned to nobody; for administrators. */
                assigned?: "none" | "all";
                /** @description Part of the name or description, without regard to case; `%` and `_` are just characters. */
                search?: string;
                /** @description By which field; equal ones by id. Projects without a due date or own record come last. */
                sort?: "id" | "name" | "status" | "category" | "rating_standard" | "target_hours" | "current_hours" | "progress" | "due_date" | "own_hours" | "own_last_session" | "created_at" | "updated_at";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "due_date": "2026-06-30",
                     *             "weekly_goal_hours": 5,
                     *             "own_hours": 4.5,
                     *             "own_last_session": "2026-02-01T08:00:00.000Z",
                     *             "user_id": 1,
                     *             "assigned_user_id": 7,
                     *             "assigned_user_ids": [
                     *               7,
                     *               9
                     *             ],
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
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
                 *       "due_date": "2026-06-30",
                 *       "weekly_goal_hours": 5,
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
                     * @description The day by which the target is to be reached; null is none.
                     * @default null
                     * @example 2026-06-30
                     */
                    due_date?: string | null;
                    /**
                     * @description Hours that a week should bring, kept with two decimals; null is none.
                     * @example 5
                     */
                    weekly_goal_hours?: ((number | null) | null) | number | null;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "due_date": "2026-06-30",
                     *         "weekly_goal_hours": 5,
                     *         "own_hours": 4.5,
                     *         "own_last_session": "2026-02-01T08:00:00.000Z",
                     *         "user_id": 1,
                     *         "assigned_user_id": 7,
                     *         "assigned_user_ids": [
                     *           7,
                     *           9
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listAssignableUsers: {
        parameters: {
            query?: {
                /** @description Part of the username, display name or e-mail address. */
                search?: string;
                /** @description Members of this group. */
                group_id?: number;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                            /**
                             * Format: int64
                             * @example 7
                             */
                            id: number;
                            /**
                             * Format: int64
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "due_date": "2026-06-30",
                     *             "weekly_goal_hours": 5,
                     *             "own_hours": 4.5,
                     *             "own_last_session": "2026-02-01T08:00:00.000Z",
                     *             "user_id": 1,
                     *             "assigned_user_id": 7,
                     *             "assigned_user_ids": [
                     *               7,
                     *               9
                     *             ],
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\"",
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
                                /**
                                 * Format: int64
                                 * @example 42
                                 */
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
                                /**
                                 * @description The day by which the target is to be reached.
                                 * @example 2026-06-30
                                 */
                                due_date: string | null;
                                /**
                                 * @description Hours that a week should bring.
                                 * @example 5
                                 */
                                weekly_goal_hours: number | null;
                                /**
                                 * @description Of current_hours, the part of the reader.
                                 * @example 4.5
                                 */
                                own_hours: number;
                                /** @description The end of the latest finished record of the reader. */
                                own_last_session: string | null;
                                /** @description The path of the cover image; absent when there is none. */
                                image?: string;
                                /**
                                 * Format: int64
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
                                 * @description For `If-Match` of a change that is based on what this item shows.
                                 * @example "1764921600000"
                                 */
                                etag: string;
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "due_date": "2026-06-30",
                     *         "weekly_goal_hours": 5,
                     *         "own_hours": 4.5,
                     *         "own_last_session": "2026-02-01T08:00:00.000Z",
                     *         "user_id": 1,
                     *         "assigned_user_id": 7,
                     *         "assigned_user_ids": [
                     *           7,
                     *           9
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\"",
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
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
                    /**
                     * @description The day by which the target is to be reached; null is none.
                     * @example 2026-06-30
                     */
                    due_date?: string | null;
                    /**
                     * @description Hours that a week should bring, kept with two decimals; null is none.
                     * @example 5
                     */
                    weekly_goal_hours?: ((number | null) | null) | number | null;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "due_date": "2026-06-30",
                     *         "weekly_goal_hours": 5,
                     *         "own_hours": 4.5,
                     *         "own_last_session": "2026-02-01T08:00:00.000Z",
                     *         "user_id": 1,
                     *         "assigned_user_id": 7,
                     *         "assigned_user_ids": [
                     *           7,
                     *           9
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "due_date": "2026-06-30",
                     *         "weekly_goal_hours": 5,
                     *         "own_hours": 4.5,
                     *         "own_last_session": "2026-02-01T08:00:00.000Z",
                     *         "user_id": 1,
                     *         "assigned_user_id": 7,
                     *         "assigned_user_ids": [
                     *           7,
                     *           9
                     *         ],
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The cover image was deleted."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The cover image was deleted. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Read the state of your latest archive */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "id": 3,
                     *         "state": "ready",
                     *         "requested_at": "2026-02-01T08:00:00.000Z",
                     *         "finished_at": "2026-02-01T08:00:00.000Z",
                     *         "expires_at": "2026-02-01T08:00:00.000Z",
                     *         "bytes": 48213
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        /** @description The latest one, or null without one within a day. */
                        data: components["schemas"]["PersonalExport"] | null;
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    requestExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask for an archive of everything that belongs to you */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The archive is being written; GET /api/me/export says when it is ready.",
                     *       "data": {
                     *         "id": 3,
                     *         "state": "ready",
                     *         "requested_at": "2026-02-01T08:00:00.000Z",
                     *         "finished_at": "2026-02-01T08:00:00.000Z",
                     *         "expires_at": "2026-02-01T08:00:00.000Z",
                     *         "bytes": 48213
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The archive is being written; GET /api/me/export says when it is ready. */
                        message: string;
                        data: components["schemas"]["PersonalExport"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Download your latest archive */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                     * @description Shape A: the users affected; may be empty only with `replace`, or beside `group_ids`.
                     * @example [
                     *       7,
                     *       9
                     *     ]
                     */
                    user_ids?: number[];
                    /** @description Shape A: groups whose active members are affected like `user_ids`, after these. */
                    group_ids?: number[];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                             * Format: int64
                             * @description Seconds.
                             * @example 300
                             */
                            expires_in: number;
                            /** @description With CAPTCHA_MODE=reveal only. */
                            answer?: string;
                        };
                    };
                    "image/png": string;
                    "audio/wav": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     * @description The characters in the picture, in upper or lower case.
                     * @example K7PW
                     */
                    captcha: string;
                    /**
                     * @description The id of the captcha; required where the cookie is not sent.
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                        /**
                         * Format: int64
                         * @example 42
                         */
                        requestId: number;
                    };
                };
            };
            /** @description VALIDATION_ERROR, CONFLICT, IDEMPOTENCY_MISMATCH, PAYLOAD_TOO_LARGE: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                /** @description Requests with this subject. */
                subject?: "all" | "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
                /** @description A part of the name, e-mail, phone or message, ignoring case. */
                search?: string;
                /** @description This e-mail address, ignoring case. */
                email?: string;
                /** @description Received at this moment or later. */
                from?: string;
                /** @description Received before this moment. */
                to?: string;
                /** @description Unresolved after 24 hours, or not. */
                overdue?: "true" | "false";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "handled_by": {
                     *               "id": 42,
                     *               "username": "head"
                     *             },
                     *             "overdue": false,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                /** @description Requests with this subject. */
                subject?: "all" | "account_registration" | "password_reset" | "technical_support" | "feature_request" | "other";
                /** @description A part of the name, e-mail, phone or message, ignoring case. */
                search?: string;
                /** @description This e-mail address, ignoring case. */
                email?: string;
                /** @description Received at this moment or later. */
                from?: string;
                /** @description Received before this moment. */
                to?: string;
                /** @description Unresolved after 24 hours, or not. */
                overdue?: "true" | "false";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "handled_by": {
                     *           "id": 42,
                     *           "username": "head"
                     *         },
                     *         "overdue": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\"",
                     *         "earlier_requests": [
                     *           {
                     *             "id": 42,
                     *             "subject": "account_registration",
                     *             "status": "pending",
                     *             "created_at": "2026-02-01T08:00:00.000Z"
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
                        data: components["schemas"]["ContactRequestDetail"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
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
            /** @description Delete a contact request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
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
            /** @description VALIDATION_ERROR, PRECONDITION_FAILED: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
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
                     * @description Absent leaves the note unchanged; null or "" clears it.
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
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
                            /**
                             * Format: int64
                             * @example 42
                             */
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
            /** @description VALIDATION_ERROR, PRECONDITION_FAILED, PAYLOAD_TOO_LARGE: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
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
                    ids: number[];
                    /**
                     * @description Moves them forward to this state.
                     * @enum {string}
                     */
                    status?: "pending" | "reviewed" | "resolved";
                    /**
                     * @description Deletes them instead.
                     * @constant
                     */
                    delete?: true;
                };
            };
        };
        responses: {
            /** @description Move many contact requests forward, or delete them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "changed_count": 2,
                     *         "results": [
                     *           {
                     *             "id": 42,
                     *             "outcome": "updated"
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
                            /**
                             * Format: int64
                             * @description Requests updated or deleted.
                             * @example 2
                             */
                            changed_count: number;
                            /** @description One for each id, in the order of the request; duplicates once. */
                            results: {
                                /**
                                 * Format: int64
                                 * @example 42
                                 */
                                id: number;
                                /** @enum {string} */
                                outcome: "updated" | "unchanged" | "status_backward" | "deleted" | "not_found";
                            }[];
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR, PAYLOAD_TOO_LARGE: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE, INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                /** @description Records of the user with this name, without regard to case. */
                username?: string;
                /** @description Part of the note, without regard to case; `%` and `_` are just characters. */
                search?: string;
                /** @description By start. */
                order?: "asc" | "desc";
                /** @description Running timers, or finished records. */
                running?: "true" | "false";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "username": "lin",
                     *             "started_at": "2026-02-01T08:00:00.000Z",
                     *             "ended_at": "2026-02-01T09:30:00.000Z",
                     *             "duration_seconds": 5400,
                     *             "hours": 1.5,
                     *             "note": "Chapter 3",
                     *             "source": "timer",
                     *             "time_zone": "Asia/Shanghai",
                     *             "auto_stopped": false,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
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
                     * Format: int32
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "username": "lin",
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": "2026-02-01T09:30:00.000Z",
                     *         "duration_seconds": 5400,
                     *         "hours": 1.5,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, PROJECT_NOT_ACTIVE, SESSION_OVERLAP, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                /** @description Records of the user with this name, without regard to case. */
                username?: string;
                /** @description Part of the note, without regard to case; `%` and `_` are just characters. */
                search?: string;
                /** @description By start. */
                order?: "asc" | "desc";
                /** @description Running timers, or finished records. */
                running?: "true" | "false";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "username": "lin",
                     *             "started_at": "2026-02-01T08:00:00.000Z",
                     *             "ended_at": "2026-02-01T09:30:00.000Z",
                     *             "duration_seconds": 5400,
                     *             "hours": 1.5,
                     *             "note": "Chapter 3",
                     *             "source": "timer",
                     *             "time_zone": "Asia/Shanghai",
                     *             "auto_stopped": false,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                /** @description Records of the user with this name, without regard to case. */
                username?: string;
                /** @description Part of the note, without regard to case; `%` and `_` are just characters. */
                search?: string;
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "username": "lin",
                     *             "started_at": "2026-02-01T08:00:00.000Z",
                     *             "ended_at": "2026-02-01T09:30:00.000Z",
                     *             "duration_seconds": 5400,
                     *             "hours": 1.5,
                     *             "note": "Chapter 3",
                     *             "source": "timer",
                     *             "time_zone": "Asia/Shanghai",
                     *             "auto_stopped": false,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "username": "lin",
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": "2026-02-01T09:30:00.000Z",
                     *         "duration_seconds": 5400,
                     *         "hours": 1.5,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "ended_at": "2026-02-01T09:45:00Z",
                 *       "note": "Chapters 3 and 4"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int64
                     * @description Another project that the author of the record sees.
                     * @example 42
                     */
                    project_id?: number;
                    /**
                     * Format: date-time
                     * @example 2026-02-01T08:00:00Z
                     */
                    started_at?: string;
                    /** @description Null only as the echo of a running timer. */
                    ended_at?: string | null;
                    /** Format: int32 */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The study record was updated.",
                     *       "data": {
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "username": "lin",
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": "2026-02-01T09:30:00.000Z",
                     *         "duration_seconds": 5400,
                     *         "hours": 1.5,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The study record was updated. */
                        message: string;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PROJECT_NOT_ACTIVE, SESSION_OVERLAP, TIMER_RUNNING: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "etag": "\"1764921600000\"",
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "username": "lin",
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    startTimer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
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
                    /**
                     * Format: int64
                     * @example 42
                     */
                    project_id: number;
                    /**
                     * @default
                     * @example Chapter 3
                     */
                    note?: string;
                    /**
                     * Format: date-time
                     * @description By default now; at most 24 hours ago.
                     * @example 2026-02-01T08:00:00Z
                     */
                    started_at?: string;
                };
            };
        };
        responses: {
            /** @description It existed already and is returned unchanged. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The timer was started.",
                     *       "data": {
                     *         "etag": "\"1764921600000\"",
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "username": "lin",
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
                        /** @example The timer was started. */
                        message: string;
                        data: components["schemas"]["StartedTimer"];
                    };
                };
            };
            /** @description Start the timer */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The timer was started.",
                     *       "data": {
                     *         "etag": "\"1764921600000\"",
                     *         "id": 310,
                     *         "project_id": 42,
                     *         "project_name": "Linear algebra",
                     *         "user_id": 7,
                     *         "username": "lin",
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
                        /** @example The timer was started. */
                        message: string;
                        data: components["schemas"]["StartedTimer"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, PROJECT_NOT_ACTIVE, SESSION_OVERLAP, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "session_id": 310
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int64
                     * @description By default the running timer.
                     * @example 310
                     */
                    session_id?: number;
                    /**
                     * Format: date-time
                     * @description By default now.
                     * @example 2026-02-01T08:00:00Z
                     */
                    ended_at?: string;
                };
            };
        };
        responses: {
            /** @description Stop the timer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "username": "lin",
                     *         "started_at": "2026-02-01T08:00:00.000Z",
                     *         "ended_at": "2026-02-01T09:30:00.000Z",
                     *         "duration_seconds": 5400,
                     *         "hours": 1.5,
                     *         "note": "Chapter 3",
                     *         "source": "timer",
                     *         "time_zone": "Asia/Shanghai",
                     *         "auto_stopped": false,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
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
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description NO_TIMER: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                     * @description Rows that overlap a record or an earlier row: `reject` the file, `skip` them, or `trim` them, so that the later one begins where the earlier one ends. A row of which nothing is left, or during which a record begins, is skipped.
                     * @default reject
                     * @enum {string}
                     */
                    on_overlap?: "reject" | "skip" | "trim";
                    /**
                     * @description Leave out rows with errors instead of rejecting the file; the report names them.
                     * @default false
                     * @enum {string}
                     */
                    skip_invalid?: "true" | "false";
                    /**
                     * @description Create the projects that the caller does not see, as projects of the caller.
                     * @default false
                     * @enum {string}
                     */
                    create_projects?: "true" | "false";
                    /**
                     * @description Of dates such as 03/04/2026; `auto` takes the order that a date of the file shows, else the month first.
                     * @default auto
                     * @enum {string}
                     */
                    date_order?: "auto" | "day_first" | "month_first";
                    /**
                     * @description Of the local times in a report; by default the time zone of the caller.
                     * @example Asia/Shanghai
                     */
                    time_zone?: string;
                };
            };
        };
        responses: {
            /** @description Import sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "valid": 117,
                     *         "duplicates": 2,
                     *         "overlaps": 1,
                     *         "skipped": 1,
                     *         "trimmed": 1,
                     *         "invalid": 0,
                     *         "created_projects": 0,
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
                         *       "valid": 117,
                         *       "duplicates": 2,
                         *       "overlaps": 1,
                         *       "skipped": 1,
                         *       "trimmed": 1,
                         *       "invalid": 0,
                         *       "created_projects": 0,
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
                             * @description To be imported, trimmed ones too.
                             */
                            valid: number;
                            /**
                             * Format: int64
                             * @description Already exist, or twice in the file; left out.
                             */
                            duplicates: number;
                            /**
                             * Format: int64
                             * @description Rejected or skipped because they overlap.
                             */
                            overlaps: number;
                            /**
                             * Format: int64
                             * @description Left out because they overlap.
                             */
                            skipped: number;
                            /** Format: int64 */
                            trimmed: number;
                            /**
                             * Format: int64
                             * @description With an error other than an overlap.
                             */
                            invalid: number;
                            /** Format: int64 */
                            created_projects: number;
                            /** @description Of the valid rows. */
                            hours: number;
                            /** Format: int64 */
                            imported: number;
                            /** @description Why the file is rejected; the first 100. */
                            errors: {
                                /**
                                 * Format: int64
                                 * @description As a spreadsheet counts, the header being 1.
                                 */
                                row: number;
                                field: string;
                                message: string;
                                /**
                                 * Format: int64
                                 * @description The row that it overlaps.
                                 */
                                other_row?: number;
                                /**
                                 * Format: int64
                                 * @description The record that it overlaps.
                                 */
                                session_id?: number;
                            }[];
                            /** @description Rows that are not imported as they are; the first 100. */
                            notices: {
                                /**
                                 * Format: int64
                                 * @description As a spreadsheet counts, the header being 1.
                                 */
                                row: number;
                                field: string;
                                message: string;
                                /**
                                 * Format: int64
                                 * @description The row that it overlaps.
                                 */
                                other_row?: number;
                                /**
                                 * Format: int64
                                 * @description The record that it overlaps.
                                 */
                                session_id?: number;
                                /** @enum {string} */
                                action: "left_out" | "skipped" | "trimmed";
                                /**
                                 * Format: date-time
                                 * @description Where a trimmed row begins.
                                 * @example 2026-02-01T08:00:00.000Z
                                 */
                                started_at?: string;
                            }[];
                            /** @description The valid rows by project, the first 100 by hours. */
                            projects: {
                                /** @description Null for one that is created. */
                                project_id: number | null;
                                project_name: string;
                                /** Format: int64 */
                                sessions: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-02-01T08:00:00.000Z
                                 */
                                started_at: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-02-01T08:00:00.000Z
                                 */
                                ended_at: string;
                                hours: number;
                            }[];
                            /** @description Of a dry run: the first 100 records that would be imported. */
                            sessions: {
                                /** Format: int64 */
                                row: number;
                                /** @description Null for one that is created. */
                                project_id: number | null;
                                project_name: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-02-01T08:00:00.000Z
                                 */
                                started_at: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-02-01T08:00:00.000Z
                                 */
                                ended_at: string;
                                hours: number;
                            }[];
                            /**
                             * Format: int64
                             * @description The id of the import.
                             */
                            import_id: number;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *               "valid": 117,
                     *               "duplicates": 2,
                     *               "overlaps": 1,
                     *               "skipped": 1,
                     *               "trimmed": 1,
                     *               "invalid": 0,
                     *               "created_projects": 0,
                     *               "hours": 152.5,
                     *               "imported": 117,
                     *               "errors": [],
                     *               "notices": [
                     *                 {
                     *                   "row": 14,
                     *                   "action": "trimmed",
                     *                   "field": "started_at",
                     *                   "message": "overlaps row 13",
                     *                   "other_row": 13,
                     *                   "started_at": "2026-02-01T09:30:00.000Z"
                     *                 },
                     *                 {
                     *                   "row": 31,
                     *                   "action": "skipped",
                     *                   "field": "started_at",
                     *                   "message": "overlaps your record 310",
                     *                   "session_id": 310
                     *                 }
                     *               ],
                     *               "projects": [
                     *                 {
                     *                   "project_id": 42,
                     *                   "project_name": "Linear algebra",
                     *                   "sessions": 117,
                     *                   "hours": 152.5,
                     *                   "started_at": "2026-02-01T08:00:00.000Z",
                     *                   "ended_at": "2026-03-29T18:00:00.000Z"
                     *                 }
                     *               ],
                     *               "sessions": []
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *           "valid": 117,
                     *           "duplicates": 2,
                     *           "overlaps": 1,
                     *           "skipped": 1,
                     *           "trimmed": 1,
                     *           "invalid": 0,
                     *           "created_projects": 0,
                     *           "hours": 152.5,
                     *           "imported": 117,
                     *           "errors": [],
                     *           "notices": [
                     *             {
                     *               "row": 14,
                     *               "action": "trimmed",
                     *               "field": "started_at",
                     *               "message": "overlaps row 13",
                     *               "other_row": 13,
                     *               "started_at": "2026-02-01T09:30:00.000Z"
                     *             },
                     *             {
                     *               "row": 31,
                     *               "action": "skipped",
                     *               "field": "started_at",
                     *               "message": "overlaps your record 310",
                     *               "session_id": 310
                     *             }
                     *           ],
                     *           "projects": [
                     *             {
                     *               "project_id": 42,
                     *               "project_name": "Linear algebra",
                     *               "sessions": 117,
                     *               "hours": 152.5,
                     *               "started_at": "2026-02-01T08:00:00.000Z",
                     *               "ended_at": "2026-03-29T18:00:00.000Z"
                     *             }
                     *           ],
                     *           "sessions": []
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    sync: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; without it, a full copy begins. */
                since?: string;
                /** @description Items per page; above 1000 it is 1000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read what changed since the last time */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "reset": false,
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
                     *             "due_date": "2026-06-30",
                     *             "weekly_goal_hours": 5,
                     *             "own_hours": 4.5,
                     *             "own_last_session": "2026-02-01T08:00:00.000Z",
                     *             "user_id": 1,
                     *             "assigned_user_id": 7,
                     *             "assigned_user_ids": [
                     *               7,
                     *               9
                     *             ],
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
                     *           }
                     *         ],
                     *         "sessions": [
                     *           {
                     *             "id": 310,
                     *             "project_id": 42,
                     *             "project_name": "Linear algebra",
                     *             "user_id": 7,
                     *             "username": "lin",
                     *             "started_at": "2026-02-01T08:00:00.000Z",
                     *             "ended_at": "2026-02-01T09:30:00.000Z",
                     *             "duration_seconds": 5400,
                     *             "hours": 1.5,
                     *             "note": "Chapter 3",
                     *             "source": "timer",
                     *             "time_zone": "Asia/Shanghai",
                     *             "auto_stopped": false,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
                     *           }
                     *         ],
                     *         "deleted": {
                     *           "projects": [
                     *             {
                     *               "id": 42,
                     *               "name": "Linear algebra"
                     *             }
                     *           ],
                     *           "sessions": [
                     *             310
                     *           ]
                     *         },
                     *         "has_more": false,
                     *         "next_cursor": "MS4wMTIzNDU2Nzg5YWJjZGVmLjE3NjQ5Lm8uMC4uMTc2OTkzMjgwMDAwMA"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @description The cursor can no longer be continued: discard the copy and start over without `since`. */
                            reset: boolean;
                            /** @description New or changed, with their assignments. */
                            projects: components["schemas"]["Project"][];
                            /** @description New or changed. */
                            sessions: components["schemas"]["Session"][];
                            /** @description Deleted, or no longer yours to see. */
                            deleted: {
                                projects: {
                                    /**
                                     * Format: int64
                                     * @example 42
                                     */
                                    id: number;
                                    /**
                                     * @description What your records on it show from now on as its name; null where you have none.
                                     * @example Linear algebra
                                     */
                                    name: string | null;
                                }[];
                                /**
                                 * @description Their ids.
                                 * @example [
                                 *       310
                                 *     ]
                                 */
                                sessions: number[];
                            };
                            /** @description Another page can be read at once. */
                            has_more: boolean;
                            /**
                             * @description For `since` of the next request; null with `reset`. Store it together with the items of this page.
                             * @example MS4wMTIzNDU2Nzg5YWJjZGVmLjE3NjQ5Lm8uMC4uMTc2OTkzMjgwMDAwMA
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description How long the response lasts at most; it is never longer than a token is valid. */
                seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Learn at once that something changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "daily": [
                     *           {
                     *             "date": "2026-02-01",
                     *             "hours": 1.5
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "daily": [
                     *           {
                     *             "date": "2026-02-01",
                     *             "hours": 1.5
                     *           }
                     *         ],
                     *         "today_hours": 1.5,
                     *         "week_hours": 7.5,
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
                     *           "etag": "\"1764921600000\"",
                     *           "id": 310,
                     *           "project_id": 42,
                     *           "project_name": "Linear algebra",
                     *           "user_id": 7,
                     *           "username": "lin",
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getProjectForecast: {
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
            /** @description Forecast of a project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "state": "on_track",
                     *         "remaining_hours": 27.5,
                     *         "days_left": 55,
                     *         "required_hours_per_day": 0.5,
                     *         "pace_7d": 0.75,
                     *         "pace_28d": 0.6,
                     *         "projected_completion": "2026-03-19",
                     *         "safe_days": 0,
                     *         "today_required_hours": 0.25
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Forecast"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description What a start page shows */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "date": "2026-02-01",
                     *         "today_hours": 1.5,
                     *         "daily_goal_minutes": 90,
                     *         "week_hours": 7.5,
                     *         "current_streak": 12,
                     *         "studied_today": true,
                     *         "running_timer": {
                     *           "etag": "\"1764921600000\"",
                     *           "id": 310,
                     *           "project_id": 42,
                     *           "project_name": "Linear algebra",
                     *           "user_id": 7,
                     *           "username": "lin",
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
                     *         },
                     *         "continue": [
                     *           {
                     *             "project_id": 42,
                     *             "project_name": "Linear algebra",
                     *             "own_hours": 12.5,
                     *             "own_last_session": "2026-02-01T08:00:00.000Z"
                     *           }
                     *         ],
                     *         "goals_at_risk": [
                     *           {
                     *             "project_id": 42,
                     *             "project_name": "Linear algebra",
                     *             "state": "behind",
                     *             "due_date": "2026-06-30",
                     *             "days_left": 10,
                     *             "remaining_hours": 12,
                     *             "required_hours_per_day": 1.2
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
                        data: components["schemas"]["Dashboard"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listProgress: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Users to whom this project is assigned. */
                project_id?: number;
                /** @description Members of this group. */
                group_id?: number;
                /** @description Part of the username, the e-mail address or the display name, without regard to case. */
                search?: string;
                /** @description Users in this state. */
                status?: "active" | "inactive" | "all";
                /** @description Users without a finished record that ended in the last so many times 24 hours. */
                inactive_days?: number;
                /** @description By which field; equal ones by id. `hours_7d` and `hours_28d` take `group_id` or `project_id`. */
                sort?: "username" | "total_hours" | "last_session" | "hours_7d" | "hours_28d";
                /** @description Of the sort. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List how ordinary users are doing */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "user_id": 7,
                     *             "username": "lin",
                     *             "display_name": "Lin Wei",
                     *             "status": "active",
                     *             "groups": [
                     *               {
                     *                 "id": 3,
                     *                 "name": "Class 3b"
                     *               }
                     *             ],
                     *             "projects_assigned": 3,
                     *             "hours_7d": 6.5,
                     *             "hours_28d": 21,
                     *             "total_hours": 148.25,
                     *             "current_streak": 4,
                     *             "goals": {
                     *               "behind": 1,
                     *               "near": 0
                     *             },
                     *             "last_session": "2026-02-01T08:00:00.000Z",
                     *             "running_timer": {
                     *               "project_id": 42,
                     *               "project_name": "Linear algebra",
                     *               "started_at": "2026-02-01T08:00:00.000Z"
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
                            users: components["schemas"]["Progress"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    exportProgress: {
        parameters: {
            query?: {
                /** @description Of the file. */
                format?: "csv";
                /** @description Users to whom this project is assigned. */
                project_id?: number;
                /** @description Members of this group. */
                group_id?: number;
                /** @description Part of the username, the e-mail address or the display name, without regard to case. */
                search?: string;
                /** @description Users in this state. */
                status?: "active" | "inactive" | "all";
                /** @description Users without a finished record that ended in the last so many times 24 hours. */
                inactive_days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Download how ordinary users are doing as CSV */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listProjectHours: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries per page; above 100 it is 100. */
                limit?: number;
                /** @description Users to whom this project is assigned. */
                project_id?: number;
                /** @description Members of this group. */
                group_id?: number;
                /** @description Part of the username, the e-mail address or the display name, without regard to case. */
                search?: string;
                /** @description Users in this state. */
                status?: "active" | "inactive" | "all";
                /** @description Users without a finished record that ended in the last so many times 24 hours. */
                inactive_days?: number;
                /** @description By which field; equal ones by id. `project_hours` takes `sort_project_id`, and `group_id` or `project_id`; users without that project are last. */
                sort?: "username" | "total_hours" | "last_session" | "project_hours";
                /** @description Of which project the hours are that are sorted by. */
                sort_project_id?: number;
                /** @description Of the sort. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the hours of ordinary users on each project assigned to them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *             "status": "active",
                     *             "target_hours": 40,
                     *             "current_hours": 12.5,
                     *             "progress": 31.25,
                     *             "due_date": "2026-06-30",
                     *             "state": "on_track",
                     *             "users_count": 30
                     *           }
                     *         ],
                     *         "projects_total": 3,
                     *         "users": [
                     *           {
                     *             "username": "lin",
                     *             "display_name": "Lin Wei",
                     *             "status": "active",
                     *             "total_hours": 148.25,
                     *             "last_session": "2026-02-01T08:00:00.000Z",
                     *             "user_id": 7,
                     *             "hours": [
                     *               12.5,
                     *               0,
                     *               null
                     *             ]
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
                            /** @description Assigned to members of the group of `group_id`, on each page the same; without it, to the users of this page. Active ones first, then by `users_count` and name; at most 40. */
                            projects: components["schemas"]["ProjectColumn"][];
                            /**
                             * Format: int64
                             * @description How many there are with those left out.
                             * @example 3
                             */
                            projects_total: number;
                            users: components["schemas"]["ProjectHours"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    exportProjectHours: {
        parameters: {
            query?: {
                /** @description Of the file. */
                format?: "csv";
                /** @description Users to whom this project is assigned. */
                project_id?: number;
                /** @description Members of this group. */
                group_id?: number;
                /** @description Part of the username, the e-mail address or the display name, without regard to case. */
                search?: string;
                /** @description Users in this state. */
                status?: "active" | "inactive" | "all";
                /** @description Users without a finished record that ended in the last so many times 24 hours. */
                inactive_days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Download the hours of ordinary users on each project as CSV */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *           "requires": {
                     *             "kind": "study_time",
                     *             "amount": 1
                     *           },
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
                /** @description Changes of things of this type. */
                target_type?: "user" | "project" | "assignment" | "contact_request" | "session" | "export" | "group" | "personal_token" | "webhook";
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
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "names": [
                     *           {
                     *             "type": "user",
                     *             "id": 42,
                     *             "name": "Lin Wei"
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
                            /** @description The present names of the users, projects and groups that these entries are about, as long as they exist; of a long list of ids those of the first ten. */
                            names: components["schemas"]["AuditName"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description List webhooks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "webhooks": [
                     *           {
                     *             "id": 42,
                     *             "url": "https://example.org/hooks/studytrack",
                     *             "events": [
                     *               "project.created"
                     *             ],
                     *             "active": false,
                     *             "disabled_reason": "failures",
                     *             "failures": 0,
                     *             "paused_until": "2026-02-01T08:00:00.000Z",
                     *             "waiting": 0,
                     *             "rotation_ends_at": "2026-02-01T08:00:00.000Z",
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "updated_at": "2026-02-01T08:00:00.000Z",
                     *             "etag": "\"1764921600000\""
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
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating the request with the same key within 24 hours returns the same response and creates nothing more. */
                "Idempotency-Key"?: string;
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
                     * @description Begins with `https://`, and leads to the public internet. Redirects are not followed.
                     * @example https://example.org/hooks/studytrack
                     */
                    url: string;
                    /**
                     * @description Which events are sent.
                     * @example [
                     *       "project.created",
                     *       "session.created"
                     *     ]
                     */
                    events: ("project.created" | "project.updated" | "project.deleted" | "project.restored" | "assignment.changed" | "session.created" | "session.updated" | "session.deleted" | "goal.reached" | "contact.created" | "contact.status_changed")[];
                    /**
                     * @description Whether events are recorded and sent.
                     * @default true
                     */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description Create a webhook */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook was created.",
                     *       "data": {
                     *         "id": 42,
                     *         "url": "https://example.org/hooks/studytrack",
                     *         "events": [
                     *           "project.created"
                     *         ],
                     *         "active": false,
                     *         "disabled_reason": "failures",
                     *         "failures": 0,
                     *         "paused_until": "2026-02-01T08:00:00.000Z",
                     *         "waiting": 0,
                     *         "rotation_ends_at": "2026-02-01T08:00:00.000Z",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\"",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The webhook was created. */
                        message: string;
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT, IDEMPOTENCY_MISMATCH: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getWebhook: {
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
            /** @description Read one webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                     *         "url": "https://example.org/hooks/studytrack",
                     *         "events": [
                     *           "project.created"
                     *         ],
                     *         "active": false,
                     *         "disabled_reason": "failures",
                     *         "failures": 0,
                     *         "paused_until": "2026-02-01T08:00:00.000Z",
                     *         "waiting": 0,
                     *         "rotation_ends_at": "2026-02-01T08:00:00.000Z",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the thing. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
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
                     * @description Begins with `https://`, and leads to the public internet. Redirects are not followed.
                     * @example https://example.org/hooks/studytrack
                     */
                    url?: string;
                    /**
                     * @description Which events are sent.
                     * @example [
                     *       "project.created",
                     *       "session.created"
                     *     ]
                     */
                    events?: ("project.created" | "project.updated" | "project.deleted" | "project.restored" | "assignment.changed" | "session.created" | "session.updated" | "session.deleted" | "goal.reached" | "contact.created" | "contact.status_changed")[];
                    /** @description Whether events are recorded and sent. */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description Change a webhook, or switch it on or off */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook was updated.",
                     *       "data": {
                     *         "id": 42,
                     *         "url": "https://example.org/hooks/studytrack",
                     *         "events": [
                     *           "project.created"
                     *         ],
                     *         "active": false,
                     *         "disabled_reason": "failures",
                     *         "failures": 0,
                     *         "paused_until": "2026-02-01T08:00:00.000Z",
                     *         "waiting": 0,
                     *         "rotation_ends_at": "2026-02-01T08:00:00.000Z",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\""
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The webhook was updated. */
                        message: string;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag last read; 412 when it is no longer current. */
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
            /** @description Delete a webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook was deleted."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The webhook was deleted. */
                        message: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PRECONDITION_FAILED: It was changed since it was read; nothing was done. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    rotateWebhookSecret: {
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
            /** @description Give a webhook a new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The webhook was updated.",
                     *       "data": {
                     *         "id": 42,
                     *         "url": "https://example.org/hooks/studytrack",
                     *         "events": [
                     *           "project.created"
                     *         ],
                     *         "active": false,
                     *         "disabled_reason": "failures",
                     *         "failures": 0,
                     *         "paused_until": "2026-02-01T08:00:00.000Z",
                     *         "waiting": 0,
                     *         "rotation_ends_at": "2026-02-01T08:00:00.000Z",
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "updated_at": "2026-02-01T08:00:00.000Z",
                     *         "etag": "\"1764921600000\"",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The webhook was updated. */
                        message: string;
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only those in this state. */
                state?: "waiting" | "delivered" | "failed";
                /** @description Those before this one: `next_before` of the page before. */
                before?: number;
                /** @description Entries per page. */
                limit?: number;
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
            /** @description List the deliveries of a webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "deliveries": [
                     *           {
                     *             "id": 42,
                     *             "message_id": "msg_0b6ba3b6-2ed7-4f6c-9bd8-5cf01b6f2f11",
                     *             "type": "project.deleted",
                     *             "object": "project:42",
                     *             "data": {
                     *               "id": 42
                     *             },
                     *             "state": "delivered",
                     *             "attempts": 1,
                     *             "created_at": "2026-02-01T08:00:00.000Z",
                     *             "last_attempt_at": "2026-02-01T08:00:00.000Z",
                     *             "next_attempt_at": "2026-02-01T08:00:00.000Z",
                     *             "response_status": 200,
                     *             "response_text": "ok",
                     *             "error_code": "ECONNREFUSED"
                     *           }
                     *         ],
                     *         "next_before": 42
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: {
                            /** @description The newest first; they are deleted after 30 days. */
                            deliveries: components["schemas"]["WebhookDelivery"][];
                            /** @description For the next page; null on the last one. */
                            next_before: number | null;
                        };
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    pingWebhook: {
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
            /** @description Send a test delivery */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The delivery is queued.",
                     *       "data": {
                     *         "id": 42,
                     *         "message_id": "msg_0b6ba3b6-2ed7-4f6c-9bd8-5cf01b6f2f11",
                     *         "type": "project.deleted",
                     *         "object": "project:42",
                     *         "data": {
                     *           "id": 42
                     *         },
                     *         "state": "delivered",
                     *         "attempts": 1,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "last_attempt_at": "2026-02-01T08:00:00.000Z",
                     *         "next_attempt_at": "2026-02-01T08:00:00.000Z",
                     *         "response_status": 200,
                     *         "response_text": "ok",
                     *         "error_code": "ECONNREFUSED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The delivery is queued. */
                        message: string;
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Deliver an event once more */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The delivery is queued.",
                     *       "data": {
                     *         "id": 42,
                     *         "message_id": "msg_0b6ba3b6-2ed7-4f6c-9bd8-5cf01b6f2f11",
                     *         "type": "project.deleted",
                     *         "object": "project:42",
                     *         "data": {
                     *           "id": 42
                     *         },
                     *         "state": "delivered",
                     *         "attempts": 1,
                     *         "created_at": "2026-02-01T08:00:00.000Z",
                     *         "last_attempt_at": "2026-02-01T08:00:00.000Z",
                     *         "next_attempt_at": "2026-02-01T08:00:00.000Z",
                     *         "response_status": 200,
                     *         "response_text": "ok",
                     *         "error_code": "ECONNREFUSED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example The delivery is queued. */
                        message: string;
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description VALIDATION_ERROR: A parameter, the body or a file is invalid; all invalid fields are named at once. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RESOURCE_NOT_FOUND: It does not exist, or was deleted. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description CONFLICT: The current state does not allow it. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description Background work by kind */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "kinds": [
                     *           {
                     *             "kind": "mail",
                     *             "queued": 3,
                     *             "running": 1,
                     *             "failed": 1,
                     *             "oldest_at": "2026-02-01T08:00:00.000Z",
                     *             "next_attempt_at": "2026-02-01T08:00:00.000Z",
                     *             "last_error_code": "ECONNREFUSED",
                     *             "last_failed_at": "2026-02-01T08:00:00.000Z"
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
                        data: components["schemas"]["BackgroundWork"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description PERMISSION_DENIED, PASSWORD_CHANGE_REQUIRED, OTP_SETUP_REQUIRED: The caller may not do this, or must change a one-time password or enable a second factor first. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
            /** @description The process is alive */
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
            /** @description The service is ready for requests */
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
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
            /** @description Metrics for Prometheus */
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
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description UNAUTHORIZED: The token is missing, invalid or expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            /** @description What a front end needs to know */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "OK",
                     *       "data": {
                     *         "version": "1.0.0",
                     *         "default_locale": "en",
                     *         "locales": [
                     *           "en"
                     *         ],
                     *         "max_page_size": 100,
                     *         "max_timer_hours": 12,
                     *         "require_otp": "none",
                     *         "mail": false,
                     *         "image_origins": [],
                     *         "limits": {
                     *           "createProject": {
                     *             "name": {
                     *               "min_length": 2,
                     *               "max_length": 50
                     *             }
                     *           }
                     *         },
                     *         "upload_bytes": {
                     *           "uploadProjectImage": 5242880
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example OK */
                        message: string;
                        data: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not modified: `If-None-Match` names the current state. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description RATE_LIMITED: Too many requests; `Retry-After` says when to try again. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description INTERNAL_ERROR: An internal error; the message names the request in the log. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description SERVICE_UNAVAILABLE: The database is unavailable, or the service is overloaded. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
}
