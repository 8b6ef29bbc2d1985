import { type Mail, smtpMail } from '@forgelet/core'
import { UsageError } from './cli-error.ts'
import { readCredentialsFile } from './credentials-file.ts'
import type { ServeCommandOptions } from './options.ts'

/**
 * The port that sends e-mails by the mail server of the options; undefined without one.
 *
 * @throws UsageError for options that require others, and for a URL with credentials
 * @throws CliError if the credentials file cannot be used
 */
export const toMail = (options: ServeCommandOptions): Mail | undefined => {
  const { smtpUrl: url, smtpCredentials: file, smtpTls: tls, mailFrom: from, mailReplyTo: replyTo, baseUrl } = options
  if (url === undefined) {
    const extra = { '--smtp-credentials': file, '--mail-from': from, '--mail-reply-to': replyTo }
    const [name] = Object.entries(extra).find(([, value]) => value !== undefined) ?? []
    if (name !== undefined) throw new UsageError(`${name} requires --smtp-url`)
    return undefined
  }
  // All users of this machine can read the arguments of a process.
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') {
    throw new UsageError('--smtp-url must not contain credentials: use --smtp-credentials')
  }
  if (from === undefined) throw new UsageError('--smtp-url requires --mail-from')
  // The Host header of a request could otherwise choose where links in mails point to.
  if (baseUrl === undefined) throw new UsageError('--smtp-url requires --base-url')
  return smtpMail({
    url,
    from,
    tls,
    siteUrl: baseUrl,
    ...(replyTo !== undefined && { replyTo }),
    ...(file !== undefined && { credentials: readCredentialsFile(file) }),
  })
}
