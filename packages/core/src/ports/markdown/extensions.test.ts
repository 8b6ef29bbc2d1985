import { describe, expect, test } from 'vitest'
import { readDocument } from './document.ts'

/** Extensions of the platform's flavour that neither CommonMark nor GFM has. */

const render = (text: string) => readDocument(text, 'platform').html()

describe('front matter', () => {
  test.each([
    ['---\ntitle: A\n---\n\nText', 'yaml', 'title: A'],
    ['+++\ntitle = "A"\n+++\n', 'toml', 'title = &quot;A&quot;'],
    [';;;\n{}\n;;;\n', 'json', '{}'],
    ['---toml\na = 1\n---\n', 'toml', 'a = 1'],
  ])('%j is a code block', (text, language, content) => {
    expect(render(text)).toContain(`<code class="language-${language}">${content}\n</code></pre>`)
  })
  test.each(['Text\n\n---\na: b\n---\n', '---\na: b\n', '---\n---\n', ' ---\na: b\n---\n', '> ---\n> a: b\n> ---\n'])(
    '%j has none',
    (text) => {
      expect(render(text)).not.toContain('<pre')
    },
  )
})

describe('multi-line quotes', () => {
  test('contain blocks', () => {
    const html = render('Before\n>>>\na\n\n- b\n\n```\n>>>\n```\n>>>\nAfter')
    expect(html).toMatch(/^<p dir="auto">Before<\/p>\n<blockquote[^>]*>[\s\S]*<li>b<\/li>[\s\S]*&gt;&gt;&gt;\n<\/code>/)
    expect(html).toMatch(/<\/blockquote>\n<p dir="auto">After<\/p>\n$/)
  })
  test('end', () => {
    expect(render('>>>\na\n')).not.toContain('&gt;')
    expect(render('>>> a\nb\n>>>\n')).toContain('<blockquote')
  })
  test('are parts of list items', () => {
    expect(render('- >>>\n  a\n  >>>\n- b')).toMatch(/<li>\n<blockquote[^>]*>\n<p[^>]*>a<\/p>\n<\/blockquote>\n<\/li>/)
  })
})

test.each([
  ['{+ new +}', 'addition', ' new '],
  ['[+ new +]', 'addition', ' new '],
  ['{- **old** -}', 'deletion', ' <strong>old</strong> '],
  ['[- old -]', 'deletion', ' old '],
])('%s is an inline diff', (text, kind, content) => {
  expect(render(`a ${text} b`)).toBe(`<p dir="auto">a <span class="idiff left right ${kind}">${content}</span> b</p>\n`)
})

test.each(['{+ a -}', '{+ a\nb +}', '{++}', '`{+ a +}`', '[+1]', '{+ a +]'])('%j is none', (text) => {
  expect(render(text)).not.toContain('idiff')
})

test.each([
  '#F00',
  '#f00f',
  '#FF0000',
  'RGB(0,255,0)',
  'RGB(0%,100%,0%)',
  'RGBA(0,255,0,0.3)',
  'HSL(540,70%,50%)',
  'HSLA(540,70%,50%,0.3)',
])('the color %s has a chip', (color) => {
  const chip = `<span class="gfm-color_chip"><span style="background-color: ${color}"></span></span>`
  expect(render(`\`${color}\``)).toBe(`<p dir="auto"><code>${color}${chip}</code></p>\n`)
})

test.each(['#F0', 'red', 'RGB(1,2)', '#FF0000; x', 'url(a)'])('%s has none', (color) => {
  expect(render(`\`${color}\``)).not.toContain('chip')
})

describe('a table of contents', () => {
  test.each(['[[_TOC_]]', '[TOC]'])('%s links to the headings', (mark) => {
    const html = render(`${mark}\n\n# One\n\n## Two *b*\n\n## Two\n\n# 2026\n`)
    const link = (id: string, text: string) =>
      `<a href="#user-content-${id}" rel="nofollow noreferrer noopener">${text}</a>`
    expect(html.slice(0, html.indexOf('<h1'))).toBe(
      `<ul class="section-nav">\n<li>${link('one', 'One')}\n<ul>\n<li>${link('two-b', 'Two b')}</li>\n<li>${link('two', 'Two')}</li>\n</ul>\n</li>\n<li>${link('anchor-2026', '2026')}</li>\n</ul>\n`,
    )
  })
  test('is none in a text, a quote or without headings', () => {
    for (const text of ['a [TOC]\n\n# b', '> [TOC]\n\n# b', '`[TOC]`\n\n# b', '[TOC]']) {
      expect(render(text)).not.toContain('section-nav')
    }
  })
})

test('links keep their schemes, except those that run scripts', () => {
  for (const url of ['ftp://a.b', 'ssh://git@a.b/c', 'tel:1', 'irc://a.b/c']) {
    expect(render(`[a](${url})`)).toContain(`href="${url}"`)
  }
  expect(render('<a href="vbscript:a">a</a> <a href="data:text/html,a">b</a>')).not.toContain('href')
})
