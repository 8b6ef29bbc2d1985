import { assertChoice, assertOptions, optionNames } from '../kernel/assert-arguments.ts'
import { getErrorCode } from '../shared/error-code.ts'
import { type Mail, type MailMessage, MailRefusedError } from './mail.ts'

/** Options of `smtpMail`. */
export interface SmtpMailOptions {
  /** `smtp://mail.example:587`, or `smtps://mail.example:465` for TLS from the start. */
  readonly url: string
  /** Address of the sender. */
  readonly from: string
  /** Address that answers go to. Default: that of the sender. */
  readonly replyTo?: string
  /** Credentials of the sender at the mail server. Default: none. */
  readonly credentials?: { readonly username: string; readonly password: string }
  /**
   * Whether a connection of `smtp:` switches to TLS before credentials and messages are sent. `required`, the default: otherwise nothing
   * is sent. `optional`: if the mail server offers it. `off`: never.
   */
  readonly tls?: 'required' | 'optional' | 'off'
  /** PEM of the certificates that are trusted instead of those of Node.js. */
  readonly certificates?: string
  /** Base URL of the site, for links. Requests do not determine it: their `Host` header could name another site. */
  readonly siteUrl: string
  /** Milliseconds that the mail server may take for an answer. Default 30,000. */
  readonly timeout?: number
}

const smtpMailOptions = optionNames<SmtpMailOptions>({
  url: true,
  from: true,
  replyTo: true,
  credentials: true,
  tls: true,
  certificates: true,
  siteUrl: true,
  timeout: true,
})

const parseSmtpUrl = (text: string): URL => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') {
    throw new TypeError('The URL of a mail server must begin with smtp:// or smtps:// and contain a host')
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The URL of a mail server must not contain a password: pass it as `credentials`')
  }
  return url
}

const loadNodemailer = async () => {
  try {
    return await import('nodemailer')
  } catch (error) {
    if (getErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('smtpMail requires the package nodemailer: install it with npm install nodemailer', {
      cause: error,
    })
  }
}

/** One address, of which no mail program reads several. */
const isOneAddress = (text: string) => /^[^\s,;:<>()"\\]+@[^\s,;:<>()"\\]+$/.test(text)

/** The server refused the recipient or the message for good: a reply of 500 to 599 (RFC 5321, section 4.2.1). */
const isRefused = (error: unknown): error is Error => {
  if (!(error instanceof Error)) return false
  const { responseCode, code } = error as Error & { readonly responseCode?: number; readonly code?: string }
  return (responseCode ?? 0) >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

const openTransport = async (options: SmtpMailOptions) => {
  const { createTransport } = await loadNodemailer()
  const { credentials, tls = 'required', certificates, timeout = 30_000 } = options
  const { protocol, hostname, port } = parseSmtpUrl(options.url)
  const secure = protocol === 'smtps:'
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(credentials && { auth: { user: credentials.username, pass: credentials.password } }),
    ...(certificates !== undefined && { tls: { ca: certificates } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/**
 * Sends e-mails by a mail server, with the package `nodemailer`, which is loaded with the first message.
 *
 * @throws TypeError when the URL is invalid or contains a password, or an option is unknown
 */
export const smtpMail = (options: SmtpMailOptions): Mail => {
  assertOptions('smtpMail', options, smtpMailOptions)
  assertChoice('tls', options.tls, ['required', 'optional', 'off'])
  parseSmtpUrl(options.url)
  const { from, replyTo, siteUrl } = options
  return {
    from,
    siteUrl,
    async send({ messageId, fromName, to, subject, text, html, headers }: MailMessage) {
      if (!isOneAddress(to)) throw new MailRefusedError('The recipient is not a single address')
      const { 'In-Reply-To': inReplyTo, References: references, ...others } = headers
      try {
        const transport = await openTransport(options)
        await transport.sendMail({
          from: { name: fromName, address: from },
          to: { name: '', address: to },
          envelope: { from, to: [to] },
          ...(replyTo !== undefined && { replyTo }),
          messageId,
          ...(inReplyTo !== undefined && { inReplyTo }),
          ...(references !== undefined && { references }),
          subject,
          text,
          html,
          headers: others,
        })
      } catch (error) {
        if (isRefused(error)) throw new MailRefusedError(error.message, { cause: error })
        throw error
      }
    },
  }
}
