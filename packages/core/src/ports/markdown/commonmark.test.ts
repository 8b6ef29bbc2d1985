import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { commonMark, gitHubFlavouredMarkdown } from './parsers.ts'

interface Example {
  readonly markdown: string
  readonly html: string
  readonly number: number
}

const { tests: examples } = createRequire(import.meta.url)('commonmark-spec') as { readonly tests: readonly Example[] }

/** The specification writes tabs as arrows. */
const withTabs = (text: string) => text.replaceAll('→', '\t')

const failed = (parser: ReturnType<typeof commonMark>) =>
  examples
    .filter(({ markdown, html }) => parser.render(withTabs(markdown)) !== withTabs(html))
    .map(({ number }) => number)

test('all examples of CommonMark 0.31.2 match exactly', () => {
  const wrong = failed(commonMark())
  console.info(`CommonMark 0.31.2: ${examples.length - wrong.length} of ${examples.length}`)
  expect(examples).toHaveLength(652)
  expect(wrong).toEqual([])
})

test('with GFM, only the examples that contradict it differ', () => {
  const wrong = failed(gitHubFlavouredMarkdown())
  console.info(`CommonMark 0.31.2 with GFM: ${examples.length - wrong.length} of ${examples.length}`)
  const filteredTags = [170, 171, 172, 173, 176, 178]
  const autolinks = [602, 608, 611, 612]
  expect(wrong).toEqual([...filteredTags, ...autolinks])
})
