import { UsageError } from '../cli-error.ts'
import { type AnyCommand, itemCommand, listCommand } from '../command.ts'
import { textOption } from '../option-types.ts'

interface SettingRow {
  readonly name: string
  readonly value: unknown
  /** What the setting changes on this platform. */
  readonly effect: string
}

/** Loaded when a command runs: the start of the program must not load the library. */
const loadRows = async (values: object): Promise<readonly SettingRow[]> => {
  const { settingDefinition, settingNames } = await import('@forgelet/core/operations')
  const { toSnakeCase } = await import('../../wire-names.ts')
  return settingNames.flatMap((name) => {
    const { description, effect, readOnly, secret } = settingDefinition(name)
    if (readOnly || (!secret && !(name in values))) return []
    const shown = secret ? 'never shown' : Reflect.get(values, name)
    return [{ name: toSnakeCase(name), value: shown, effect: `${description} ${effect ?? 'Stored only.'}` }]
  })
}

const findRow = async (values: object, name: string): Promise<SettingRow> => {
  const rows = await loadRows(values)
  const row = rows.find((row) => row.name === name)
  if (row) return row
  throw new UsageError(`There is no setting '${name}'; forgelet settings list --search <text> finds settings`)
}

/** A value in JSON, or a text. */
const parseValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const columns = ['name', 'value', 'effect'] as const

export const settingCommands: readonly AnyCommand[] = [
  listCommand({
    usage: 'settings list',
    description: 'list application settings with their values and effects',
    options: { search: textOption('--search <text>', 'only those whose name or effect contains this text') },
    examples: ['forgelet settings list --search password', 'forgelet settings list --limit 1000 --json'],
    noun: 'settings',
    columns,
    read: async ({ settings }, { options: { search = '' }, paging: { page, perPage } }) => {
      const rows = await loadRows(await settings.get())
      const text = search.toLowerCase()
      const found = rows.filter(({ name, effect }) => `${name} ${effect}`.toLowerCase().includes(text))
      return { items: found.slice((page - 1) * perPage, page * perPage), hasNext: found.length > page * perPage }
    },
  }),
  itemCommand({
    usage: 'settings get <name>',
    description: 'print an application setting with its effect',
    examples: ['forgelet settings get signup_enabled'],
    run: async ({ settings }, { args: [name = ''] }) => findRow(await settings.get(), name),
    print: columns,
  }),
  itemCommand({
    usage: 'settings set <name> <value>',
    description: 'change an application setting; the value is JSON, or a text',
    createsData: true,
    examples: [
      'forgelet settings set signup_enabled false',
      `forgelet settings set domain_whitelist '["example.com"]'`,
    ],
    run: async ({ settings }, { args: [name = '', value = ''] }) => {
      await findRow(await settings.get(), name)
      const { toCamelCase } = await import('../../wire-names.ts')
      return findRow(await settings.update({ [toCamelCase(name)]: parseValue(value) }), name)
    },
    print: columns,
  }),
]
