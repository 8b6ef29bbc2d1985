import { describe, expect, test } from 'vitest'
import { readDocument } from './document.ts'

/** Rendered HTML without attributes that other files test. */
const html = (...lines: string[]) =>
  readDocument(lines.join('\n'), 'platform')
    .html()
    .replaceAll(' dir="auto"', '')
    .replaceAll(' rel="nofollow noreferrer noopener"', '')
    .trimEnd()

const mention = (number: number, nth = 1) =>
  `<sup class="footnote-ref"><a href="#user-content-fn-${number}" id="${id(number, nth)}" data-footnote-ref="">${number}</a></sup>`
const id = (number: number, nth: number) => `user-content-fnref-${number}${nth === 1 ? '' : `-${nth}`}`
const back = (number: number, nth = 1) =>
  ` <a href="#${id(number, nth)}" class="footnote-backref" data-footnote-backref="" aria-label="Back to content">↩</a>`
const note = (number: number, content: string) => `<li id="user-content-fn-${number}">\n${content}\n</li>\n`
const notes = (...items: string[]) =>
  `<section class="footnotes" data-footnotes="">\n<ol>\n${items.join('')}</ol>\n</section>`

describe('footnotes', () => {
  test('are at the end of the document and link back', () => {
    expect(html('a[^x] b', '', '[^x]: note *c*', '', 'd')).toBe(
      ['<p>a', mention(1), ' b</p>\n<p>d</p>\n', notes(note(1, `<p>note <em>c</em>${back(1)}</p>`))].join(''),
    )
  })
  test('are numbered by first mention and link back to every mention', () => {
    expect(html('[^b] [^a] [^b]', '', '[^a]: A', '[^b]: B')).toBe(
      `<p>${mention(1)} ${mention(2)} ${mention(1, 2)}</p>\n${notes(
        note(1, `<p>B${back(1)}${back(1, 2)}</p>`),
        note(2, `<p>A${back(2)}</p>`),
      )}`,
    )
  })
  test('contain several blocks, indented by four columns', () => {
    expect(html('a[^x]', '', '[^x]:', '    b', '', '    - c', '', '    ```', '    d', '    ```', 'e')).toBe(
      `<p>a${mention(1)}</p>\n<p>e</p>\n${notes(
        note(1, `<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n<pre class="code"><code>d\n</code></pre>\n<p>${back(1)}</p>`),
      )}`,
    )
  })
  test('can mention each other; those that only footnotes mention come last', () => {
    expect(html('[^a] [^c]', '', '[^a]: A[^b]', '[^b]: B[^a]', '[^c]: C')).toBe(
      `<p>${mention(1)} ${mention(2)}</p>\n${notes(
        note(1, `<p>A${mention(3)}${back(1)}${back(1, 2)}</p>`),
        note(2, `<p>C${back(2)}</p>`),
        note(3, `<p>B${mention(1, 2)}${back(3)}</p>`),
      )}`,
    )
  })
  test('labels compare without regard to case, the first definition counts', () => {
    expect(html('[^Ab]', '', '[^aB]: one', '[^ab]: two')).toBe(
      `<p>${mention(1)}</p>\n${notes(note(1, `<p>one${back(1)}</p>`))}`,
    )
  })
  test('may be defined in a quote', () => {
    expect(html('> [^a]', '>', '> [^a]: A')).toContain(note(1, `<p>A${back(1)}</p>`))
  })
  test('without a mention are not shown', () => {
    expect(html('a', '', '[^x]: b #1')).toBe('<p>a</p>')
    expect(readDocument('a\n\n[^x]: b #1', 'platform').references).toEqual([])
  })
  test('contain references', () => {
    expect(readDocument('#2 [^x]\n\n[^x]: b #1', 'platform').references.map(({ value }) => value)).toEqual(['2', '1'])
  })
  test.each([
    ['an unknown label', 'a[^x]', '<p>a[^x]</p>'],
    ['a blank in the label', '[^a b]\n\n[^a b]: c d', '<p>[^a b]</p>\n<p>[^a b]: c d</p>'],
    ['no label', '[^]\n\n[^]: c d', '<p>[^]</p>\n<p>[^]: c d</p>'],
    ['code', '`[^a]`\n\n[^a]: c', '<p><code>[^a]</code></p>'],
    ['an escape', '\\[^a]\n\n[^a]: c', '<p>[^a]</p>'],
    ['the text of a link', '[b[^a]](u)\n\n[^a]: c', '<p><a href="u">b[^a]</a></p>'],
  ])('are text with %s', (_, text, expected) => {
    expect(html(text)).toBe(expected)
  })
  test('are not part of the other flavours', () => {
    expect(readDocument('a[^x]\n\n[^x]: /b', 'plain').html()).toBe(
      '<p>a<a href="/b" rel="nofollow noreferrer noopener">^x</a></p>\n',
    )
  })
})
