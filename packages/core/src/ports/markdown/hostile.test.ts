import { expect, test } from 'vitest'
import { hostileMarkdown } from '../../../../../test/hostile-markdown.ts'
import { embeddedMarkdown } from '../markdown.ts'
import type { Resolve } from './reference.ts'

/** Without a time budget, which would hide what grows too fast. */
const markdown = embeddedMarkdown({ timeBudget: Number.POSITIVE_INFINITY })
const resolve: Resolve = ({ value }) => ({ url: `https://forge.example/${value}`, title: value })

// How work grows with a text is measured by `pnpm bench linearity`; here it only has to end within the time of a test.
test.each(Object.entries(hostileMarkdown))('%s are read to their end', (_, make) => {
  const text = make(65_536)
  expect(markdown.read(text, 'platform').html(resolve)).toBeTypeOf('string')
  expect(markdown.read(text, 'line').html(resolve)).toBeTypeOf('string')
})
