import type { Abortable } from './git.ts'

/** An e-mail to one recipient. */
export interface MailMessage {
  /** The same for each attempt, so that a repeated message can be recognized: `<7.notification@forge.example>`. */
  readonly messageId: string
  /** Display name of the sender; the address is that of the port. */
  readonly fromName: string
  /** Address of the recipient. */
  readonly to: string
  /** One line. */
  readonly subject: string
  /** Plain text. */
  readonly text: string
  /** The same as HTML. */
  readonly html: string
  /** Further headers by name, each one line, such as `In-Reply-To` and `List-Unsubscribe`. */
  readonly headers: Readonly<Record<string, string>>
}

/** The mail server refuses a message for good, such as one to an unknown recipient: it is not sent again. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError'
}

/** Sends e-mails. */
export interface Mail {
  /** Address of the sender; null if no mail is sent. Then no user is notified of events. */
  readonly from: string | null
  /** Base URL of the site, for links. Default: that of the request, whose client can choose it; without a request, mails have no links. */
  readonly siteUrl?: string
  /**
   * Hands a message to the mail server. A job calls it, and again after an error: at most 10 times, with growing pauses. The signal
   * aborts when the platform shuts down.
   *
   * @throws MailRefusedError to give up at once
   */
  send(message: MailMessage, options?: Abortable): Promise<void>
}

/** Sends nothing. */
export const noMail: Mail = { from: null, send: async () => undefined }
