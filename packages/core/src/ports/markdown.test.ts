import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readDocument } from './markdown/document.ts'
import type { Reference, Resolve } from './markdown/reference.ts'
import { embeddedMarkdown } from './markdown.ts'

const markdown = embeddedMarkdown()
const baseUrl = 'https://forge.example'
const html = (text: string, resolve?: Resolve) => readDocument(text, 'platform', { baseUrl }).html(resolve).trimEnd()

/** Resolves every reference. */
const all: Resolve = ({ kind, value }) => ({ url: `${baseUrl}/${kind}/${value}`, title: `The ${kind}` })
const anchor = (kind: string, value: string, text: string, written = text) =>
  `<a href="${baseUrl}/${kind}/${value}" rel="nofollow noreferrer noopener" title="The ${kind}" class="gfm gfm-${kind}" data-reference-type="${kind}" data-original="${written}">${text}</a>`
const p = (content: string) => `<p dir="auto">${content}</p>`

describe('flavours', () => {
  const text = '**a** ~~b~~ :tada: #1 @user www.a.b\n\n- [ ] c\n\n|d|\n|-|\n|e|'

  test('plain has only tables, strikethrough and autolinks', () => {
    const document = readDocument(text, 'plain')
    expect(document.references).toEqual([])
    expect(document.html(all)).toBe(
      '<p><strong>a</strong> <del>b</del> :tada: #1 @user <a href="http://www.a.b" rel="nofollow noreferrer noopener">www.a.b</a></p>\n' +
        '<ul>\n<li>[ ] c</li>\n</ul>\n<table>\n<thead>\n<tr>\n<th>d</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>e</td>\n</tr>\n</tbody>\n</table>\n',
    )
  })
  test('platform has all extensions', () => {
    const document = readDocument(text, 'platform')
    expect(document.references).toEqual([
      { kind: 'issue', value: '1' },
      { kind: 'user', value: 'user' },
    ] satisfies Reference[])
    const emoji = '<gl-emoji title="party popper" data-name="tada">🎉</gl-emoji>'
    expect(document.html()).toContain(
      p(
        `<strong>a</strong> <del>b</del> ${emoji} #1 @user <a href="http://www.a.b" rel="nofollow noreferrer noopener">www.a.b</a>`,
      ),
    )
    expect(document.html()).toContain('<li class="task-list-item"><input type="checkbox" disabled=""> c</li>')
    expect(document.html()).toContain('<table>')
  })
  test('a line is one line without blocks and references', () => {
    const document = readDocument(' # **a** :bug: #1\r\n\n- `b` <h2>c</h2> @user [d](/e) ![:tada:](/f) ', 'line', {
      relativeTo: baseUrl,
    })
    expect(document.references).toEqual([])
    expect(document.html(all)).toBe(
      '# <strong>a</strong> <gl-emoji title="bug" data-name="bug">🐛</gl-emoji> #1 - <code>b</code> c @user ' +
        '<a href="https://forge.example/e" rel="nofollow noreferrer noopener">d</a> <img src="https://forge.example/f" alt="🎉">',
    )
  })
  test('an empty text is empty', () => {
    for (const flavour of ['plain', 'platform', 'line'] as const) expect(readDocument('', flavour).html()).toBe('')
  })
})

