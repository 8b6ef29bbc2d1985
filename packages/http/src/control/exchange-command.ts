import { formatCurlCommand, tokenPlaceholder } from '../request/curl-command.ts'
import type { Exchange, Message } from './exchange.ts'

/** Headers that curl or a connection adds, and those that describe the client. */
const omittedHeaders =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|cookie|origin|referer|sec-.*|x-forwarded-.*)$/i

const credentialHeaders = /^(?:authorization|private-token|job-token|deploy-token|unleash-instanceid|x-sentry-auth)$/i
/** A credential that is the whole value, or follows a scheme other than Basic, whose credential is encoded. */
const wholeCredential = /^(?!basic )(.*)\[redacted\]$/i
const credentialParameters = /(^|&)((?:private|access|job)_token=)\[redacted\]/g

/** Text that a terminal would interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as intended
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/

const listHeaders = (headers: Message['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => !omittedHeaders.test(name) && !(name === 'accept' && value === '*/*'))
      .map(([name, value]) => [
        name,
        credentialHeaders.test(name) ? value.replace(wholeCredential, `$1${tokenPlaceholder}`) : value,
      ]),
  )

/** The command of curl that repeats a request; undefined if the journal does not have the whole body, or the body is binary. */
export const createExchangeCommand = (
  { method, path, query, request: { headers, body, truncated } }: Exchange,
  serverUrl: string,
): string | undefined => {
  if (truncated || controlCharacters.test(body + path)) return undefined
  const search = query === '' ? '' : `?${query.replace(credentialParameters, `$1$2${tokenPlaceholder}`)}`
  return formatCurlCommand({
    method,
    url: `${serverUrl}${path}${search}`,
    headers: listHeaders(headers),
    body: body === '' ? undefined : body,
  })
}
