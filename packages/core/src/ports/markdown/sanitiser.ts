import type { AllowList } from './allow-list.ts'
import type { Place } from './attribute-rules.ts'
import { isDataName } from './attribute-rules.ts'
import { escapeHtml, withoutCharacterReferences } from './character-references.ts'
import { staysOpen } from './implied-ends.ts'
import type { Attribute } from './tag-scanner.ts'
import { markupAt } from './tag-scanner.ts'

/** Elements deeper than this keep their content and lose their tags; browsers stop nesting at 512. */
const deepest = 150

const withoutContent: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'input', 'wbr'])
const alwaysWritten: ReadonlyMap<string, string> = new Map([['input', ' type="checkbox" disabled=""']])

/** The opening tag as it may stand in the output, or undefined when the element is not on the list. */
const openingTag = (
  name: string,
  attributes: readonly Attribute[],
  list: AllowList,
  place: Place,
): string | undefined => {
  const rules = list.elements.get(name)
  if (rules === undefined) return undefined
  let tag = `<${name}`
  const seen = new Set<string>()
  for (const { name: attribute, value: written } of attributes) {
    if (seen.has(attribute)) continue
    seen.add(attribute)
    const rule = rules.get(attribute)
    if (rule === undefined && !(list.data.has(name) && isDataName(attribute))) continue
    const value = withoutCharacterReferences(written)
    const kept = rule ? rule(value, place) : value
    if (kept === undefined) continue
    tag += ` ${attribute}="${escapeHtml(kept)}"`
    if (attribute === 'href') tag += ' rel="nofollow noreferrer noopener"'
  }
  return `${tag}${alwaysWritten.get(name) ?? ''}>`
}

interface Writer {
  text(text: string): void
  open(name: string, attributes: readonly Attribute[]): void
  close(name: string): void
}

/** Feeds text and tags to the writer in order; comments and the like are left out. */
const scan = (html: string, writer: Writer): void => {
  let from = 0
  for (;;) {
    const at = html.indexOf('<', from)
    if (at < 0) break
    if (at > from) writer.text(html.slice(from, at))
    from = at
    const markup = markupAt(html, at)
    if (markup.kind === 'unfinished') break
    if (markup.kind === 'text') writer.text('&lt;')
    else if (markup.kind === 'open') writer.open(markup.name, markup.attributes)
    else if (markup.kind === 'close') writer.close(markup.name)
    from = markup.kind === 'text' ? at + 1 : markup.end
  }
  writer.text(html.slice(from).replaceAll('<', '&lt;'))
}

/**
 * Takes every tag and attribute out of a piece of HTML that is not on the list. Tags need not be in pairs: a piece may
 * be one tag of many.
 */
export const onlyListedTags = (html: string, list: AllowList, place: Place): string => {
  let output = ''
  scan(html, {
    text: (text) => {
      output += text
    },
    open: (name, attributes) => {
      output += openingTag(name, attributes, list, place) ?? ''
    },
    close: (name) => {
      if (list.elements.has(name)) output += `</${name}>`
    },
  })
  return output
}

/**
 * Whole HTML with listed elements and attributes only, every element closed, in the order of nesting, and none closed
 * that was not opened: it cannot reach into the page around it. The output is written anew and never copied from the
 * input but for text without `<`, so a browser finds in it exactly the tags that were checked. Linear in the length of
 * the text.
 */
export const sanitised = (html: string, list: AllowList, place: Place): string => {
  let output = ''
  const open: string[] = []
  // Elements whose tags were left out, by name: their ends are left out as well.
  const skipped = new Map<string, number>()

  const closeTo = (length: number) => {
    if (open.length > length) skipped.clear()
    while (open.length > length) output += `</${open.pop()}>`
  }
  const skip = (name: string, by: number) => skipped.set(name, (skipped.get(name) ?? 0) + by)

  scan(html, {
    text: (text) => {
      output += text
    },
    open: (name, attributes) => {
      const tag = openingTag(name, attributes, list, place)
      if (tag === undefined) return
      const kept = staysOpen(open, name)
      const isEmpty = withoutContent.has(name)
      if (kept === undefined || (kept >= deepest && !isEmpty)) {
        if (!isEmpty) skip(name, 1)
        return
      }
      closeTo(kept)
      output += tag
      if (!isEmpty) open.push(name)
    },
    close: (name) => {
      if (skipped.get(name)) skip(name, -1)
      else {
        const at = open.lastIndexOf(name)
        if (at >= 0) closeTo(at)
      }
    },
  })
  closeTo(0)
  return output
}
