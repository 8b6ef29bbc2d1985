import type { Context } from '../../../kernel/context.ts'
import type { MailMessage } from '../../../ports/mail.ts'
import { escapeHtml } from '../../../ports/markdown/escape-html.ts'
import { findAppearance } from '../appearances/queries.ts'
import { getSettings } from '../settings/queries.ts'

/** What a mail says, before it is a message. */
export interface MailContent {
  /** Unique name of the mail, such as `notification.7`: repeated attempts have the same `Message-ID`. */
  readonly key: string
  readonly to: string
  readonly subject: string
  /** Display name of the sender. Default: the name of the site. */
  readonly fromName?: string
  readonly text: string
  /** Sanitized. Default: the text with links. */
  readonly html?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Base URL of the site for links; null if unknown. */
  readonly siteUrl: string | null
}

const maxLineLength = 500

// biome-ignore lint/suspicious/noControlCharactersInRegex: a header must be one line
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** One line for a header: line breaks would begin another header. */
const toHeaderLine = (text: string): string => [...text.replace(controls, ' ').trim()].slice(0, maxLineLength).join('')

/** Whether the platform sends mail. */
export const sendsMail = ({ ports }: Pick<Context, 'ports'>): boolean => ports.mail.from !== null

/** Base URL of the site for links in mails; null if unknown. */
export const getSiteUrl = ({ ports, call }: Context): string | null => ports.mail.siteUrl ?? call.siteUrl ?? null

/** Host name of the site, or else the domain of the sender. */
export const getMailHost = ({ ports }: Pick<Context, 'ports'>, siteUrl: string | null): string =>
  URL.parse(siteUrl ?? '')?.hostname ?? /@([\w.-]+)/.exec(ports.mail.from ?? '')?.[1] ?? 'localhost'

/** Plain text as paragraphs of HTML; URLs become links. */
const toHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => {
      const escaped = escapeHtml(paragraph).replace(/https?:\/\/[^\s<>"']+/g, '<a href="$&">$&</a>')
      return `<p>${escaped.replaceAll('\n', '<br>')}</p>`
    })
    .join('\n')

/** Adds the texts of the instance and the headers of automatic mail (RFC 3834). */
export async function composeMail(ctx: Context, content: MailContent): Promise<MailMessage> {
  const { key, to, subject, fromName, text, html = toHtml(text), headers = {}, siteUrl } = content
  const { emailAdditionalText } = await getSettings(ctx)
  const appearance = await findAppearance(ctx)
  const hasFrame = appearance?.emailHeaderAndFooterEnabled ?? false
  const before = hasFrame && appearance?.headerMessage ? [appearance.headerMessage] : []
  const after = [
    ...(hasFrame && appearance?.footerMessage ? [appearance.footerMessage] : []),
    ...(ctx.tier === 'paid' && emailAdditionalText ? [emailAdditionalText] : []),
  ]
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, toHeaderLine(value)]],
  )
  return {
    messageId: `<${toHeaderLine(key).replace(/[^\w.-]/g, '_')}@${getMailHost(ctx, siteUrl)}>`,
    fromName: toHeaderLine(fromName ?? (appearance?.title || 'Forgelet')),
    to: toHeaderLine(to),
    subject: toHeaderLine(subject),
    text: [...before, text, ...after].join('\n\n'),
    html: `<!doctype html>\n<html><body>\n${[...before.map(toHtml), html, ...after.map(toHtml)].join('\n')}\n</body></html>\n`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...Object.fromEntries(lines) },
  }
}
