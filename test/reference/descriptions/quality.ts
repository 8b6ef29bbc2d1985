import { getDescriptions, getWires } from './read-comments.ts'

/** A text that a comment or a definition provides. */
export interface DescribedItem {
  /** `labels.create: color`. */
  readonly name: string
  readonly text: string
  /** File and line. */
  readonly place: string
}

/** Every operation, input field and output field. A declaration that several of them share is listed once. */
export const listDescribedItems = (): readonly DescribedItem[] => {
  const { operations, types } = getDescriptions()
  const items = operations.flatMap(({ name, description, place, inputs, resultFields }) => [
    { name, text: description, place },
    ...inputs.map((field) => ({ name: `${name}: ${field.path}`, text: field.description, place: field.place })),
    ...resultFields.map((field) => ({ name: `${name} → ${field.path}`, text: field.description, place: field.place })),
  ])
  const ofTypes = [...types.values()].flatMap(({ name, description, place, fields }) => [
    { name, text: description, place },
    ...fields.map((field) => ({ name: `${name}.${field.path}`, text: field.description, place: field.place })),
  ])
  const unique = new Map([...items, ...ofTypes].map((item) => [item.place + item.name.split(/[.: ]/).at(-1), item]))
  return [...unique.values()]
}

/** Every field of a response. */
export const listWireItems = (paths: (title: string) => readonly string[]): readonly DescribedItem[] =>
  getWires().flatMap(({ title, description, place, fields }) => [
    { name: title, text: description, place },
    ...paths(title).map((path) => ({ name: `${title}.${path}`, text: fields[path] ?? '', place })),
  ])

const typeWords = new Set(
  'array boolean date datetime id integer list null number object optional string text'.split(' '),
)
const fillers = new Set('a an of or the is this its'.split(' '))

const listWords = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !fillers.has(word))

/** The reason why a text does not describe anything; undefined for a good one. */
export const findTextProblem = ({ name, text }: Pick<DescribedItem, 'name' | 'text'>): string | undefined => {
  if (text === '') return 'has no description'
  if (!/[.!?)]$/.test(text)) return 'does not end with a period'
  if (!/^[\p{Lu}\p{N}`#@"'(]/u.test(text)) return 'does not begin with a capital letter'
  // The name of a type, and texts such as `Id of the project.`, which say what a value refers to.
  if (!/[.: ]/.test(name) || /^(Id|Number|Name|Username|URL) of /.test(text)) return undefined
  const ownName = listWords(name.split(/[.: ]/).at(-1) as string)
  const words = listWords(text)
  if (words.every((word) => ownName.includes(word))) return 'repeats the name'
  if (words.every((word) => typeWords.has(word) || ownName.includes(word))) return 'repeats the type'
  return undefined
}
