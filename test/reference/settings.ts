import {
  type SettingName,
  settingAliases,
  settingDefinition,
  settingNames,
} from '../../packages/core/src/features/administration/settings/definition.ts'
import { toSnakeCase } from '../../packages/http/src/wire-names.ts'
import { testOf } from '../settings/evidence.ts'

/** The properties of a Valibot schema that describe the accepted values. */
interface Schema {
  readonly type: string
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly options?: readonly unknown[]
  readonly pipe?: readonly { readonly type: string }[]
}

const code = (text: string) => `\`${text}\``
const wireName = (name: string) => code(toSnakeCase(name))

/** A schema in words: `array of strings, or null`. */
const typeOf = ({ type, wrapped, item, options = [], pipe = [] }: Schema): string => {
  if (wrapped) return `${typeOf(wrapped)}, or null`
  if (item) return `array of ${typeOf(item)}s`
  if (type === 'picklist') return options.map((value) => code(String(value))).join(', ')
  return pipe.some((action) => action.type === 'integer') ? 'integer' : type
}

const formatValue = (value: unknown) => (value === null ? 'null' : code(JSON.stringify(value)))

const requirementsOf = (name: SettingName): string => {
  const { requiresRestart, paid, secret, readOnly } = settingDefinition(name)
  const notes = [
    requiresRestart && 'takes effect after a restart of other services',
    paid && 'paid tier',
    secret && 'secret, never returned',
    readOnly && 'read-only',
  ]
  return notes.filter(Boolean).join('; ') || '–'
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

const describe = (name: SettingName) => {
  const { schema, default: fallback, description: meaning } = settingDefinition(name)
  const type = typeOf(schema as unknown as Schema)
  return [
    wireName(name),
    type,
    settingDefinition(name).readOnly ? '–' : formatValue(fallback),
    requirementsOf(name),
    meaning,
  ]
}

const testLink = (path: string) => `[${path.split('/').at(-1)?.replace('.test.ts', '')}](../../${path})`

const effective = settingNames.filter((name) => settingDefinition(name).effect !== undefined)
const storedOnly = settingNames.filter((name) => settingDefinition(name).effect === undefined)

const introduction = `# Application settings

Every setting of \`GET\` and \`PUT /application/settings\`. Only administrators can read and change settings. In the library
(\`platform.as(…).settings\`) and in seeds they have the same names in camelCase. \`pnpm docs:reference\` generates this page, and a
test checks that it is up to date.

A change takes effect with its commit. If several processes share a PostgreSQL database, it takes effect in the others within 1
second.`

const parts = [
  introduction,
  `## Settings with an effect

${effective.length} of ${effective.length + storedOnly.length} settings. The last columns describe the effect on this platform, and name the test that observes it.`,
  table(
    ['setting', 'type', 'default', 'requirement', 'meaning', 'effect', 'test'],
    effective.map((name) => [...describe(name), settingDefinition(name).effect as string, testLink(testOf(name))]),
  ),
  `## Settings without an effect

The platform validates, stores and returns these settings for clients and other services. The last column says why it has no function
that they control.`,
  table(
    ['setting', 'type', 'default', 'requirement', 'meaning', 'reason'],
    storedOnly.map((name) => [...describe(name), settingDefinition(name).noEffect ?? '']),
  ),
  `## Deprecated names

Responses repeat these settings under their deprecated names, and requests accept them. The current name takes precedence.`,
  table(
    ['deprecated name', 'setting'],
    Object.entries(settingAliases).map(([alias, name]) => [wireName(alias), wireName(name)]),
  ),
]

/** The page as Markdown. */
export const settingsPage = (): string => `${parts.join('\n\n')}\n`
