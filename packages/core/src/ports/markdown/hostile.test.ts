import { afterAll, describe, expect, test } from 'vitest'
import { hostileMarkdown } from '../../../../../test/hostile-markdown.ts'
import { embeddedMarkdown } from '../markdown.ts'
import { createRenderBudget, RenderLimitError } from './budget.ts'
import { type Flavour, readDocument } from './document.ts'
import { findMentions } from './mentions.ts'
import type { Resolve } from './reference.ts'

const resolve: Resolve = ({ value }) => ({ url: `https://forge.example/${value}`, title: value })

/** Without a time budget, which would hide superlinear cost. */
const render = (text: string, flavour: Flavour) => {
  const budget = createRenderBudget(Number.POSITIVE_INFINITY, 6_000_000)
  try {
    return readDocument(text, flavour, {}, budget).html(resolve)
  } catch (error) {
    if (error instanceof RenderLimitError) return 'too long'
    throw error
  }
}

// `pnpm bench linearity` measures the growth; here each text only has to finish before the timeout.
test.each(Object.entries(hostileMarkdown))('%s are rendered', (_, make) => {
  const text = make(65_536)
  expect(render(text, 'platform')).toBeTypeOf('string')
  expect(render(text, 'line')).toBeTypeOf('string')
})

describe('a text above its budget is shown as it was written', () => {
  const escaped = (text: string) => `<pre>${text.replaceAll('"', '&quot;')}</pre>\n`

  test.each(['headings', 'images that never end', 'one footnote mentioned often', 'brackets'])('%s', (name) => {
    const text = hostileMarkdown[name]?.(200_000) ?? ''
    const markdown = embeddedMarkdown({ eventLoopBudget: 5, workers: 0 })
    return expect(markdown.render(text, 'platform')).resolves.toBe(escaped(text))
  })
  test('the HTML of one long address that is linked often has at most 6,000,000 characters', () => {
    const text = hostileMarkdown['one long address linked often']?.(100_000) ?? ''
    const markdown = embeddedMarkdown({ eventLoopBudget: Number.POSITIVE_INFINITY, workers: 0 })
    return expect(markdown.render(text, 'plain')).resolves.toBe(escaped(text))
  })
  test('the budget covers the tokens of a rendered text', () => {
    const budget = createRenderBudget(Number.POSITIVE_INFINITY, 100)
    expect(() => readDocument('**a** '.repeat(20), 'plain', {}, budget).html()).toThrow(RenderLimitError)
  })
  test('a line is escaped, without an element', () => {
    expect(embeddedMarkdown({ eventLoopBudget: 0 }).line('*a* <b>')).toBe('*a* &lt;b&gt;')
    expect(embeddedMarkdown().line(`*a*${' '.repeat(8_192)}`)).toMatch(/^\*a\*/)
  })
})

test('a text that takes too long to parse mentions nobody', () => {
  const text = `@alice\n\n${'[@a '.repeat(250)}`
  expect(findMentions(text).map(({ name }) => name)).toEqual(['alice', 'a'])
  expect(findMentions(text, '', 0)).toEqual([])
})

describe('long texts', () => {
  // A budget that a loaded machine does not exceed.
  const markdown = embeddedMarkdown({ workerThreshold: 100, timeBudget: 60_000 })
  afterAll(() => markdown.close?.())

  const text = `# See #1 and @alice :tada:\n\n${'*a* <b>b</b> ![](https://other.example/a.png)\n\n'.repeat(1_000)}`
  const imageProxy = { id: 'x', url: 'https://camo.example', secret: 's', directDomains: [], siteUrl: undefined }
  const options = { baseUrl: 'https://forge.example', imageProxy }

  test('are rendered like short ones', async () => {
    const html = await markdown.render(text, 'platform', { ...options, resolve: () => resolve })
    expect(html).toBe(readDocument(text, 'platform', options).html(resolve))
    expect(html).toContain('data-reference-type="issue"')
    expect(html).toContain('https://camo.example/')
    expect(await markdown.render(text, 'plain', options)).toBe(readDocument(text, 'plain', options).html())
  })
  test('leave the event loop free', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await markdown.render(hostileMarkdown.paragraphs?.(200_000) ?? '', 'platform')
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })
  test('share a few threads, and too many at once are rejected', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => markdown.render(text, 'platform')))
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(reasons).toHaveLength(2)
    expect(reasons[0]).toMatchObject({ code: 'limited', message: 'Too many long texts at once', retryAfter: 1 })
  })
  test('errors of the lookup are errors of the call, and the thread is free again', async () => {
    const failing = markdown.render(text, 'platform', { resolve: () => Promise.reject(new Error('gone')) })
    await expect(failing).rejects.toThrow('gone')
    expect(await markdown.render(text, 'platform')).toContain('<h1')
  })
  test('that exceed their time are shown as they were written', async () => {
    const hasty = embeddedMarkdown({ workerThreshold: 100, timeBudget: 1 })
    const long = hostileMarkdown.headings?.(900_000) ?? ''
    expect(await hasty.render(long, 'platform')).toBe(`<pre>${long}</pre>\n`)
    await hasty.close?.()
  })
  test('cannot be rendered after the end', async () => {
    const ended = embeddedMarkdown({ workerThreshold: 100 })
    await ended.close?.()
    await expect(ended.render(text, 'platform')).rejects.toMatchObject({ code: 'unavailable' })
    expect(await ended.render('*a*', 'plain')).toBe('<p><em>a</em></p>\n')
  })
})
