import { parseScimFilter } from '../../packages/core/src/features/spaces/scim/filter.ts'
import { createDiffParser } from '../../packages/core/src/ports/git-binary/diff-parser.ts'
import { createRenderBudget } from '../../packages/core/src/ports/markdown/budget.ts'
import { readDocument } from '../../packages/core/src/ports/markdown/document.ts'
import { parseHumanDuration } from '../../packages/core/src/shared/human-duration.ts'
import { maskCredentials } from '../../packages/core/src/shared/mask-credentials.ts'
import { redactText } from '../../packages/http/src/control/redaction.ts'
import { redactPath } from '../../packages/http/src/request/redact-path.ts'
import { hostileMarkdown, type Make, repeat } from '../hostile-markdown.ts'

interface HostileText {
  readonly what: string
  readonly make: Make
  read(text: string): unknown
}

/** Without a time budget, which would hide superlinear growth. */
const renderMarkdown = (text: string) => {
  const budget = createRenderBudget(Number.POSITIVE_INFINITY, 6_000_000)
  readDocument(text, 'platform', {}, budget).html(({ value }) => ({ url: `https://a.example/${value}`, title: value }))
}

const ignoreError = (read: () => unknown) => {
  try {
    read()
  } catch {
    // The text was parsed before the error.
  }
}

const markdownTexts = Object.entries(hostileMarkdown).map(
  ([name, make]): HostileText => ({
    what: `Markdown: ${name}`,
    make,
    read: (text) => ignoreError(() => renderMarkdown(text)),
  }),
)

const parts = (what: string, read: HostileText['read'], texts: readonly string[]) =>
  texts.map((text): HostileText => ({ what: `${what}: ${text}`, make: repeat(text), read }))

/** Parsers of untrusted text, each with texts that can cause superlinear work. */
export const hostileTexts: readonly HostileText[] = [
  ...markdownTexts,
  ...parts('secrets', redactText, [
    '"',
    '"token',
    '{"token":"',
    '&tokentokentoken',
    '://a:',
    '%3A%2F%2Fa:',
    '"token":"\\\\',
  ]),
  ...parts('credentials', (text) => maskCredentials(text, { secrets: ['secret'] }), ['://', '@', 'a:']),
  ...parts('paths in logs', (text) => redactPath(`/${text}`), ['%3f&', 'glpat-']),
  ...parts('durations', parseHumanDuration, ['1 ', '9', '1 s ', '1:']),
  ...parts('SCIM filters', (text) => ignoreError(() => parseScimFilter(`id eq ${text}`)), [' ', ' "']),
]

/** Parses a diff with one line of 64 MiB, in the chunks of a pipe. */
export const parseLongLine = (): void => {
  const ids = `${'1'.repeat(40)} ${'2'.repeat(40)}`
  const parser = createDiffParser(1_000, 1e9)
  parser.write(
    Buffer.from(`:100644 100644 ${ids} M\tbig\n\ndiff --git a/big b/big\n--- a/big\n+++ b/big\n@@ -1 +1 @@\n+`),
  )
  const chunk = Buffer.alloc(65_536, 'y')
  for (let index = 0; index < 1_000; index += 1) parser.write(chunk)
}
