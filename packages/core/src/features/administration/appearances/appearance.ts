/** Pictures of the instance. */
export const appearancePictures = ['logo', 'headerLogo', 'favicon', 'pwaIcon'] as const
export type AppearancePicture = (typeof appearancePictures)[number]

/** Texts and colors of the instance, which its pages and mails show. */
export interface Appearance {
  /** Title of the sign-in page; empty for the default one. */
  title: string
  /** Text of the sign-in page, in Markdown. */
  description: string
  /** Name of the progressive web application, in `/-/manifest.json`. */
  pwaName: string
  /** Short name of the progressive web application, in `/-/manifest.json`. */
  pwaShortName: string
  /** Description of the progressive web application, in `/-/manifest.json`. */
  pwaDescription: string
  /** Path of the picture on the sign-in page; null for none. */
  logo: string | null
  /** Path of the picture at the top of pages; null for none. */
  headerLogo: string | null
  /** Path of the icon that browsers show; null for the default one. */
  favicon: string | null
  /** Path of the icon of the progressive web application; null for none. */
  pwaIcon: string | null
  /** Text of the page for a new project, in Markdown. Stored only: there is no such page. */
  newProjectGuidelines: string
  /** Text of the page for the picture of a user, in Markdown. Stored only: there is no such page. */
  profileImageGuidelines: string
  /** Text of the page of members, in Markdown, for users who can add some. */
  memberGuidelines: string
  /** Message at the top of pages, in Markdown. */
  headerMessage: string
  /** Message at the bottom of pages, in Markdown. */
  footerMessage: string
  /** Color behind the messages, such as `#e75e40`. */
  messageBackgroundColor: string
  /** Color of the messages, such as `#ffffff`. */
  messageFontColor: string
  /** Whether mails contain the messages. */
  emailHeaderAndFooterEnabled: boolean
}
