import fc from 'fast-check'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { html as names, parseFragment, serialize } from 'parse5'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/property-runs.ts'
import type { AllowList } from './allow-list.ts'
import { renderedLineMarkup, renderedMarkup } from './allow-list.ts'
import { readDocument } from './document.ts'
import type { Resolve } from './reference.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** All elements of a parsed tree in order. Throws on nodes other than elements and text. */
const elementsOf = (nodes: readonly Node[]): Element[] =>
  nodes.flatMap((node): Element[] => {
    if (node.nodeName === '#text') return []
    if (!('tagName' in node)) throw new Error(`Found a ${node.nodeName}`)
    return [node, ...elementsOf(node.childNodes)]
  })

/** The schemes of URLs that are followed without danger. */
const schemes: Readonly<Record<string, RegExp>> = {
  href: /^(?!(?:javascript|vbscript|data|file|blob):)/,
  src: /^https?:$/,
}

/** The violation of one attribute, or undefined. Independent of the code of the sanitizer. */
const faultOf = (element: Element, name: string, value: string, list: AllowList): string | undefined => {
  const at = `${element.tagName} ${name}="${value}"`
  if (name.startsWith('on') || name === 'srcdoc') return at
  if (name in schemes) {
    // An invalid URL is not followed.
    const protocol = URL.parse(value, 'https://page.example/')?.protocol
    return protocol === undefined || schemes[name]?.test(protocol) ? undefined : at
  }
  if (name === 'id' || name === 'name') return value.startsWith('user-content-') ? undefined : at
  if (name === 'rel') return value === 'nofollow noreferrer noopener' ? undefined : at
  if (name === 'style')
    return /^background-color: [#a-z0-9(), .%]+(; color: #[0-9a-f]{3,6})?$/i.test(value) ? undefined : at
  if (element.tagName === 'input') return ['type', 'disabled', 'checked', 'class'].includes(name) ? undefined : at
  if (name.startsWith('data-')) return list.data.has(element.tagName) ? undefined : at
  return list.elements.get(element.tagName)?.has(name) ? undefined : at
}

const faultsOf = (html: string, list: AllowList): string[] =>
  elementsOf(parseFragment(html).childNodes).flatMap((element) => {
    if (element.namespaceURI !== names.NS.HTML) return [`${element.tagName} is not HTML`]
    // HTML parsers insert missing parts of tables.
    const isListed = list.elements.has(element.tagName) || ['tbody', 'colgroup'].includes(element.tagName)
    const faults = element.attrs.map(({ name, value }) => faultOf(element, name, value, list))
    return [...(isListed ? [] : [element.tagName]), ...faults.filter((fault) => fault !== undefined)]
  })

/** A page with the text in elements that its end tags could close, and one more element after it. */
const pageAround = (html: string) => `<ul><li><dl><dd><div>${html}</div><main></main></dd></dl></li></ul>`

const only = (nodes: readonly Node[] | undefined, name: string): readonly Node[] | undefined => {
  const [first, ...others] = nodes ?? []
  return first?.nodeName === name && others.length === 0 && 'childNodes' in first ? first.childNodes : undefined
}

/** Whether the element after the text has the same parent as without the text. */
const staysInside = (html: string): boolean => {
  let inside: readonly Node[] | undefined = parseFragment(pageAround(html)).childNodes
  for (const name of ['ul', 'li', 'dl', 'dd']) inside = only(inside, name)
  return inside?.map(({ nodeName }) => nodeName).join() === 'div,main'
}

const fragments = [
  '<script>alert(1)</script>',
  '<script',
  '</script>',
  '<svg onload=alert(1)>',
  '<svg><style>',
  '<math><mtext><table><mglyph><style>',
  '<img src=x onerror=alert(1)>',
  '<img src="http://a/b" alt="',
  '<iframe srcdoc="<b>">',
  '<a href="javascript:alert(1)">',
  "<a href='jav&#x0A;ascript:x'>",
  '</a>',
  '<style>*{}</style>',
  '<form id=f><input name=body>',
  '<p id=location>',
  '<div style="position:fixed" class="js-hook" data-remote=1>',
  '</div>',
  '<textarea>',
  '</textarea>',
  '<title>',
  '<noscript>',
  '<template>',
  '<select><option>',
  '<table><tr><td>',
  '<table>',
  '<td>',
  '<tr>',
  '</tr>',
  '<caption>',
  '<li>',
  '</li>',
  '<ul>',
  '<dt>',
  '<h1>',
  '</h1>',
  '<p>',
  '</p>',
  '<a href=x>',
  '<details><summary>',
  '</table>',
  '<b>',
  '</b>',
  '<i title="',
  '">',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '<!doctype html>',
  '<base href=//evil>',
  '<meta http-equiv=refresh>',
  '<plaintext>',
  '<xmp>',
  '[a](javascript:alert(1))',
  '[a](data:text/html,x)',
  '![a](x "',
  '[x]: javascript:alert(1)\n',
  '[x]',
  '`',
  '```html\n',
  '~~~\n',
  '**',
  '_',
  '~~',
  '> ',
  '- ',
  '- [x] ',
  '1. ',
  '    ',
  '\n',
  '\n\n',
  '# ',
  '|a|b|\n|-|:-:|\n|',
  '[^a]',
  '[^a]: ',
  '#1',
  'group/project!2',
  '@user',
  '~"la<b>el"',
  '%m',
  ':tada:',
  'www.a.b"onclick=x',
  'http://a.b/"><script>',
  'a@b.c',
  '$`',
  '`$',
  '&lt;',
  '&#106;',
  '&colon;',
  '\\',
  '"',
  "'",
  '<',
  '>',
  '=',
  '\0',
  '\u2028',
  'a',
]
const text = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...fragments), weight: 5 },
      { arbitrary: fc.string({ maxLength: 6 }), weight: 1 },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''))

/** A resolver that returns markup in all fields. */
const hostile: Resolve = ({ kind, value }) => ({
  url: kind === 'user' ? 'javascript:alert(1)' : `https://f.example/${value}"><script>`,
  title: `"><img src=x onerror=alert(1)> ${value}`,
  text: `<svg onload=x>${value}`,
  attributes: { 'data-title': '"><script>', 'data-x" onclick="y': 'z', onclick: 'alert(1)' },
  color: kind === 'label' ? '#428BCA' : 'red;position:fixed',
  textColor: '#fff',
})

describe('random texts', () => {
  test.each([
    ['platform', renderedMarkup],
    ['plain', renderedMarkup],
    ['line', renderedLineMarkup],
  ] as const)('%s: only allowed markup, and no effect on the surrounding page', (flavour, list) => {
    fc.assert(
      fc.property(text, (each) => {
        const html = readDocument(each, flavour).html(hostile)
        expect(faultsOf(html, list)).toEqual([])
        expect(staysInside(html)).toBe(true)
        // A page may serialize and parse the HTML again.
        expect(faultsOf(serialize(parseFragment(html)), list)).toEqual([])
      }),
      propertyRuns(300),
    )
  })

  test('authored HTML has no classes, styles and data attributes', () => {
    fc.assert(
      fc.property(text, (each) => {
        const html = readDocument(each, 'plain').html()
        for (const { attrs } of elementsOf(parseFragment(html).childNodes)) {
          for (const { name, value } of attrs) {
            expect(name.startsWith('data-') || name === 'style').toBe(false)
            if (name === 'class') expect(value).toMatch(/^language-/)
          }
        }
      }),
      propertyRuns(150),
    )
  })
})
