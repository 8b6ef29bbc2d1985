import type { AllowList } from './allow-list.ts'
import type { Place } from './attribute-rules.ts'
import { isDataAttribute } from './attribute-rules.ts'
import type { RenderBudget } from './budget.ts'
import { escapeHtml } from './escape-html.ts'
import { scanHtml } from './html-scanner.ts'
import { countElementsToKeep } from './implied-ends.ts'

/** Maximum nesting; deeper tags are removed and their content is kept. Browsers stop nesting at 512. */
const maxDepth = 150

const voidElements: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'input', 'wbr'])
const fixedAttributes: ReadonlyMap<string, string> = new Map([['input', ' type="checkbox" disabled=""']])

/** The sanitized start tag, or undefined when the element is not allowed. */
const openingTag = (
  name: string,
  attributes: ReadonlyMap<string, string>,
  list: AllowList,
  place: Place,
): string | undefined => {
  const rules = list.elements.get(name)
  if (rules === undefined) return undefined
  let tag = `<${name}`
  for (const [attribute, value] of attributes) {
    const rule = rules.get(attribute)
    if (rule === undefined && !(list.data.has(name) && isDataAttribute(attribute))) continue
    const allowed = rule ? rule(value, place) : value
    if (allowed === undefined) continue
    tag += ` ${attribute}="${escapeHtml(allowed)}"`
    if (attribute === 'href') tag += ' rel="nofollow noreferrer noopener"'
  }
  return `${tag}${fixedAttributes.get(name) ?? ''}>`
}

/**
 * Removes tags and attributes that are not on the list from a fragment. Tags need not be paired: a fragment may be a
 * single tag.
 */
export const filterTags = (html: string, list: AllowList, place: Place, budget?: RenderBudget): string => {
  let output = ''
  scanHtml(html, {
    text: (text) => {
      output += text
      budget?.check(output.length)
    },
    openTag: (name, attributes) => {
      output += openingTag(name, attributes, list, place) ?? ''
      budget?.check(output.length)
    },
    closeTag: (name) => {
      if (list.elements.has(name)) output += `</${name}>`
    },
  })
  return output
}

/**
 * Sanitizes a complete text. The output has allowed elements and attributes only, and its tags are balanced, so it
 * cannot close elements of the surrounding page. Tags are serialized from checked values and text has no `<`, so a
 * browser parses exactly the tags that were checked. Linear in the length of the text.
 */
export const sanitize = (html: string, list: AllowList, place: Place, budget?: RenderBudget): string => {
  let output = ''
  const open: string[] = []
  // Removed start tags by name: as many end tags are removed too.
  const skipped = new Map<string, number>()

  const closeTo = (length: number) => {
    if (open.length > length) skipped.clear()
    while (open.length > length) output += `</${open.pop()}>`
  }
  const skip = (name: string, by: number) => skipped.set(name, (skipped.get(name) ?? 0) + by)

  scanHtml(html, {
    text: (text) => {
      output += text
      budget?.check(output.length)
    },
    openTag: (name, attributes) => {
      budget?.check(output.length)
      const tag = openingTag(name, attributes, list, place)
      if (tag === undefined) return
      const keptElements = countElementsToKeep(open, name)
      const isEmpty = voidElements.has(name)
      if (keptElements === undefined || (keptElements >= maxDepth && !isEmpty)) {
        if (!isEmpty) skip(name, 1)
        return
      }
      closeTo(keptElements)
      output += tag
      if (!isEmpty) open.push(name)
    },
    closeTag: (name) => {
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
