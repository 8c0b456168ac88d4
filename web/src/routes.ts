/** The path of every page. None begins like a path of the API. */
const routes = {
  today: '/',
  /** Every path shows the sign-in page to signed-out users; this one leads to the home page afterwards. */
  signIn: '/sign-in',
  /** Where the identity provider sends the browser back. */
  singleSignOn: '/sign-in/callback',
  /** Target of the set-up link; the token is in the fragment. */
  setup: '/setup',
  contact: '/contact',
  forgotPassword: '/forgot-password',
  accessibility: '/accessibility',
  /** Target of invitation and reset links; the token is in the fragment. */
  accept: '/accept',
  /** Target of links that confirm an e-mail address; the token is in the query. */
  confirmEmail: '/confirm-email',
  /** Target of links that stop mails; the token is in the fragment. */
  unsubscribe: '/unsubscribe',
  /** Target of a link that shows a report to anyone; the token is in the fragment. */
  sharedReport: '/reports/shared',
  projects: '/projects',
  newProject: '/projects/new',
  project: '/projects/:id',
  editProject: '/projects/:id/edit',
  records: '/records',
  importRecords: '/records/import',
  statistics: '/statistics',
  awards: '/awards',
  trash: '/trash',
  me: '/me',
  mySettings: '/me/:part',
  help: '/help',
  privacy: '/privacy',
  assign: '/admin/assign',
  students: '/admin/students',
  reports: '/admin/reports',
  student: '/admin/students/:id',
  users: '/admin/users',
  newUsers: '/admin/users/new',
  roster: '/admin/users/roster',
  user: '/admin/users/:id',
  groups: '/admin/groups',
  group: '/admin/groups/:id',
  schoolYear: '/admin/school-year',
  inbox: '/admin/inbox',
  request: '/admin/inbox/:id',
  audit: '/admin/audit',
  backgroundWork: '/admin/background-work',
  webhooks: '/admin/webhooks',
} as const;
export type RouteName = keyof typeof routes;
export const routeNames = Object.keys(routes) as readonly RouteName[];

/** The first path segments of all pages. */
export const firstSegments = [...new Set(Object.values(routes).map((path) => path.split('/')[1] ?? ''))];

export const pattern = (name: RouteName): string => routes[name];

type Names<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;
type Values<N extends RouteName> = [Names<(typeof routes)[N]>] extends [never]
  ? []
  : [values: Record<Names<(typeof routes)[N]>, string | number>];

/** The path of a page with the values of its parameters. */
export function href<N extends RouteName>(name: N, ...[values]: Values<N>): string {
  const given: Record<string, string | number> = values ?? {};
  return routes[name].replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(given[key])));
}
