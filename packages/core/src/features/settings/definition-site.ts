import { choice, decimal, flag, longText, reference, text, whole } from './setting.ts'

/** How the site presents itself and how it is run. */
export const siteSettings = {
  adminNotificationEmail: text(null, 'Address that receives abuse reports.'),
  homePageUrl: text(null, 'Where visitors who are not signed in are sent.'),
  afterSignOutPath: text(null, 'Where people are sent after signing out.'),
  afterSignUpText: longText(null, 'Markdown shown after signing up.'),
  signInText: longText(null, 'Markdown shown on the sign-in page.'),
  emailAuthorInBody: flag(false, 'Notification e-mails name their author in the text, for mail servers that hide it.'),
  commitEmailHostname: text('users.noreply.localhost', 'Host of the private e-mail addresses used in web commits.'),
  firstDayOfWeek: choice(0, 1, 6)(0, 'Calendars begin with: 0 Sunday, 1 Monday, 6 Saturday.'),
  localMarkdownVersion: whole(0, 'Raise it to have all stored HTML made again from its Markdown.'),
  pollingIntervalMultiplier: decimal(1, 'Stretches the pauses between two polls of a page; 0 turns polling off.'),
  terminalMaxSessionTime: whole(0, 'Seconds after which a web terminal is cut off; 0 means never.'),
  instanceStatisticsVisibilityPrivate: flag(false, 'Only administrators see the statistics of the instance.'),
  performanceBarAllowedGroupId: reference(null, 'Group whose members can open the performance bar.'),
}
