import type { OutboundRequest, OutboundResponse } from './http-client.ts'

/** What a user is about to publish. */
export interface Submission {
  /** What the text becomes. */
  readonly kind: 'issue' | 'snippet'
  /** The title and the text. */
  readonly text: string
  /** Display name of the author. */
  readonly authorName: string
  /** E-mail address of the author; null without one. */
  readonly authorEmail: string | null
  /** Base URL of the site; omitted if it is not known. */
  readonly siteUrl?: string | undefined
  /** IP address of the client; omitted for calls of the library. */
  readonly ipAddress?: string | undefined
  /** `User-Agent` of the client. */
  readonly userAgent?: string | undefined
}

/** What a filter receives from the platform. */
export interface SpamFilterTools {
  /** The setting `spamfilterApiKey`. */
  readonly apiKey: string
  /** Sends a request, if the rules for outbound requests permit the address. */
  send(request: Pick<OutboundRequest, 'url' | 'headers' | 'body'>): Promise<OutboundResponse>
}

/** Decides which texts of users are spam. */
export interface SpamFilter {
  /** Called before an issue or a snippet is created, while the setting `spamfilterEnabled` is true. After an error, the text is accepted. */
  isSpam(submission: Submission, tools: SpamFilterTools): Promise<boolean>
}

const defined = (values: Readonly<Record<string, string | null | undefined>>) =>
  Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string')

/** A filter with the API of Akismet: https://akismet.com/developers/detailed-docs/comment-check/ */
export const akismetSpamFilter = ({
  url = 'https://rest.akismet.com/1.1/comment-check',
}: {
  /** Address of the check. */
  readonly url?: string
} = {}): SpamFilter => ({
  async isSpam({ text, authorName, authorEmail, siteUrl, ipAddress, userAgent }, { apiKey, send }) {
    const parameters = defined({
      api_key: apiKey,
      blog: siteUrl,
      user_ip: ipAddress,
      user_agent: userAgent,
      comment_type: 'forum-post',
      comment_author: authorName,
      comment_author_email: authorEmail,
      comment_content: text,
    })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const { status, body } = await send({ url, headers, body: new URLSearchParams(parameters).toString() })
    const answer = body.trim()
    if (status !== 200 || !['true', 'false'].includes(answer)) throw new Error(`The spam filter replied with ${status}`)
    return answer === 'true'
  },
})
