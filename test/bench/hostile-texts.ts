import { withoutCredentials } from '../../packages/core/src/features/remote-mirrors/credentials-in-text.ts'
import { readScimFilter } from '../../packages/core/src/features/scim/filter.ts'
import { humanDuration } from '../../packages/core/src/kernel/human-duration.ts'
import { differenceParser } from '../../packages/core/src/ports/git-binary/difference-parser.ts'
import { embeddedMarkdown } from '../../packages/core/src/ports/markdown.ts'
import { withoutSecrets } from '../../packages/http/src/control/redaction.ts'
import { redactedPath } from '../../packages/http/src/redacted-path.ts'
import { hostileMarkdown, type Make, repeat } from '../hostile-markdown.ts'

interface HostileText {
  readonly what: string
  readonly make: Make
  read(text: string): unknown
}

/** Without a time budget, which would hide what grows too fast. */
const markdown = embeddedMarkdown({ timeBudget: Number.POSITIVE_INFINITY })

const inMarkdown = Object.entries(hostileMarkdown).map(
  ([name, make]): HostileText => ({
    what: `Markdown: ${name}`,
    make,
    read: (text) =>
      markdown.read(text, 'platform').html(({ value }) => ({ url: `https://a.example/${value}`, title: value })),
  }),
)

const parts = (what: string, read: HostileText['read'], texts: readonly string[]) =>
  texts.map((text): HostileText => ({ what: `${what}: ${text}`, make: repeat(text), read }))

const refused = (read: () => unknown) => {
  try {
    read()
  } catch {
    // A refusal has read the text as well.
  }
}

/** Readers of other people's texts, each with texts that tempt it into work that grows faster than they do. */
export const hostileTexts: readonly HostileText[] = [
  ...inMarkdown,
  ...parts('secrets', withoutSecrets, [
    '"',
    '"token',
    '{"token":"',
    '&tokentokentoken',
    '://a:',
    '%3A%2F%2Fa:',
    '"token":"\\\\',
  ]),
  ...parts('credentials', (text) => withoutCredentials(text, ['secret']), ['://', '@', 'a:']),
  ...parts('addresses in logs', (text) => redactedPath(`/${text}`), ['%3f&', 'glpat-']),
  ...parts('durations', humanDuration, ['1 ', '9', '1 s ', '1:']),
  ...parts('SCIM filters', (text) => refused(() => readScimFilter(`id eq ${text}`)), [' ', ' "']),
]

/** A line of 64 MiB, in the pieces in which a process hands it over. */
export const difference = (): void => {
  const ids = `${'1'.repeat(40)} ${'2'.repeat(40)}`
  const parser = differenceParser(1_000, 1e9)
  parser.take(
    Buffer.from(`:100644 100644 ${ids} M\tbig\n\ndiff --git a/big b/big\n--- a/big\n+++ b/big\n@@ -1 +1 @@\n+`),
  )
  const chunk = Buffer.alloc(65_536, 'y')
  for (let index = 0; index < 1_000; index += 1) parser.take(chunk)
}
