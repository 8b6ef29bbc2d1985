import { toCamelCase } from '../shared/camel-case.ts'
import { familySynonyms, findSynonym, operationSynonyms } from '../shared/name-synonyms.ts'
import { findSimilarNames, formatSuggestion } from '../shared/similar-name.ts'
import { commonVerbs, findByWords, splitWords } from './operation-words.ts'

/** Explains names of operations that do not exist. */
export interface OperationNames {
  /** Undefined for a name that resembles no family: it may be a property that a framework reads. */
  explainFamily(name: string): string | undefined
  explainOperation(family: string, name: string): string
}

const places =
  /^(?:project|group|issue|mergeRequest|epic|snippet|commit|user|instance|application|system|repository|personal)(?=[A-Z])/

const capitalize = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase())

/** `status` → `statuses`, `repository` → `repositories`, `key` → `keys`. */
const toPlural = (name: string) =>
  /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}${name.endsWith('s') ? 'es' : 's'}`

const joinWords = ([first = '', ...others]: readonly string[]) => first + others.map(capitalize).join('')

/** The beginning of the names of related families: `issue` for `issues`. */
const toStem = (family: string) => family.replace(/s$/, '')

/** @param table the operations by family */
export const createOperationNames = (table: Readonly<Record<string, object>>): OperationNames => {
  const families = Object.keys(table)
  const operationsOf = (family: string) => Object.keys(table[family] ?? {})

  /** A family by a synonym, its singular, or with the place that other APIs have in the name: `projectHooks`. */
  const findFamily = (name: string): string | undefined => {
    if (families.includes(name)) return name
    const plural = toPlural(name)
    const synonym = findSynonym(familySynonyms, name, families) ?? findSynonym(familySynonyms, plural, families)
    if (synonym !== undefined) return synonym
    if (families.includes(plural)) return plural
    const withoutPlace = toCamelCase(name.replace(places, ''))
    return withoutPlace === name ? undefined : findFamily(withoutPlace)
  }

  /**
   * The family of the last or of the first words of a plural: `gitignoreTemplates`, `wikiPages`. Other names can be properties
   * that frameworks read, such as `nodeType`.
   */
  const findByPart = (name: string): string | undefined => {
    const words = splitWords(name)
    if (words.length === 1 || !name.endsWith('s')) return undefined
    const lengths = words.slice(1).map((_, at) => words.length - 1 - at)
    const parts = lengths.flatMap((length) => [words.slice(-length), words.slice(0, length)]).map(joinWords)
    const names = parts.flatMap((part) => [part, toPlural(part), part.replace(/s$/, '')])
    return names.find((part) => families.includes(part)) ?? parts.map(findFamily).find((family) => family !== undefined)
  }

  /** The operation of a family with a verb, which can be a synonym or omitted: `notes.list` for `issues.notes`. */
  const findByVerb = (family: string, verb: string): string => {
    const known = operationsOf(family)
    const name = known.includes(verb) ? verb : findSynonym(operationSynonyms, verb, known)
    return name === undefined ? family : `${family}.${name}`
  }

  /** `issues.listNotes` and `issues.notes` mean the family of the noun, `packages.files` means `packageFiles`. */
  const findByNoun = (family: string, name: string, find: typeof findFamily): string | undefined => {
    const [, verb = 'list', rest = name] = /^([a-z]+)([A-Z]\w*)$/.exec(name) ?? []
    const noun = capitalize(joinWords(splitWords(rest)))
    const part = `${toStem(family)}${noun}`
    const other = families.find((known) => known === part || known === toPlural(part)) ?? find(toCamelCase(noun))
    return other === undefined ? undefined : findByVerb(other, verb)
  }

  /** `mergeRequests.approve` is in `mergeRequestApprovals`. */
  const findInPart = (family: string, name: string): string | undefined => {
    const isPart = (other: string) => other !== family && other.startsWith(toStem(family))
    const [part, ...others] = families.filter((other) => isPart(other) && operationsOf(other).includes(name))
    return part === undefined || others.length ? undefined : `${part}.${name}`
  }

  const allOperations = families.flatMap((family) => operationsOf(family).map((name) => `${family}.${name}`))

  const findOperations = (family: string, name: string): readonly string[] => {
    const known = operationsOf(family)
    const qualify = (other: string) => `${family}.${other}`
    if (known.includes(name)) return [qualify(name)]
    const synonym = findSynonym(operationSynonyms, name, [...known, ...known.map((other) => `${other}()`)])
    if (synonym !== undefined) return [qualify(synonym)]
    const noun = capitalize(name)
    const read = known.find((other) => other === `list${noun}` || other === `get${noun}`)
    if (read !== undefined) return [qualify(read)]
    const own = known.map(qualify)
    const [verb = '', ...rest] = splitWords(name)
    const common = findSynonym(operationSynonyms, verb, commonVerbs) ?? verb
    const findWords = (names: readonly string[], minimum: number) => findByWords(name, [verb, common], names, minimum)
    const part = ['get', 'list'].includes(common) ? findSynonym(operationSynonyms, joinWords(rest), known) : undefined
    const renamed = part ?? findWords(known, 1)
    const other =
      findWords(own, 2) ??
      (renamed === undefined ? undefined : qualify(renamed)) ??
      findSynonym(operationSynonyms, name, allOperations) ??
      findInPart(family, name) ??
      findByNoun(family, name, findFamily) ??
      findWords(allOperations, 2) ??
      findByNoun(family, name, findByPart)
    if (other !== undefined) return [other]
    const similar = findSimilarNames(name, known)
    if (similar.length) return similar.map(qualify)
    const alone = known.includes(verb) ? verb : findSynonym(operationSynonyms, verb, known)
    return alone === undefined ? [] : [qualify(alone)]
  }

  return {
    explainFamily(name) {
      const camelCase = toCamelCase(name)
      const family = findFamily(camelCase)
      const similar = family === undefined ? findSimilarNames(camelCase, families) : [family]
      const found = similar.length ? similar : [findByPart(camelCase) ?? []].flat()
      return found.length ? `Unknown family of operations '${name}'. ${formatSuggestion(found)}` : undefined
    },
    explainOperation(family, name) {
      const found = findOperations(family, toCamelCase(name))
      const advice = found.length ? formatSuggestion(found) : `Known names: ${operationsOf(family).join(', ')}`
      return `Unknown operation '${family}.${name}'. ${advice}`
    },
  }
}
