import { choice, decimal, flag, integer, longText, reference, text } from './setting.ts'

/** Texts, links and operation of the site. */
export const siteSettings = {
  adminNotificationEmail: text(null, 'E-mail address that receives abuse reports.', {
    noEffect: 'Users cannot report abuse to the platform.',
  }),
  homePageUrl: text(null, 'URL that visitors who are not signed in are redirected to.', {
    effect: 'The list of projects, the first page, redirects them.',
  }),
  afterSignOutPath: text(null, 'URL that users are redirected to after signing out.', {
    effect: 'Signing out of the pages.',
  }),
  signInText: longText(null, 'Markdown shown on the sign-in page.', {
    effect: 'Shown above the forms of the sign-in page.',
  }),
  emailAuthorInBody: flag(
    false,
    'Notification e-mails include the author in the body, for mail servers that hide the sender.',
    { effect: 'Messages of notifications.' },
  ),
  commitEmailHostname: text('users.noreply.localhost', 'Host name of the private commit e-mail addresses.', {
    effect: 'Reviewers and approvers without a public address, in messages of merge commits from a template.',
  }),
  firstDayOfWeek: choice(0, 1, 6)(0, 'First day of the week in calendars: 0 Sunday, 1 Monday, 6 Saturday.', {
    noEffect: 'The pages show no calendars.',
  }),
  localMarkdownVersion: integer(0, 'Increasing it invalidates all cached HTML of Markdown.', {
    noEffect: 'No HTML of Markdown is stored: texts are rendered when they are read.',
  }),
  pollingIntervalMultiplier: decimal(1, 'Factor of the polling interval of pages; 0 disables polling.', {
    noEffect: 'No page polls.',
  }),
  terminalMaxSessionTime: integer(0, 'Maximum duration of a web terminal session in seconds; 0 means no limit.', {
    noEffect: 'The platform has no web terminals.',
  }),
  instanceStatisticsVisibilityPrivate: flag(false, 'Only administrators see the statistics of the instance.', {
    noEffect: 'Only administrators can read them, with any value.',
  }),
  performanceBarAllowedGroupId: reference(null, 'Group whose members can open the performance bar.', {
    noEffect: 'The pages have no performance bar.',
  }),
}
