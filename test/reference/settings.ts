import {
  type SettingName,
  settingAliases,
  settingDefinition,
  settingNames,
} from '../../packages/core/src/features/settings/definition.ts'
import { snake } from '../../packages/http/src/wire.ts'

/** The parts of a schema that say what it accepts. */
interface Schema {
  readonly type: string
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly options?: readonly unknown[]
  readonly pipe?: readonly { readonly type: string }[]
}

const code = (text: string) => `\`${text}\``
const wireName = (name: string) => code(snake(name))

/** A schema as a reader says it: `array of strings, or null`. */
const typeOf = ({ type, wrapped, item, options = [], pipe = [] }: Schema): string => {
  if (wrapped) return `${typeOf(wrapped)}, or null`
  if (item) return `array of ${typeOf(item)}s`
  if (type === 'picklist') return options.map((value) => code(String(value))).join(', ')
  return pipe.some((action) => action.type === 'integer') ? 'integer' : type
}

const shownValue = (value: unknown) => (value === null ? 'null' : code(JSON.stringify(value)))

const needsOf = (name: SettingName): string => {
  const { requires = [], requiresRestart, paid, secret, readOnly } = settingDefinition(name)
  const notes = [
    requires.length && `needs ${requires.map(wireName).join(', ')} in the same call`,
    requiresRestart && 'other services read it at their start',
    paid && 'paid tier',
    secret && 'secret: never told',
    readOnly && 'cannot be set',
  ]
  return notes.filter(Boolean).join('; ') || '–'
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

const described = (name: SettingName) => {
  const { schema, default: fallback, says } = settingDefinition(name)
  const type = typeOf(schema as unknown as Schema)
  return [wireName(name), type, settingDefinition(name).readOnly ? '–' : shownValue(fallback), needsOf(name), says]
}

const governing = settingNames.filter((name) => settingDefinition(name).governs !== undefined)
const kept = settingNames.filter((name) => settingDefinition(name).governs === undefined)

const introduction = `# Application settings

Every setting of \`GET\` and \`PUT /application/settings\`. Only administrators read and change them. In the library
(\`platform.as(…).settings\`) and in seeds they have the same names in camelCase. This page is generated
(\`pnpm docs:reference\`); a test keeps it up to date.

A change holds from its commit on. Where several processes share a PostgreSQL database, the others follow within a second.`

const parts = [
  introduction,
  `## Settings that govern this platform

What the last column says is done by them.`,
  table(
    ['setting', 'type', 'default', 'requirement', 'what it means', 'what it governs here'],
    governing.map((name) => [...described(name), settingDefinition(name).governs as string]),
  ),
  `## Settings that are kept for clients

The platform checks and keeps them, and tells them to whoever reads them: clients and other services that act by them. It
has nothing of its own that they could govern.`,
  table(['setting', 'type', 'default', 'requirement', 'what it means'], kept.map(described)),
  `## Old names

Answers repeat these settings under their old names, and requests may use those; the present name wins.`,
  table(
    ['old name', 'setting'],
    Object.entries(settingAliases).map(([alias, name]) => [wireName(alias), wireName(name)]),
  ),
]

/** The page as Markdown. */
export const settingsPage = (): string => `${parts.join('\n\n')}\n`
