import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { embeddedMarkdown } from '../markdown.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const decode = (text: string) =>
  inflateRawSync(
    Buffer.from(
      text.replace(/./g, (digit) => base64.charAt(digits.indexOf(digit))),
      'base64',
    ),
  ).toString('utf8')

const { render } = embeddedMarkdown({ workers: 0 })
const diagramServer = 'https://diagrams.example/-/plantuml/'
const fence = (source: string, language = 'plantuml') => `\`\`\`${language}\n${source}\n\`\`\`\n`
const imageOf = async (text: string, options = { diagramServer }) =>
  /<img class="plantuml" src="https:\/\/diagrams\.example\/-\/plantuml\/png\/([\w-]+)" alt="Diagram">/.exec(
    await render(text, 'platform', options),
  )?.[1]

test('a diagram is an image of the server, in the text encoding of PlantUML', async () => {
  // The example of https://plantuml.com/pte.
  const source = 'Alice -> Bob: Authentication Request\nBob --> Alice: Authentication Response\n'
  const documented = 'Syp9J4vLqBLJSCfFib9mB2t9ICqhoKnEBCdCprC8IYqiJIqkuGBAAUW2rO0LOr5LN92VLvpA1G00'
  expect(decode(documented).trim()).toBe(source.trim())
  expect(decode((await imageOf(fence(source.trim()))) ?? '')).toBe(source)
})

test.each([
  ['quotes, markup and other scripts', '"><script>alert(1)</script>&quot;\nÄ → 日本 \u{1f600}'],
  ['a path out of the server', '../../../-/sign_out?x=1#y'],
])('a diagram with %s is one encoded segment of the URL', async (_, source) => {
  expect(decode((await imageOf(fence(source))) ?? '')).toBe(`${source}\n`)
})

test('without a server, in another language and above the size limit, diagrams stay code', async () => {
  expect(await render(fence('a -> b'), 'platform')).toContain('<code class="language-plantuml">')
  expect(await imageOf(fence('a -> b', 'mermaid'))).toBeUndefined()
  expect(await imageOf(fence('a'.repeat(16_400)))).toBeUndefined()
  expect(await render('<img class="plantuml" src="/x">', 'platform', { diagramServer })).not.toContain('class')
})
