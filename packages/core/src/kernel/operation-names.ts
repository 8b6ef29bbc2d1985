import { toCamelCase } from '../shared/camel-case.ts'
import { familySynonyms, findSynonym, operationSynonyms } from '../shared/name-synonyms.ts'
import { findSimilarNames, formatSuggestion } from '../shared/similar-name.ts'

/** Explains names of operations that do not exist. */
export interface OperationNames {
  /** Undefined for a name that resembles no family: it may be a property that a framework reads. */
  explainFamily(name: string): string | undefined
  explainOperation(family: string, name: string): string
}

const places =
  /^(?:project|group|issue|mergeRequest|epic|snippet|commit|user|instance|system|repository|personal)(?=[A-Z])/

const capitalize = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase())

/** The beginning of the names of related families: `issue` for `issues`. */
const toStem = (family: string) => family.replace(/s$/, '')

/** @param table the operations by family */
export const createOperationNames = (table: Readonly<Record<string, object>>): OperationNames => {
  const families = Object.keys(table)
  const operationsOf = (family: string) => Object.keys(table[family] ?? {})

  /** A family by a synonym, its singular, or with the place that other APIs have in the name: `projectHooks`. */
  const findFamily = (name: string): string | undefined => {
    if (families.includes(name)) return name
    const plural = `${name}s`
    const synonym = findSynonym(familySynonyms, name, families) ?? findSynonym(familySynonyms, plural, families)
    if (synonym !== undefined) return synonym
    if (families.includes(plural)) return plural
    const withoutPlace = toCamelCase(name.replace(places, ''))
    return withoutPlace === name ? undefined : findFamily(withoutPlace)
  }

  /** The operation of a family with a verb, which can be a synonym or omitted: `notes.list` for `issues.notes`. */
  const findByVerb = (family: string, verb: string): string => {
    const known = operationsOf(family)
    const name = known.includes(verb) ? verb : findSynonym(operationSynonyms, verb, known)
    return name === undefined ? family : `${family}.${name}`
  }

  /** `issues.listNotes` and `issues.notes` mean the family of the noun, `packages.files` means `packageFiles`. */
  const findByNoun = (family: string, name: string): string | undefined => {
    const [, verb = 'list', noun = capitalize(name)] = /^([a-z]+)([A-Z]\w*)$/.exec(name) ?? []
    const part = `${toStem(family)}${noun}`
    const other = families.find((known) => known === part || known === `${part}s`) ?? findFamily(toCamelCase(noun))
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
    const part = known.find((other) => other === `list${noun}` || other === `get${noun}`)
    if (part !== undefined) return [qualify(part)]
    const other =
      findSynonym(operationSynonyms, name, allOperations) ?? findInPart(family, name) ?? findByNoun(family, name)
    return other === undefined ? findSimilarNames(name, known).map(qualify) : [other]
  }

  return {
    explainFamily(name) {
      const camelCase = toCamelCase(name)
      const family = findFamily(camelCase)
      const similar = family === undefined ? findSimilarNames(camelCase, families) : [family]
      return similar.length ? `Unknown family of operations '${name}'. ${formatSuggestion(similar)}` : undefined
    },
    explainOperation(family, name) {
      const found = findOperations(family, toCamelCase(name))
      const advice = found.length ? formatSuggestion(found) : `Known names: ${operationsOf(family).join(', ')}`
      return `Unknown operation '${family}.${name}'. ${advice}`
    },
  }
}
