import { createRequire } from 'node:module'
import type { Node, Pair, Tags } from 'yaml'
import { maxValues, tooManyValues } from './budget.ts'
import { CiConfigError } from './config-error.ts'
import { createMergeTag } from './yaml-merge.ts'
import { plainScalarTags } from './yaml-scalars.ts'

type Counted = Node | Pair | null | unknown

/**
 * The number of keys and values of a document in which each use of an anchor counts as its content: a small file must not become
 * a huge object. Merge keys copy their content when the document is converted.
 */
const countValues = (document: Counted): number => {
  const anchors = new Map<string, number>()
  const count = (node: Counted): number => {
    if (typeof node !== 'object' || node === null) return 1
    if ('source' in node && !('items' in node) && !('value' in node)) return anchors.get(String(node.source)) ?? 1
    if ('key' in node) return count(node.key) + ('value' in node ? count(node.value) : 0)
    let values = 1
    if ('items' in node && Array.isArray(node.items)) for (const item of node.items) values += count(item)
    if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, values)
    return values
  }
  return count(document)
}

/** A mapping of a pipeline file. */
export type Entries = Readonly<Record<string, unknown>>

export const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Reference)

/** `!reference [job, key]`: the value of a key elsewhere in the file. */
export class Reference {
  readonly path: readonly string[]

  constructor(path: readonly string[]) {
    this.path = path
  }
}

/** Greatest size of a pipeline file, and of all included files together, in bytes. */
export const maxFileBytes = 1_048_576

/** Uses of anchors, counted with those in their content. */
const maxAliasCount = 1_000

type Library = typeof import('yaml')

let library: Library | undefined

/** Loaded on first use, because few processes need it and loading slows down the start. */
const loadLibrary = (): Library => (library ??= createRequire(import.meta.url)('yaml') as Library)

const referenceTag = {
  tag: '!reference',
  collection: 'seq' as const,
  identify: (value: unknown) => value instanceof Reference,
  resolve: (sequence: { toJSON(): unknown }) => {
    const path = sequence.toJSON()
    return new Reference(Array.isArray(path) ? path.map(String) : [])
  },
}

/** With tags for plain scalars and merge keys in place of those of the library. */
const chooseTags = (tags: Tags): Tags => {
  const isReplaced = (tag: Tags[number]) =>
    typeof tag === 'object' && /:(?:bool|int|float|merge|timestamp)$/.test(tag.tag) && tag.collection === undefined
  return [
    ...tags.filter((tag) => !isReplaced(tag)),
    ...plainScalarTags,
    createMergeTag(loadLibrary()),
    referenceTag as never,
  ]
}

/** A pipeline file. */
export interface YamlFile {
  /** The document before `---` that declares the inputs of the file; undefined without one. */
  readonly header: Entries | undefined
  readonly content: Entries
}

const readDocuments = (text: string): readonly unknown[] => {
  const documents = loadLibrary().parseAllDocuments(text, {
    version: '1.1',
    uniqueKeys: false,
    logLevel: 'silent',
    customTags: chooseTags,
  })
  if (documents.length > 2) throw new CiConfigError('The parsed YAML has too many documents')
  return documents.map((document) => {
    const [error] = document.errors
    if (error) throw new CiConfigError(`(<unknown>): ${error.message.split('\n')[0]?.replace(/:$/, '')}`)
    if (countValues(document.contents) > maxValues) throw tooManyValues()
    return document.toJS({ maxAliasCount })
  })
}

/**
 * Parses YAML as GitLab's parser does: version 1.1 with merge keys. Repeated keys replace earlier ones. A second document is the
 * content of the file if the first one has `spec`.
 *
 * @throws CiConfigError with the place of the first error
 */
export const parseYaml = (text: string): YamlFile => {
  try {
    const [first, second] = readDocuments(text)
    const header = second !== undefined && isEntries(first) && Object.hasOwn(first, 'spec') ? first : undefined
    const content = header === undefined ? first : second
    if (isEntries(content)) return { header, content }
  } catch (error) {
    if (error instanceof CiConfigError) throw error
    // Too many uses of anchors, or a nesting that exhausts the stack.
    if (error instanceof ReferenceError || error instanceof RangeError)
      throw new CiConfigError('The parsed YAML is too big')
    throw error
  }
  throw new CiConfigError('Invalid configuration format')
}

/** The text of a merged configuration. */
export const formatYaml = (value: unknown): string =>
  loadLibrary().stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })
