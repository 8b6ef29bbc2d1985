/** A request as a command of curl. */
interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Text, or an upload: the fields of a form, with a file name instead of each file. */
  readonly body?: string | { readonly form: Readonly<Record<string, string>> } | undefined
}

/** In a header or a URL: the command contains the shell variable `$TOKEN` instead. Requests cannot contain this character. */
export const tokenPlaceholder = '\0'

const needsNoQuotes = /^[\w@%+=:,./-]+$/

/** Text around the token that needs no escapes in double quotes. A letter after `$TOKEN` would belong to the variable. */
const isPlain = (parts: readonly string[]): boolean =>
  parts.every((part, index) => /^[\w :/.,?=&%+-]*$/.test(part) && (index === 0 || !/^\w/.test(part)))

/** Quotes text for a POSIX shell. Variables in the text are not expanded, except the token. */
const quote = (text: string): string => {
  const parts = text.split(tokenPlaceholder)
  if (parts.length > 1 && isPlain(parts)) return `"${parts.join('$TOKEN')}"`
  const quoted = parts
    .map((part) => (part === '' || needsNoQuotes.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`))
    .join('"$TOKEN"')
  return quoted || "''"
}

const getMethodArguments = (method: string, hasBody: boolean): readonly string[] => {
  if (method === 'HEAD') return ['--head']
  return method === (hasBody ? 'POST' : 'GET') ? [] : [`--request ${quote(method)}`]
}

const getBodyArguments = (body: CurlRequest['body']): readonly string[] => {
  if (body === undefined) return []
  // `--data` would read a file if the text started with `@`.
  if (typeof body === 'string') return [`--data-raw ${quote(body)}`]
  return Object.entries(body.form).map(([name, value]) => `--form ${quote(`${name}=${value}`)}`)
}

/** Characters of a command on one line. */
const maxLineLength = 80

/** Formats a request as a command for a POSIX shell. A long command has one option per line. */
export const formatCurlCommand = ({ method, url, headers, body }: CurlRequest): string => {
  const parts = [
    'curl',
    // Otherwise curl replaces brackets and braces of the URL.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...getMethodArguments(method, body !== undefined),
    ...Object.entries(headers).map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...getBodyArguments(body),
    quote(url),
  ]
  const line = parts.join(' ')
  return line.length > maxLineLength ? parts.join(' \\\n  ') : line
}
