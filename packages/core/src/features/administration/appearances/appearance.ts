/** Texts and colors of the instance. Clients show them; the sign-in page of this server shows the title and the description. */
export interface Appearance {
  /** Title of the sign-in page; empty for the default one. */
  title: string
  /** Text of the sign-in page. */
  description: string
  /** Name of the progressive web application. */
  pwaName: string
  /** Short name of the progressive web application. */
  pwaShortName: string
  /** Description of the progressive web application. */
  pwaDescription: string
  /** Text of the page for a new project, in Markdown. */
  newProjectGuidelines: string
  /** Text of the page for the picture of a user, in Markdown. */
  profileImageGuidelines: string
  /** Text of the page for new members, in Markdown. */
  memberGuidelines: string
  /** Message at the top of pages. */
  headerMessage: string
  /** Message at the bottom of pages. */
  footerMessage: string
  /** Color behind the messages, such as `#e75e40`. */
  messageBackgroundColor: string
  /** Color of the messages, such as `#ffffff`. */
  messageFontColor: string
  /** Whether mails contain the messages. */
  emailHeaderAndFooterEnabled: boolean
}