describe('references', () => {
  test('become links when resolved and stay text otherwise', () => {
    const document = readDocument('see #1, group/project!2 and ~"two words"', 'platform')
    const seen: Reference[] = []
    const first = document.html((reference) => {
      seen.push(reference)
      return reference.kind === 'issue' ? all(reference) : undefined
    })
    expect(first).toBe(`${p(`see ${anchor('issue', '1', '#1')}, group/project!2 and ~&quot;two words&quot;`)}\n`)
    expect(seen).toEqual(document.references)
    // A result for one user does not affect the next one.
    expect(document.html()).toBe(`${p('see #1, group/project!2 and ~&quot;two words&quot;')}\n`)
    expect(document.html((reference) => (reference.kind === 'issue' ? all(reference) : undefined))).toBe(first)
  })
  test('are resolved once, regardless of repetitions', () => {
    const document = readDocument('#1 #1 **#1** a#1', 'platform')
    expect(document.references).toHaveLength(2)
    let asked = 0
    document.html(() => {
      asked++
      return undefined
    })
    expect(asked).toBe(2)
  })
  test.each([
    ['code', '`#1` ``@user``'],
    ['code blocks', '    #1\n\n```\n@user\n```'],
    ['links', '[#1](u) [a @user b][u] ![#1](u)\n\n[u]: /u'],
    ['autolinks', '<https://a.b/#1> https://a.b/@user a@user.example'],
    ['attributes', '<i title="#1">x</i> [a](u "#1")'],
    ['raw code and links', '<code>#1</code> <pre>@user</pre> <a href="u">#1</a> <kbd>@user</kbd>'],
    ['blocks of raw code', '<div><code>\n\n#1\n\n</code></div>'],
    ['escapes and entities', '\\#1 &#35;1 \\@user &commat;user #1\\_a a\\_#1'],
    ['comments', '<!-- #1 @user -->'],
  ])('are none in %s', (_, text) => {
    expect(readDocument(text, 'platform', { baseUrl }).references).toEqual([])
  })
  test('are found in unclosed and nested markup', () => {
    expect(
      readDocument('<code>a\n\n#1\n\n> - **@user**\n\n| ~b |\n|-|\n| %c |', 'platform').references.map(
        ({ value }) => value,
      ),
    ).toEqual(['1', 'user', 'b', 'c'])
  })
  test('render text, color and data of their object, escaped', () => {
    const resolve: Resolve = () => ({
      url: `${baseUrl}/x?a&b`,
      title: '"><script>',
      text: '<b>',
      attributes: { 'data-label': '"7"', onclick: 'alert(1)' },
      color: '#428BCA',
      textColor: '#FFFFFF',
    })
    expect(html('~bug', resolve)).toBe(
      p(
        '<a href="https://forge.example/x?a&amp;b" rel="nofollow noreferrer noopener" title="&quot;&gt;&lt;script&gt;" class="gfm gfm-label" data-reference-type="label" data-original="~bug" data-label="&quot;7&quot;">' +
          '<span class="gl-label-text" style="background-color: #428BCA; color: #FFFFFF">&lt;b&gt;</span></a>',
      ),
    )
  })
  test('an invalid color is omitted', () => {
    const resolve: Resolve = (reference) => ({ ...all(reference), url: 'https://a.b', title: '', color: 'red' })
    expect(html('~bug', resolve)).not.toContain('style')
  })
  test('users have the class of project members', () => {
    expect(html('@user', all)).toContain('class="gfm gfm-project_member" data-reference-type="user"')
  })
  test('are at most 1,000 of a kind; later ones stay text', () => {
    const document = readDocument(
      `${Array.from({ length: 1_200 }, (_, index) => `#${index + 1}`).join(' ')} #1 @user`,
      'platform',
    )
    expect(document.references).toHaveLength(1_001)
    expect(document.html(all)).toContain(' #1001 ')
    expect(document.html(all)).toContain(`${anchor('issue', '1', '#1')} <a`)
  })
})

describe('URLs of the platform', () => {
  const url = 'https://forge.example/g/p/-/issues/1#note_3'

  test('become short', () => {
    expect(html(url, (reference) => all(reference))).toBe(
      p(anchor('issue', '1', 'g/p#1 (comment 3)', url).replace('issue/1"', 'issue/1#note_3"')),
    )
  })
  test('stay links when not resolved', () => {
    expect(html(url)).toBe(p(`<a href="${url}" rel="nofollow noreferrer noopener">${url}</a>`))
  })
  test('stay links in Markdown syntax', () => {
    expect(readDocument(`[x](${url}) <${url}>`, 'platform', { baseUrl }).references).toEqual([])
  })
  test('are ordinary links without a base', () => {
    expect(readDocument(url, 'platform').references).toEqual([])
  })
})

describe('hostile markup', () => {
  test.each([
    ['<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>'],
    ['<SCRIPT/x src=//a.b>', p('&lt;SCRIPT/x src=//a.b&gt;')],
    ['a <img src=x onerror=alert(1)>', p('a <img src="x">')],
    ['a <b onmouseover="alert(1)" style="position:fixed">b</b>', p('a <b>b</b>')],
    ['[a](javascript:alert(1))', p('[a](javascript:alert(1))')],
    ['[a](java&#10;script:alert(1))', p('<a>a</a>')],
    ['a <a href="JaVa&Tab;Script&colon;alert(1)">b</a>', p('a <a>b</a>')],
    ['a <a href="\u0001javascript:alert(1)">b</a>', p('a <a>b</a>')],
    ['<javascript:alert(1)> <data:text/html,x>', p('&lt;javascript:alert(1)&gt; &lt;data:text/html,x&gt;')],
    ['![a](data:image/png;base64,x)', p('<img alt="a">')],
    [
      'a <svg><a xlink:href="javascript:x" href="#b"><animate attributeName=href></svg>',
      p('a <a href="#b" rel="nofollow noreferrer noopener"></a>'),
    ],
    ['a <math><mtext></mtext></math>b', p('a b')],
    ['a <form action=x><input name=y><button formaction=z>b</button></form>', p('a b')],
    ['<iframe srcdoc="<b>"></iframe>', '&lt;iframe srcdoc="<b>">&lt;/iframe></b>'],
    ['a <object data=x></object><embed src=x><link href=x><meta><base href=x>b', p('a b')],
    ['a <b id=location name=cookie>b</b>', p('a <b id="user-content-location">b</b>')],
    ['a <b class="js-x" data-method=delete data-remote>b</b>', p('a <b>b</b>')],
    ['</p></div></td></section> a', 'a'],
    ['```"onclick="alert(1)\na\n```', '<pre class="code"><code>a\n</code></pre>'],
    [
      'www.a.b"onclick="x',
      p('<a href="http://www.a.b%22onclick=%22x" rel="nofollow noreferrer noopener">www.a.b&quot;onclick=&quot;x</a>'),
    ],
  ])('%s', (text, expected) => {
    expect(html(text).trim()).toBe(expected)
  })
})

