import { invalid } from '../../../kernel/errors.ts'

const maxCount = 20
const maxLength = 2_048

/** Browsers run the content of these URIs as a part of the page. */
const unsafeProtocols: readonly string[] = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']

const isLoopback = ({ hostname }: URL) => hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'

const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'

/** Whether a URI is that of a program on the user's device, such as `com.example.app:/callback`. */
const hasNativeUri = (uris: readonly string[]): boolean => uris.some((uri) => !isWeb(new URL(uri)))

const findProblem = (uri: string): string | undefined => {
  const url = URL.parse(uri)
  if (url === null || uri.length > maxLength) return 'must be an absolute URI.'
  if (unsafeProtocols.includes(url.protocol)) return 'must not have a scheme that browsers execute.'
  if (uri.includes('#')) return 'cannot contain a fragment.'
  return url.username !== '' || url.password !== '' ? 'cannot contain a user or a password.' : undefined
}

/** A native application cannot own an HTTP address of another machine, nor an HTTPS address of this one (RFC 8252, section 8). */
const findMixtureProblem = (uris: readonly string[]): string | undefined => {
  if (!hasNativeUri(uris)) return undefined
  const web = uris.map((uri) => new URL(uri)).filter(isWeb)
  return web.every((url) => isLoopback(url) === (url.protocol === 'http:'))
    ? undefined
    : 'of a native application must be HTTPS, or HTTP on a loopback address.'
}

/**
 * The URIs of a text with one per line, or separated by blanks.
 *
 * @throws PlatformError `invalid` for URIs to which browsers must not be redirected
 */
export const parseRedirectUris = (text: string): readonly string[] => {
  const uris = [...new Set(text.split(/\s+/).filter((uri) => uri !== ''))]
  if (uris.length === 0) throw invalid({ redirect_uri: ["can't be blank"] })
  if (uris.length > maxCount) throw invalid({ redirect_uri: [`has too many URIs (maximum is ${maxCount})`] })
  const problem = uris.map(findProblem).find((text) => text !== undefined) ?? findMixtureProblem(uris)
  if (problem !== undefined) throw invalid({ redirect_uri: [problem] })
  return uris
}
