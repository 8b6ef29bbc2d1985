import { describe, expect, test } from 'vitest'
import { authoredMarkup, renderedLineMarkup, renderedMarkup } from './allow-list.ts'
import { filterTags, sanitize } from './sanitizer.ts'

const clean = (html: string) => sanitize(html, authoredMarkup, {})

describe('elements', () => {
  test.each([
    ['a listed element stays', '<b>a</b>', '<b>a</b>'],
    ['names are read without regard to case', '<B>a</b >', '<b>a</b>'],
    ['tags of other elements are removed, their text is kept', '<form><button>a</button></form>', 'a'],
    ['empty ones have no end', 'a<br/>b<hr></hr>', 'a<br>b<hr>'],
    ['comments, declarations and instructions go', 'a<!-- b -->c<!x>d<?e?>f<![CDATA[g]]>h</ i>j', 'acdfhj'],
    ['a short comment is over at once', 'a<!-->b<!--->c', 'abc'],
    ['a lone < is text', 'a < b <3 <', 'a &lt; b &lt;3 &lt;'],
    ['an unfinished tag is text', '<b>a<i title="b>c</b>', '<b>a&lt;i title="b>c&lt;/b></b>'],
    ['a tag that ends behind a slash is text', 'a<p/', 'a&lt;p/'],
    ['an unfinished end tag is text', '<b>a</b ', '<b>a</b>&lt;/b '],
    ['an unfinished comment is text', 'a<!-- <b>', 'a&lt;!-- &lt;b>'],
    ['references in text stay', 'a &lt;b&gt; &amp; &copy &#60;', 'a &lt;b&gt; &amp; &copy &#60;'],
  ])('%s', (_, html, expected) => {
    expect(clean(html)).toBe(expected)
  })

  test.each([
    ['open elements are closed', '<ul><li>a', '<ul><li>a</li></ul>'],
    ['end tags without a start tag are removed', '</div></b>a</p>', 'a'],
    ['crossing elements are put in order', '<b><i>a</b>b</i>c', '<b><i>a</i></b>bc'],
    ['links do not nest', '<a href="x">a<b><a href="y">b</a></b></a>', link('x', 'a<b></b>') + link('y', 'b')],
  ])('%s', (_, html, expected) => {
    expect(clean(html)).toBe(expected)
  })

  test.each([
    ['an item ends the one before', '<ul><li>a<b><li>b</ul>', '<ul><li>a<b></b></li><li>b</li></ul>'],
    ['an item needs a list', '<li>a</li><dt>b</dt>', 'ab'],
    [
      'a list within an item keeps it open',
      '<ul><li>a<ol><li>b</li></ol></li></ul>',
      '<ul><li>a<ol><li>b</li></ol></li></ul>',
    ],
    ['terms and descriptions end each other', '<dl><dt>a<dd>b<dt>c</dl>', '<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>'],
    ['a block ends a paragraph', '<p>a<i>b<div>c</div>d</p>', '<p>a<i>b</i></p><div>c</div>d'],
    ['a heading ends a heading', '<h1>a<h2>b</h2></h1>', '<h1>a</h1><h2>b</h2>'],
    ['parts of a table need one', '<tr><td>a</td></tr><caption>b', 'ab'],
    [
      'cells end cells and rows end rows',
      '<table><tr><td>a<th>b<tr><td>c</table>',
      '<table><tr><td>a</td><th>b</th></tr><tr><td>c</td></tr></table>',
    ],
    [
      'bodies end rows',
      '<table><thead><tr><th>a<tbody><tr><td>b</table>',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    [
      'tables nest in cells only',
      '<table><tr><table>a</table><td><table></table></td></tr></table>',
      '<table><tr>a<td><table></table></td></tr></table>',
    ],
    [
      'a cell is not left from within a table',
      '<table><tr><td><table><tr><td>a</table><td>b</table>',
      '<table><tr><td><table><tr><td>a</td></tr></table></td><td>b</td></tr></table>',
    ],
  ])('%s', (_, html, expected) => {
    expect(clean(html)).toBe(expected)
  })

  test('elements below the nesting limit keep their content', () => {
    const html = clean(`${'<i>'.repeat(1_000)}a${'</i>'.repeat(1_000)}b`)
    expect(html).toBe(`${'<i>'.repeat(150)}a${'</i>'.repeat(150)}b`)
  })
})

describe('attributes', () => {
  test.each([
    ['allowed attributes are quoted', "<i title=a lang='en' dir=RTL>a</i>", '<i title="a" lang="en" dir="rtl">a</i>'],
    ['the first of two counts', '<i title="a" TITLE="b"></i>', '<i title="a"></i>'],
    ['handlers go', '<b onclick="a" onmouseover=b>a</b>', '<b>a</b>'],
    ['styles, classes and data go', '<b style="a" class="b" data-remote="c">a</b>', '<b>a</b>'],
    ['slashes and odd characters separate', '<img/src="a"/onerror="b" =c " d>', '<img src="a">'],
    ['a quote in a value cannot end it', `<i title='"><script>'>a</i>`, '<i title="&quot;&gt;&lt;script&gt;">a</i>'],
    [
      'references are read before they are checked',
      '<i dir="&#114;tl" title="&lt;&copy;">a</i>',
      '<i dir="rtl" title="&lt;©">a</i>',
    ],
    [
      'references without a semicolon are decoded as in browsers',
      '<i title="&nope; &copy &copyx">a</i>',
      '<i title="&amp;nope; © &amp;copyx">a</i>',
    ],
    ['backslashes mean nothing', '<i title="\\&amp;\\*">a</i>', '<i title="\\&amp;\\*">a</i>'],
    ['values of the wrong form go', '<img width="1em" align="up" height="50%">', '<img height="50%">'],
    ['inputs are removed', '<input type="text" name="a" value="b">', ''],
  ])('%s', (_, html, expected) => {
    expect(clean(html)).toBe(expected)
  })

  test('id and name cannot shadow those of the page', () => {
    expect(clean('<p id="body">')).toBe('<p id="user-content-body"></p>')
    expect(clean('<a name="cookie" id="user-content-a">')).toBe(
      '<a name="user-content-cookie" id="user-content-a"></a>',
    )
    expect(clean('<p id="">')).toBe('<p></p>')
  })
})

const link = (href: string, text = 'a') => `<a href="${href}" rel="nofollow noreferrer noopener">${text}</a>`

describe('addresses', () => {
  test.each([
    'http://a.b/c?d#e',
    'HTTPS://a.b',
    'mailto:a@b.c',
    '/a',
    'a/b:c',
    '../a',
    '#a',
    '?a=b:c',
    '//a.b/c',
    '',
    'ftp://a.b',
    'feed:x',
    'ssh://git@a.b/c',
    'tel:1',
    'vscode://file/a',
  ])('%s stays', (href) => {
    expect(clean(`<a href="${href}">a</a>`)).toBe(link(href))
  })
  test.each([
    'javascript:a',
    'JaVaScRiPt:a',
    ' javascript:a',
    '\u0001javascript:a',
    'java&#10;script:a',
    'java&Tab;script:a',
    'java\tscript:a',
    'javascript&colon;a',
    '&#106;avascript:a',
    '&#x6A;avascript:a',
    '&#106avascript:a',
    '&#1;javascript:a',
    'vbscript:a',
    'data:text/html,a',
    'data:image/png;base64,a',
    'file:///etc/passwd',
    'java script:a',
    'blob:https://a.b/c',
    'view-source:https://a.b',
    ':a',
  ])('%s goes', (href) => {
    expect(clean(`<a href="${href}">a</a>`)).toBe('<a>a</a>')
  })
  test('the source of an image is a web address', () => {
    expect(clean('<img src="data:image/svg+xml,a"><img src="mailto:a"><img src="http://a/b" alt="">')).toBe(
      '<img><img><img src="http://a/b" alt="">',
    )
  })
  test('relative URLs are resolved against the base URL', () => {
    const place = { relativeTo: 'https://f.example/g/p/-/blob/main/docs/' }
    const html = sanitize(
      '<a href="../a.md#b">a</a><a href="/x">a</a><a href="#c">a</a><img src="i.png">',
      authoredMarkup,
      place,
    )
    expect(html).toBe(
      link('https://f.example/g/p/-/blob/main/a.md#b') +
        link('https://f.example/x') +
        link('#c') +
        '<img src="https://f.example/g/p/-/blob/main/docs/i.png">',
    )
  })
  test('invalid URLs stay unchanged', () => {
    expect(
      sanitize('<a href="http:">a</a><a href="//[">a</a>', authoredMarkup, { relativeTo: 'https://f.example' }),
    ).toBe(link('http:') + link('//['))
  })
})

describe('lists', () => {
  test('a single line has no blocks', () => {
    expect(sanitize('<h1>a</h1><table><tr><td><em>b</em></td></tr></table><hr>', renderedLineMarkup, {})).toBe(
      'a<em>b</em>',
    )
  })
  test('only rendered markup has classes, data attributes and label colors', () => {
    const label = '<span class="gl-label-text" style="background-color: #428BCA; color: #FFF">a</span>'
    expect(sanitize(label, renderedMarkup, {})).toBe(label)
    expect(clean(label)).toBe('<span>a</span>')
    expect(sanitize('<span style="background-color: #fff; position: fixed">a</span>', renderedMarkup, {})).toBe(
      '<span>a</span>',
    )
    expect(sanitize('<pre data-a-b="c" data-="d" data-É="e">a</pre>', renderedMarkup, {})).toBe(
      '<pre data-a-b="c">a</pre>',
    )
  })
  test('a checkbox is always disabled', () => {
    expect(sanitize('<input type="text" checked name=a>', renderedMarkup, {})).toBe(
      '<input checked="" type="checkbox" disabled="">',
    )
  })
})

test('fragments keep unpaired tags', () => {
  expect(filterTags('</div><b onclick=a>', authoredMarkup, {})).toBe('</div><b>')
  expect(filterTags('<form></form></b x="y">', authoredMarkup, {})).toBe('</b>')
})
