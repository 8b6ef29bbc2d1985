/** Returns a text of about `length` characters. */
export type Make = (length: number) => string

/** Repeats the text up to the length. */
export const repeat =
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

/** Texts on which Markdown parsers are often slower than linear. */
export const hostileMarkdown: Readonly<Record<string, Make>> = {
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
  'ends of elements that are not open': (length) => `<div>\n${'<b>'.repeat(length / 7)}${'</i>'.repeat(length / 7)}`,
  'list items in open elements': (length) => `<ul>\n${'<b>'.repeat(length / 8)}${'<li>'.repeat(length / 8)}`,
  'many attributes': (length) => `<a ${counted((index) => `b${index} `)(length)}>`,
  'references in an attribute': (length) => `<a title="${'&amp;'.repeat(length / 5)}">`,
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
  'footnotes that never end': (length) => `[^a]: b\n\n${'[^'.repeat(length / 2)}`,
  'multi-line quotes that never end': (length) => `${'> '.repeat(10)}>>>\n${'```\n>>>\n'.repeat(length / 8)}`,
  'multi-line quotes in lists': counted((index) => `${' '.repeat(2 * (index % 30))}- >>>\n`),
  'front matter that never ends': (length) => `---\n${'a: b\n'.repeat(length / 5)}`,
  'inline diffs that never end': repeat('{+ [- '),
  'inline diffs with one end': (length) => `${'{+'.repeat(length / 2)}+}`,
  'tables of contents': (length) => `${'[TOC]\n\n'.repeat(length / 14)}${'# a\n'.repeat(length / 8)}`,
  'colors in code': repeat('`rgb(1, 2, 3)` '),
  'task items': repeat('- [ ] a\n'),
  'headings that collide': (length) => counted((index) => `# a-${index}\n`)(length / 2) + '# a\n'.repeat(length / 8),
  references: repeat('#1 @a ~"b" '),
  'different references': counted((index) => `#${index} `),
  'paths without a sign': repeat('a/b-c.'),
  'quotes of labels': repeat('~"'),
  'commit ids that are none': repeat('abcdef1'),
  colons: repeat(':a'),
  'many emoji': repeat(':tada: *a* '),
  'blanks in a line': (length) => `a${' '.repeat(length)}b`,
  'blank lines': repeat(' \n'),
  'headings underlined': repeat('a\n=\n'),
  headings: repeat('# a\n'),
  paragraphs: repeat('a\n\n'),
  'quotes in a row': repeat('>a\n\n'),
  'empty list items': repeat('- \n'),
  'images that never end': repeat('!['),
  'footnotes that are not defined': repeat('[^1] '),
  'mentions of users': repeat('@a '),
  'web addresses': repeat('http://a.b '),
  'one long address linked often': (length) => `[a]: /${'x'.repeat(length / 2)}\n\n${'[a]'.repeat(length / 6)}`,
  'a long attribute': (length) => `<a title="${'x'.repeat(length)}">`,
  'character references': repeat('&#x1F600;'),
  'aligned cells': (length) => `${'|a'.repeat(120)}|\n${'|:-:'.repeat(120)}|\n${'a\n'.repeat(length / 2)}`,
}
