import type { Context } from '../../../kernel/context.ts'
import type { Reference } from '../../../ports/markdown/reference.ts'
import { scanReferences } from '../../../ports/markdown/reference-scanner.ts'
import { referenceFromUrl } from '../../../ports/markdown/reference-url.ts'

/** References per quick action; further ones are ignored. Each takes several queries. */
const maxReferences = 50

/** The distinct references in an argument: `#1`, `acme/web#1`, `&1` and URLs of this site. */
export const findReferences = (ctx: Context, argument: string): readonly Reference[] => {
  const { siteUrl } = ctx.call
  const found = argument.split(/[\s,]+/).flatMap((word) => {
    const url = siteUrl === undefined ? undefined : referenceFromUrl(word, siteUrl)
    return url ? [url.reference] : scanReferences(word).map(({ reference }) => reference)
  })
  const distinct = new Map(found.map((reference) => [JSON.stringify(reference), reference]))
  return [...distinct.values()].slice(0, maxReferences)
}
