import fc from 'fast-check'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parseFragment } from 'parse5'
import sanitizeHtml from 'sanitize-html'
import { describe, expect, test } from 'vitest'
import { growth } from '../../../../../test/growth.ts'
import { propertyRuns } from '../../../../../test/property-runs.ts'
import { authoredMarkup } from './allow-list.ts'
import { sanitize } from './sanitizer.ts'

/** The same allow-list in the options of sanitize-html. */
const sanitizeHtmlOutput = (html: string) =>
  sanitizeHtml(html, {
    allowedTags: [...authoredMarkup.elements.keys()],
    allowedAttributes: Object.fromEntries(
      [...authoredMarkup.elements].map(([name, rules]) => [name, [...rules.keys()]]),
    ),
    allowedSchemes: ['http', 'https', 'mailto', 'ftp'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs:
          attribs.id === undefined
            ? attribs
            : { ...attribs, id: attribs.id.replace(/^(?:user-content-)?/, 'user-content-') },
      }),
    },
  })

const sanitizerOutput = (html: string) => sanitize(html, authoredMarkup, {})

/** A tree as text with sorted attributes. sanitize-html writes no empty values, so these are left out. */
const outline = (html: string): string => {
  const lines: string[] = []
  const walk = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[], depth: number) => {
    for (const node of nodes) {
      const indent = ' '.repeat(depth)
      if ('value' in node) lines.push(`${indent}${JSON.stringify(node.value)}`)
      else if ('tagName' in node) {
        const attributes = node.attrs
          .filter(({ name, value }) => name !== 'rel' && value !== '')
          .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
          .sort()
        lines.push(`${indent}<${[node.tagName, ...attributes].join(' ')}>`)
        walk(node.childNodes, depth + 1)
      } else lines.push(`${indent}${node.nodeName}`)
    }
  }
  walk(parseFragment(html).childNodes, 0)
  return lines.join('\n')
}

const attribute = fc.constantFrom(
  'title="a &amp; &lt;b&gt;"',
  "title='\"'",
  'lang=en',
  'id="x"',
  'dir="rtl"',
  'onclick="x"',
  'style="color:red"',
  'class=y',
  'data-a=b',
  'href="https://a.b/?c&amp;d"',
  'href="javascript:a"',
  'href="java&#10;script:a"',
  'href="/a"',
  'href="ftp://a"',
  'href="mailto:a@b.c"',
  'src="http://a.b/c.png"',
  'src="data:image/png,a"',
  'alt="a"',
  'srcdoc="a"',
  'formaction=a',
  'target=_blank',
  'xlink:href="javascript:a"',
)
const name = fc.constantFrom(
  'b',
  'i',
  'em',
  'code',
  'span',
  'del',
  'a',
  'img',
  'br',
  'div',
  'label',
  'svg',
  'object',
  'section',
  'x-y',
  'font',
)
const words = fc.constantFrom('a', ' b ', '&lt;c&gt;', '&amp;', 'd > e', '"', '<!-- f -->', '')

/** Well-formed HTML, which all parsers read alike. */
const wellFormed = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    words,
    fc
      .tuple(
        name,
        fc.uniqueArray(attribute, { maxLength: 3, selector: (each) => each.split('=')[0] ?? '' }),
        fc.array(tie('node'), { maxLength: 3 }),
      )
      .map(([tag, attributes, content]) => {
        const open = `<${[tag, ...attributes].join(' ')}>`
        return tag === 'img' || tag === 'br' ? open : `${open}${content.join('')}</${tag}>`
      }),
  ),
})).node

/** Parsers differ in where a link ends that contains another one. */
const hasNestedLink = (html: string) => /<a[^>]*>(?:(?!<\/a>).)*<a[\s>]/s.test(html)

const scraps = fc
  .array(
    fc.oneof(
      wellFormed,
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '<b',
        '</',
        '</b>',
        '<!--',
        '-->',
        '<a href="',
        '<i title=',
        '<![CDATA[',
        ']]>',
        '<?',
        '=',
        '/',
        '<p/',
        '&',
        '\0',
        '\n',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))

describe('the same output as sanitize-html', () => {
  test('for well-formed HTML', () => {
    fc.assert(
      fc.property(wellFormed, (html) => {
        fc.pre(!hasNestedLink(html))
        expect(outline(sanitizerOutput(html))).toBe(outline(sanitizeHtmlOutput(html)))
      }),
      propertyRuns(400),
    )
  })

  test('sanitize-html removes nothing from sanitize HTML', () => {
    fc.assert(
      fc.property(scraps, (html) => {
        const clean = sanitizerOutput(html)
        expect(outline(sanitizeHtmlOutput(clean))).toBe(outline(clean))
      }),
      propertyRuns(500),
    )
  })

  test('a second pass changes nothing', () => {
    fc.assert(
      fc.property(scraps, (html) => {
        const clean = sanitizerOutput(html)
        expect(sanitizerOutput(clean)).toBe(clean)
      }),
      propertyRuns(200),
    )
  })
})

// Why docs/decisions/0038-markdown-libraries.md does not use sanitize-html for the output itself.
describe('what sanitize-html does not do', () => {
  /** Names of the page's elements beside the sanitized text, as a browser builds the tree. */
  const siblings = (html: string) => {
    const [list] = parseFragment(`<dl><dd><div>${html}</div></dd></dl>`).childNodes
    return list && 'childNodes' in list ? list.childNodes.map(({ nodeName }) => nodeName) : []
  }

  test('it keeps an item without a list, which ends an element of the page around it', () => {
    expect(siblings(sanitizeHtmlOutput('a<dd>b'))).toEqual(['dd', 'dd'])
    expect(siblings(sanitizerOutput('a<dd>b'))).toEqual(['dd'])
  })

  test('it needs quadratic time for open elements', () => {
    const open = (length: number) => '<b>'.repeat(length / 3)
    expect(growth(60_000, (length) => sanitizeHtmlOutput(open(length)))).toBeGreaterThan(6)
  })
})
