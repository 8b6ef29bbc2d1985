import { expect, test } from 'vitest'
import { hostileMarkdown } from '../../../../../test/hostile-markdown.ts'
import { embeddedMarkdown } from '../markdown.ts'
import type { Resolve } from './reference.ts'

/** Without a time budget, which would hide superlinear cost. */
const markdown = embeddedMarkdown({ timeBudget: Number.POSITIVE_INFINITY })
const resolve: Resolve = ({ value }) => ({ url: `https://forge.example/${value}`, title: value })

// `pnpm bench linearity` measures the growth; here each text only has to finish before the timeout.
test.each(Object.entries(hostileMarkdown))('%s are rendered', (_, make) => {
  const text = make(65_536)
  expect(markdown.read(text, 'platform').html(resolve)).toBeTypeOf('string')
  expect(markdown.read(text, 'line').html(resolve)).toBeTypeOf('string')
})
