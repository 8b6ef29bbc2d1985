import { describe, expect, test } from 'vitest'
import { gitHubFlavouredMarkdown } from './parsers.ts'

const parser = gitHubFlavouredMarkdown()
const html = (...lines: string[]) => parser.render(lines.join('\n')).trimEnd()
const lines = (...each: string[]) => each.join('\n')
const p = (...paragraphs: string[]) => paragraphs.map((text) => `<p>${text}</p>`).join('\n')
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`
const row = (cell: 'td' | 'th', ...cells: string[]) =>
  lines('<tr>', ...cells.map((text) => (text.startsWith('<') ? text : `<${cell}>${text}</${cell}>`)), '</tr>')
const head = (...cells: string[]) => lines('<thead>', row('th', ...cells), '</thead>')
const body = (...rows: string[]) => lines('<tbody>', ...rows, '</tbody>')
const table = (...parts: string[]) => lines('<table>', ...parts, '</table>')

describe('tables (GFM 4.10)', () => {
  test('a header, a delimiter row and rows', () => {
    expect(html('| one | two |', '| --- | --- |', '| a | b |')).toBe(
      table(head('one', 'two'), body(row('td', 'a', 'b'))),
    )
  })
  test('columns are aligned by colons, outer pipes are optional', () => {
    expect(html('| one | two |', ':-: | ------:', 'a | b')).toBe(
      table(
        head('<th align="center">one</th>', '<th align="right">two</th>'),
        body(row('td', '<td align="center">a</td>', '<td align="right">b</td>')),
      ),
    )
  })
  test('an escaped pipe belongs to its cell, also in code and emphasis', () => {
    expect(html('| f\\|g |', '| --- |', '| b `\\|` c |', '| b **\\|** c |')).toBe(
      table(head('f|g'), body(row('td', 'b <code>|</code> c'), row('td', 'b <strong>|</strong> c'))),
    )
  })
  test('another block ends the table', () => {
    expect(html('| one | two |', '| --- | --- |', '| a | b |', '> quote')).toBe(
      lines(
        table(head('one', 'two'), body(row('td', 'a', 'b'))),
        lines('<blockquote>', '<p>quote</p>', '</blockquote>'),
      ),
    )
  })
  test('a blank line ends the table, a bare line is a row', () => {
    expect(html('| one | two |', '| --- | --- |', '| a | b |', 'c', '', 'd')).toBe(
      lines(table(head('one', 'two'), body(row('td', 'a', 'b'), row('td', 'c', ''))), p('d')),
    )
  })
  test('header and delimiter row must agree in their number of cells', () => {
    expect(html('| one | two |', '| --- |', '| a |')).toBe(p('| one | two |\n| --- |\n| a |'))
  })
  test('short rows are filled, long ones cut', () => {
    expect(html('| one | two |', '| --- | --- |', '| a |', '| b | c | d |')).toBe(
      table(head('one', 'two'), body(row('td', 'a', ''), row('td', 'b', 'c'))),
    )
  })
  test('a table without rows has no body', () => {
    expect(html('| one | two |', '| --- | --- |')).toBe(table(head('one', 'two')))
  })
})

describe('task lists (GFM 5.3)', () => {
  const box = '<input disabled="" type="checkbox" />'
  const checked = '<input checked="" disabled="" type="checkbox" />'
  const item = (content: string) => `<li class="task-list-item">${content}</li>`

  test('brackets at the start of an item are a box', () => {
    expect(html('- [ ] a', '- [x] b')).toBe(
      lines('<ul class="task-list">', item(`${box} a`), item(`${checked} b`), '</ul>'),
    )
  })
  test('lists nest, and items need not be tasks', () => {
    expect(html('- [X] a', '  - [ ] b', '  - c')).toBe(
      lines(
        '<ul class="task-list">',
        item(`${checked} a\n<ul class="task-list">\n${item(`${box} b`)}\n<li>c</li>\n</ul>\n`),
        '</ul>',
      ),
    )
  })
  test('not without a blank behind them, and not elsewhere', () => {
    expect(html('- [ ]', '- [x](u)', '- a [ ] b')).not.toContain('<input')
    expect(html('[ ] a')).toBe(p('[ ] a'))
  })
})

describe('strikethrough (GFM 6.5)', () => {
  test('one or two tildes on either side', () => {
    expect(html('~~Two~~ or ~one~ tilde')).toBe(p('<del>Two</del> or <del>one</del> tilde'))
  })
  test('not across paragraphs', () => {
    expect(html('This ~~has', '', 'ended~~.')).toBe(p('This ~~has', 'ended~~.'))
  })
  test('three tildes strike nothing, nor do two that end with one', () => {
    expect(html('not ~~~this~~~ or ~~that~')).toBe(p('not ~~~this~~~ or ~~that~'))
  })
  test('it nests with emphasis', () => {
    expect(html('**a ~~b *c*~~**')).toBe(p('<strong>a <del>b <em>c</em></del></strong>'))
    expect(html('~~a ~b~ c~~')).toBe(p('<del>a <del>b</del> c</del>'))
  })
})

describe('autolinks (GFM 6.9)', () => {
  test.each([
    ['www.forge.example', link('http://www.forge.example', 'www.forge.example')],
    ['See www.forge.example/a for it', `See ${link('http://www.forge.example/a', 'www.forge.example/a')} for it`],
    ['In www.forge.example/a.b.', `In ${link('http://www.forge.example/a.b', 'www.forge.example/a.b')}.`],
    ['Is it www.forge.example?!', `Is it ${link('http://www.forge.example', 'www.forge.example')}?!`],
    ['www.f.example/q=M+(b)', link('http://www.f.example/q=M+(b)', 'www.f.example/q=M+(b)')],
    ['www.f.example/q=M+(b)))', `${link('http://www.f.example/q=M+(b)', 'www.f.example/q=M+(b)')}))`],
    ['(www.f.example/q=M+(b))', `(${link('http://www.f.example/q=M+(b)', 'www.f.example/q=M+(b)')})`],
    ['(www.f.example/q=M+(b)', `(${link('http://www.f.example/q=M+(b)', 'www.f.example/q=M+(b)')}`],
    ['www.f.example/q=(b))+ok', link('http://www.f.example/q=(b))+ok', 'www.f.example/q=(b))+ok')],
    ['www.f.example/q=c&hl=en', link('http://www.f.example/q=c&amp;hl=en', 'www.f.example/q=c&amp;hl=en')],
    ['www.f.example/q=c&hl;', `${link('http://www.f.example/q=c', 'www.f.example/q=c')}&amp;hl;`],
    ['www.f.example/he<lp', `${link('http://www.f.example/he', 'www.f.example/he')}&lt;lp`],
    ['http://f.example', link('http://f.example')],
    ['(On https://s.f.example/q=M+(b))', `(On ${link('https://s.f.example/q=M+(b)')})`],
    ['by ftp://f.example.', `by ${link('ftp://f.example')}.`],
    ['HTTPS://F.example/A', link('HTTPS://F.example/A')],
    ['me@f.example', link('mailto:me@f.example', 'me@f.example')],
    [
      'me@mail+you.example or me+you@f.example',
      `me@mail+you.example or ${link('mailto:me+you@f.example', 'me+you@f.example')}`,
    ],
    ['a.b-c_d@f.e', link('mailto:a.b-c_d@f.e', 'a.b-c_d@f.e')],
    ['a.b-c_d@f.e.', `${link('mailto:a.b-c_d@f.e', 'a.b-c_d@f.e')}.`],
    ['a.b-c_d@f.e-', 'a.b-c_d@f.e-'],
    ['a.b-c_d@f.e_', 'a.b-c_d@f.e_'],
  ])('%s', (text, expected) => {
    expect(html(text)).toBe(p(expected))
  })

  test('an address may hold what elsewhere is markup', () => {
    expect(html('https://f.example/a_b_c*d*`e`~f~g')).toBe(
      p(link('https://f.example/a_b_c*d*%60e%60~f~g', 'https://f.example/a_b_c*d*`e`~f~g')),
    )
  })
  test('emphasis around an address keeps its marks', () => {
    expect(html('**http://f.example/a** _www.f.example_')).toBe(
      p(`<strong>${link('http://f.example/a')}</strong> <em>${link('http://www.f.example', 'www.f.example')}</em>`),
    )
  })
  test('www begins after blanks and * _ ~ ( only, a scheme after anything but a letter', () => {
    expect(html('xwww.f.example -www.f.example xhttp://f.example')).not.toContain('<a')
    expect(html('"http://f.example"')).toContain(link('http://f.example'))
  })
  test('domains need a period behind www., and no underscore in the last two segments', () => {
    expect(html('www. www.a_b.c http://a.b_c.d http://-a.b http://')).not.toContain('<a')
    expect(html('www.a_b.c.d http://localhost:3000/x')).toBe(
      p(`${link('http://www.a_b.c.d', 'www.a_b.c.d')} ${link('http://localhost:3000/x')}`),
    )
  })
  test('nothing is linked twice, nor in code or an attribute', () => {
    expect(html('[www.f.example http://f.example a@f.example](u)')).toBe(
      p(link('u', 'www.f.example http://f.example a@f.example')),
    )
    expect(html('`www.f.example`')).toBe(p('<code>www.f.example</code>'))
    expect(html('<i title="http://f.example a@f.example">x</i>')).toBe(
      p('<i title="http://f.example a@f.example">x</i>'),
    )
    expect(html('<a href="x">http://f.example a@f.example</a>')).toBe(p('<a href="x">http://f.example a@f.example</a>'))
    expect(html('<http://f.example> <a@f.example>')).toBe(
      p(`${link('http://f.example')} ${link('mailto:a@f.example', 'a@f.example')}`),
    )
  })
  test('a link wins over an address in its label', () => {
    expect(html('[a http://f.example/](u) b')).toBe(p(`${link('u', 'a http://f.example/')} b`))
  })
})

describe('filtered tags (GFM 6.11)', () => {
  test('the nine tags are shown, others used', () => {
    expect(html('<b> <title> <style> <em>', '', '<blockquote>', '  <xmp> ends with </XMP>', '</blockquote>')).toBe(
      lines(p('<b> &lt;title> &lt;style> <em>'), '<blockquote>', '  &lt;xmp> ends with &lt;/XMP>', '</blockquote>'),
    )
    const all = 'title textarea style xmp iframe noembed noframes script plaintext'.split(' ')
    for (const name of all) expect(html(`a <${name}>b</${name}>`)).toBe(p(`a &lt;${name}>b&lt;/${name}>`))
    expect(html('a <titles>')).toBe(p('a <titles>'))
  })
})
