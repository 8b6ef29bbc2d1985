import { expect, test } from 'vitest'
import type { Flavour } from '../markdown.ts'
import { embeddedMarkdown } from '../markdown.ts'
import type { Resolve } from './reference.ts'

/** Without a time budget, which would hide what grows too fast. */
const markdown = embeddedMarkdown({ timeBudget: Number.POSITIVE_INFINITY })
const resolve: Resolve = ({ value }) => ({ url: `https://forge.example/${value}`, title: value })

type Make = (length: number) => string
const repeat =
  (text: string): Make =>
  (length) =>
    text.repeat(Math.ceil(length / text.length)).slice(0, length)
const halves =
  (first: string, second: string): Make =>
  (length) =>
    first.repeat(length / 2 / first.length) + second.repeat(length / 2 / second.length)
const counted =
  (line: (index: number) => string): Make =>
  (length) => {
    const lines: string[] = []
    for (let size = 0; size < length; size += lines.at(-1)?.length ?? 0) lines.push(line(lines.length))
    return lines.join('')
  }

const families: Readonly<Record<string, Make>> = {
  'quotes in quotes': repeat('>'),
  'quotes with lazy lines': (length) => `${'> '.repeat(30)}a\n${'b\n'.repeat(length / 2)}`,
  'lists in lists': counted((index) => `${' '.repeat(2 * (index % 100))}- a\n`),
  'lists on one line': repeat('- '),
  'quotes and lists by turns': repeat('> - '),
  brackets: halves('[', ']'),
  'links that never end': repeat('[a](b'),
  'images in images': halves('![', '](x)'),
  'images that hold nothing': repeat('![[]()'),
  'rising runs of backticks': counted((index) => `${'`'.repeat(index + 1)} `),
  'emphasis that never ends': repeat('*a **a '),
  'emphasis of two kinds': repeat('*a_ '),
  'nested emphasis': halves('**a ', 'b** '),
  tildes: repeat('a~ b~~'),
  'comments that never end': repeat('<!--'),
  'instructions that never end': repeat('a <?'),
  'tags that never end': repeat('<a b="'),
  'tags that never end in a block': (length) => `<div>\n${'<a '.repeat(length / 3)}="`,
  'elements that never end': (length) => `<div>\n${'<b>'.repeat(length / 3)}`,
  'list items in open elements': (length) => `<ul>\n${'<b>'.repeat(length / 8)}${'<li>'.repeat(length / 8)}`,
  'many attributes': (length) => `<a ${counted((index) => `b${index} `)(length)}>`,
  ampersands: repeat('&a'),
  'link definitions': counted((index) => `[a${index}]: b\n`),
  'wide tables': (length) => `${'|a'.repeat(length / 4)}|\n${'|-'.repeat(length / 4)}|\n`,
  'short rows in wide tables': (length) => `${'|a'.repeat(120)}|\n${'|-'.repeat(120)}|\n${'|a\n'.repeat(length / 3)}`,
  'tables in a row': repeat('a|b\n-|-\n'),
  'addresses that are none': repeat('www._'),
  'schemes without a host': repeat('http://_ '),
  'e-mail addresses that are none': repeat('a.b-c@'),
  'an address in brackets': (length) => `http://a${'('.repeat(length / 2)}${')'.repeat(length / 2)}`,
  'an address before entities': (length) => `www.a.b${'&quot;'.repeat(length / 6)}`,
  'one footnote mentioned often': (length) => `[^a]: x\n\n${'[^a]'.repeat(length / 4)}`,
  'many footnotes': counted((index) => `[^${index}]\n\n[^${index}]: y [^${index + 1}]\n\n`),
  'headings that collide': (length) => counted((index) => `# a-${index}\n`)(length / 2) + '# a\n'.repeat(length / 8),
  references: repeat('#1 @a ~"b" '),
  'different references': counted((index) => `#${index} `),
  'paths without a sign': repeat('a/b-c.'),
  'quotes of labels': repeat('~"'),
  'commit ids that are none': repeat('abcdef1'),
  colons: repeat(':a'),
  'blanks in a line': (length) => `a${' '.repeat(length)}b`,
  'blank lines': repeat(' \n'),
}

const took = (text: string, flavour: Flavour): number => {
  const start = performance.now()
  markdown.read(text, flavour).html(resolve)
  return performance.now() - start
}

/** Other work on the machine only ever adds, so one good run of a few is proof. */
const attempts = [1, 2, 3, 4]

const isLinear = (make: Make, flavour: Flavour): { readonly linear: boolean; readonly figures: string } => {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const _ of attempts) {
    small = Math.min(small, took(make(65_536), flavour))
    large = Math.min(large, took(make(262_144), flavour))
    // Twice 2.6 for twice a doubling; what takes hardly any time is not measured.
    if (small <= 1_000 && large <= 2.6 ** 2 * Math.max(small, 20)) break
  }
  const figures = `${Math.round(small)} ms at 64 kB, ${Math.round(large)} ms at 256 kB`
  return { linear: small <= 1_000 && large <= 2.6 ** 2 * Math.max(small, 20), figures }
}

test.each(Object.entries(families))(
  '%s take time in proportion to their length',
  (_, make) => {
    const { linear, figures } = isLinear(make, 'platform')
    expect(linear, figures).toBe(true)
  },
  60_000,
)

test.each(['blanks in a line', 'blank lines', 'brackets', 'emphasis of two kinds', 'colons'])(
  'so do %s on a single line',
  (name) => {
    const { linear, figures } = isLinear(families[name] ?? repeat(''), 'line')
    expect(linear, figures).toBe(true)
  },
  60_000,
)
