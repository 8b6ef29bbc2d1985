import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { formatCurlCommand, tokenPlaceholder } from './curl-command.ts'

/** The arguments that a shell passes to curl. */
const parse = (command: string): string[] => {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const output = execFileSync('sh', { input: script, encoding: 'utf8', env: { TOKEN: 'a b"c' } })
  return output.split('\0').slice(0, -1)
}

test.each(["it's", '$(touch /tmp/x)', '`id`', '"$HOME"', '\\', "'; exit 1; '", '@file', '!!', 'a\nb', ''])(
  'a shell does not interpret %j',
  (text) => {
    const command = formatCurlCommand({ method: 'POST', url: `http://x/${text}`, headers: { a: text }, body: text })
    expect(parse(command)).toEqual(['--header', `a: ${text}`, '--data-raw', text, `http://x/${text}`])
  },
)

test('the token is a variable', () => {
  const headers = { Authorization: `Bearer ${tokenPlaceholder}` }
  const command = formatCurlCommand({ method: 'GET', url: `http://x/?private_token=${tokenPlaceholder}`, headers })
  expect(command).toBe('curl --header "Authorization: Bearer $TOKEN" "http://x/?private_token=$TOKEN"')
  expect(parse(command)).toEqual(['--header', 'Authorization: Bearer a b"c', 'http://x/?private_token=a b"c'])
})

test('the token does not merge with the text after it', () => {
  const url = `http://x/${tokenPlaceholder}b/$HOME`
  expect(parse(formatCurlCommand({ method: 'GET', url, headers: {} }))).toEqual(['http://x/a b"cb/$HOME'])
  const plain = `http://x/${tokenPlaceholder}b`
  expect(parse(formatCurlCommand({ method: 'GET', url: plain, headers: {} }))).toEqual(['http://x/a b"cb'])
})

test.each([
  ['GET', undefined, []],
  ['HEAD', undefined, ['--head']],
  ['POST', undefined, ['--request', 'POST']],
  ['POST', '{}', ['--data-raw', '{}']],
  ['PUT', '{}', ['--request', 'PUT', '--data-raw', '{}']],
  ['POST', { form: { file: '@a b.png' } }, ['--form', 'file=@a b.png']],
])('%s with the body %j', (method, body, expected) => {
  const command = formatCurlCommand({ method, url: 'http://x', headers: {}, body })
  expect(parse(command)).toEqual([...expected, 'http://x'])
})

test('brackets of a URL are no ranges', () => {
  expect(parse(formatCurlCommand({ method: 'GET', url: 'http://x?a[]=1', headers: {} }))[0]).toBe('--globoff')
})
