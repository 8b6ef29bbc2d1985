import * as v from 'valibot'
import type { Operation } from './operation.ts'

/** Characters (UTF-16 code units) of an input text whose schema has no maximum: names, references, URLs, search texts. */
export const defaultTextLength = 4_096

/** The maximum of GitLab for descriptions of issues and the like. */
const descriptionLength = 1_000_000

/** Text in Markdown: a description of an issue, merge request, epic, milestone or release, or a commit message. */
export const LongText = v.pipe(v.string(), v.maxLength(descriptionLength))

/** A text of at most this many characters, with the error of GitLab. */
export const textUpTo = (length: number) =>
  v.pipe(v.string(), v.maxLength(length, `is too long (maximum is ${length} characters)`))

/** Text in Markdown: the description of a project. */
export const ProjectDescription = textUpTo(2_000)

/**
 * A text that its operation limits itself, with an error of its own: in characters, or as a file. The largest body of a request
 * is smaller.
 */
export const CheckedText = v.pipe(v.string(), v.maxLength(100 * 1024 * 1024))

/** The parts of a Valibot schema that contain other schemas. */
interface SchemaParts {
  readonly type: string
  readonly requirement?: unknown
  readonly pipe?: readonly SchemaParts[]
  readonly entries?: Readonly<Record<string, SchemaParts>>
  readonly items?: readonly SchemaParts[]
  readonly options?: readonly unknown[]
  readonly item?: SchemaParts
  readonly wrapped?: SchemaParts
  readonly key?: SchemaParts
  readonly value?: SchemaParts
}

const isSchema = (part: unknown): part is SchemaParts => typeof part === 'object' && part !== null && 'type' in part

/** The largest maximum of the texts in a schema; 0 if none has one. */
const findTextLength = (schema: SchemaParts): number => {
  const { type, pipe = [], entries = {}, items = [], options = [], item, wrapped, key, value } = schema
  const own =
    type === 'string'
      ? pipe.map(({ type, requirement }) =>
          (type === 'max_length' || type === 'max_bytes') && typeof requirement === 'number' ? requirement : 0,
        )
      : []
  // The first action of a pipe is the schema itself.
  const inner = [...pipe.slice(1), ...Object.values(entries), ...items, ...options, item, wrapped, key, value]
  const nested = [...inner, ...(pipe.length && type !== 'string' ? [{ ...pipe[0], pipe: undefined }] : [])]
  return Math.max(0, ...own, ...nested.filter(isSchema).map(findTextLength))
}

const lengths = new WeakMap<Operation, Map<string, number>>()

/** The maximum length of each text in a field of an operation. Texts with a maximum of their own can be limited further. */
export const getTextLength = (operation: Operation, field: string): number => {
  let known = lengths.get(operation)
  if (!known) {
    known = new Map()
    lengths.set(operation, known)
  }
  let length = known.get(field)
  if (length === undefined) {
    const schema: unknown = operation.entries[field]
    length = Math.max(defaultTextLength, isSchema(schema) ? findTextLength(schema) : 0)
    known.set(field, length)
  }
  return length
}