describe('blocks of the platform', () => {
  test('have automatic text direction', () => {
    expect(html('> a\n\n1. b\n\n# שלום')).toBe(
      '<blockquote dir="auto">\n<p dir="auto">a</p>\n</blockquote>\n<ol dir="auto">\n<li>b</li>\n</ol>\n' +
        '<h1 dir="auto"><a id="user-content-שלום" class="anchor" href="#user-content-שלום" rel="nofollow noreferrer noopener" aria-hidden="true"></a>שלום</h1>',
    )
  })
  test('headings have unique ids, and links use them', () => {
    const document = html("# What's *new* in `1.0`?\n## A\n## A\n## A-1\n## !\n\n[x](#a-1) [y](#b)", all)
    expect([...document.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'user-content-whats-new-in-10',
      'user-content-a',
      'user-content-a-1',
      'user-content-a-1-1',
    ])
    expect(document).toContain('<a href="#user-content-a-1" rel="nofollow noreferrer noopener">x</a>')
    expect(document).toContain('<a href="#b" rel="nofollow noreferrer noopener">y</a>')
  })
  test('code names its language', () => {
    expect(html('```ruby title\nputs 1 < 2\n```')).toBe(
      '<pre class="code" lang="ruby"><code class="language-ruby">puts 1 &lt; 2\n</code></pre>',
    )
    expect(html('    a')).toBe('<pre class="code"><code>a</code></pre>'.replace('a<', 'a\n<'))
    expect(html('~~~ "><script>\na\n~~~')).toBe('<pre class="code"><code>a\n</code></pre>')
  })
  test('formulas and diagrams are marked', () => {
    expect(html('```math\na\n```')).toContain(
      '<pre class="code math js-render-math" data-math-style="display" lang="math">',
    )
    expect(html('```mermaid\na\n```')).toContain('<pre class="code js-render-mermaid" lang="mermaid">')
    expect(html('a $`b`$ c')).toBe(p('a <code class="code math js-render-math" data-math-style="inline">b</code> c'))
    expect(html('a $`b` c `d`$')).toBe(p('a $<code>b</code> c <code>d</code>$'))
  })
})

describe('limits', () => {
  const tooLong = 'text is too long (maximum is 1000000 characters)'

  test('a text has at most a million characters', async () => {
    await expect(markdown.render('a'.repeat(1_000_001), 'plain')).rejects.toThrow(tooLong)
    expect(await markdown.render('a'.repeat(1_000_000), 'plain')).toHaveLength(1_000_008)
    await expect(markdown.render('🎉'.repeat(600_000), 'plain')).resolves.toBeDefined()
    await expect(markdown.render(`${'🎉'.repeat(500_000)}${'a'.repeat(500_001)}`, 'plain')).rejects.toThrow(tooLong)
  })
  test('deep nesting becomes text, and no text is lost', () => {
    const quotes = html(`${'> '.repeat(50)}end`)
    expect(quotes.match(/<blockquote/g)).toHaveLength(20)
    expect(quotes).toContain(`${'&gt; '.repeat(30)}end`)
    const lists = html(`${'- '.repeat(50)}end`)
    expect(lists.match(/<ul/g)).toHaveLength(20)
    expect(lists).toContain('end')
    const mixed = html(`${'> 1. '.repeat(50)}a\n\nlast`)
    expect(mixed.match(/<(blockquote|ol)/g)).toHaveLength(20)
    expect(mixed.endsWith(p('last'))).toBe(true)
  })
})

describe('lines', () => {
  test('are cached by text and base URL', () => {
    expect(markdown.line('[a](b)')).toBe('<a href="b" rel="nofollow noreferrer noopener">a</a>')
    expect(markdown.line('[a](b)', { relativeTo: 'https://c.d/' })).toBe(
      '<a href="https://c.d/b" rel="nofollow noreferrer noopener">a</a>',
    )
    expect(markdown.line('[a](b)')).toBe('<a href="b" rel="nofollow noreferrer noopener">a</a>')
    expect(markdown.line('https://c.d/\n[a](b)')).toContain('<a href="b"')
  })
})

test('the libraries are loaded by the first text, the emoji by the first name', () => {
  const source = new URL('markdown.ts', import.meta.url).href
  const script = `
    const { createRequire } = await import('node:module')
    const loaded = () => Object.keys(createRequire('${source}').cache).some((file) => file.includes('markdown-it'))
    const { embeddedMarkdown } = await import('${source}')
    const markdown = embeddedMarkdown()
    const before = loaded()
    markdown.line('a')
    console.log(before, loaded())`
  const output = execFileSync(process.execPath, ['--conditions=source', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(output.trim()).toBe('false true')
})
