import type { Mail, MailMessage } from '@forgelet/core'
import { assertOptions, optionNames } from '@forgelet/core/operations'
import { WaitTimeoutError } from './wait-for.ts'

/** Which messages `waitFor` accepts. */
export interface MailFilter {
  /** Address of the recipient, regardless of case. Default: any. */
  readonly to?: string
  /** A part of the subject. Default: any. */
  readonly subject?: string
  /** A part of the plain text. Default: any. */
  readonly text?: string
  /** Accepts only messages for which it returns true. */
  readonly where?: (message: MailMessage) => boolean
}

/** The e-mails of a world. They are sent when the test calls `drain` or `waitFor`, or when other jobs are run. */
export interface Mailbox {
  /** The messages sent so far, the oldest first. */
  readonly messages: readonly MailMessage[]
  /** Sends all messages that are due. Returns the number of jobs that ran. */
  drain(): Promise<number>
  /** The messages that the filter accepts, of those sent so far. */
  find(filter?: MailFilter): readonly MailMessage[]
  /**
   * Sends what is due, and returns the first message that the filter accepts, also an earlier one.
   *
   * @throws WaitTimeoutError if there is none
   */
  waitFor(filter?: MailFilter): Promise<MailMessage>
  /** Forgets the messages sent so far. */
  clear(): void
}

const filterOptions = optionNames<MailFilter>({ to: true, subject: true, text: true, where: true })

const createMatcher = ({ to, subject = '', text = '', where = () => true }: MailFilter) => {
  const address = to?.toLowerCase()
  return (message: MailMessage) =>
    (address === undefined || message.to.toLowerCase() === address) &&
    message.subject.includes(subject) &&
    message.text.includes(text) &&
    where(message)
}

/** Collects messages in memory. */
export const createMailbox = (drain: () => Promise<number>): { readonly mail: Mail; readonly mailbox: Mailbox } => {
  const messages: MailMessage[] = []
  const find = (filter: MailFilter = {}) => {
    assertOptions('mail.find', filter, filterOptions)
    return messages.filter(createMatcher(filter))
  }
  return {
    mail: {
      from: 'forge@mail.example',
      async send(message) {
        // A repeated attempt.
        if (!messages.some(({ messageId }) => messageId === message.messageId)) messages.push(message)
      },
    },
    mailbox: {
      messages,
      drain,
      find,
      async waitFor(filter = {}) {
        await drain()
        const [first] = find(filter)
        if (first) return first
        const sent = messages.map(({ to, subject }) => `${to}: ${subject}`).join('\n') || 'none'
        throw new WaitTimeoutError(`No such e-mail; sent:\n${sent}`)
      },
      clear() {
        messages.length = 0
      },
    },
  }
}
