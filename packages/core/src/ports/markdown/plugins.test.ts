import { createRequire } from 'node:module'
import type { MarkdownIt } from 'markdown-it'
import { describe, expect, test } from 'vitest'
import { growth } from '../../../../../test/growth.ts'
import { repeat } from '../../../../../test/hostile-markdown.ts'
import { embeddedMarkdown } from '../markdown.ts'
import { readDocument } from './document.ts'
import { commonMarkParser } from './libraries.ts'
import { gitHubFlavouredMarkdown } from './parsers.ts'

// Why docs/decisions/0038-markdown-libraries.md keeps footnotes, task lists and emoji here. A plugin that passes one
// of these tests differently after an upgrade is worth another look.
type Plugin = (parser: MarkdownIt) => void
const require = createRequire(import.meta.url)
const withPlugin = (plugin: Plugin): MarkdownIt => {
  const parser = commonMarkParser()
  plugin(parser)
  return parser
}

const superlinear = 6

describe('markdown-it-footnote', () => {
  const parser = withPlugin(require('markdown-it-footnote') as Plugin)

  test('compares labels with regard to case', () => {
    const text = 'a[^Ab]\n\n[^aB]: one'
    expect(parser.render(text)).toBe('<p>a[^Ab]</p>\n')
    expect(readDocument(text, 'platform').html()).toContain('data-footnote-ref')
  })
  test('shows the last definition of a label', () => {
    const text = 'a[^x]\n\n[^x]: one\n\n[^x]: two'
    expect(parser.render(text)).not.toContain('one')
    expect(readDocument(text, 'platform').html()).not.toContain('two')
  })
  test('needs quadratic time for opening brackets', () => {
    expect(growth(4_000, (length) => parser.render(`[^a]: b\n\n${repeat('[^')(length)}`))).toBeGreaterThan(superlinear)
  })
})

describe('markdown-it-task-lists', () => {
  const parser = withPlugin(require('markdown-it-task-lists') as Plugin)

  test('adds fixed classes, which GFM 5.3 does not have', () => {
    expect(parser.render('- [ ] a')).toContain('<input class="task-list-item-checkbox"')
    expect(gitHubFlavouredMarkdown().render('- [ ] a')).toContain('<input disabled="" type="checkbox" />')
  })
  test('needs quadratic time for a long list', () => {
    expect(growth(8_000, (length) => parser.render(repeat('- [ ] a\n')(length)))).toBeGreaterThan(superlinear)
  })
})

describe('markdown-it-emoji', () => {
  const parser = withPlugin((require('markdown-it-emoji') as { full: Plugin }).full)

  test.each(['a:tada:', ':tada:a', '10:tada:30', ':tada::tada:'])('replaces names within words: %s', (text) => {
    expect(parser.renderInline(text)).toContain('🎉')
    expect(embeddedMarkdown().line(text)).toBe(text)
  })
  test('has no skin tones', () => {
    expect(parser.renderInline(':thumbsup_tone3:')).toBe(':thumbsup_tone3:')
    expect(embeddedMarkdown().line(':thumbsup_tone3:')).toContain('👍🏽')
  })
  test('needs quadratic time for many names', () => {
    expect(growth(8_000, (length) => parser.render(repeat(':tada: *a* ')(length)))).toBeGreaterThan(superlinear)
  })
})
