import { join } from 'node:path'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { readCompilerOptions, root } from '../../../../../test/reference/descriptions/program.ts'
import { dialect, world } from '../../../../../test/world.ts'

/** `text`, or `text?` if it can be null. */
type Column = string

const toSnakeCase = (name: string) => name.replace(/(?<=[^A-Z])[A-Z]/g, '_$&').toLowerCase()

const classOf = (type: ts.Type, checker: ts.TypeChecker): string => {
  const parts = type.isUnion() ? type.types : [type]
  const isAll = (flags: ts.TypeFlags) => parts.every((part) => part.flags & flags)
  if (isAll(ts.TypeFlags.StringLike)) return 'text'
  if (isAll(ts.TypeFlags.NumberLike)) return 'number'
  if (isAll(ts.TypeFlags.BooleanLike)) return 'boolean'
  return checker.typeToString(type).startsWith('Buffer') ? 'bytes' : 'json'
}

/** The columns of all row types, by `table.column`. */
const readRowTypes = (): Map<string, Column> => {
  const path = join(root, 'packages/core/src/contract/database.ts')
  const program = ts.createProgram([path], readCompilerOptions())
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(path) as ts.SourceFile
  const [database] = source.statements.filter(ts.isInterfaceDeclaration)
  const propertiesOf = (type: ts.Type) =>
    checker.getPropertiesOfType(type).map((property) => ({
      name: toSnakeCase(property.name),
      type: checker.getTypeOfSymbolAtLocation(property, source),
    }))
  const columns = new Map<string, Column>()
  for (const table of propertiesOf(checker.getTypeAtLocation(database as ts.Node))) {
    for (const { name, type } of propertiesOf(table.type)) {
      const selected = propertiesOf(type).find((property) => property.name === '__select__')?.type ?? type
      const present = checker.getNonNullableType(selected)
      const isOptional = selected.isUnion() && present !== selected
      columns.set(`${table.name}.${name}`, classOf(present, checker) + (isOptional ? '?' : ''))
    }
  }
  return columns
}

const classes: Readonly<Record<string, string>> = {
  bigint: 'number',
  blob: 'bytes',
  boolean: 'boolean',
  bytea: 'bytes',
  'double precision': 'number',
  integer: 'number',
  json: 'json',
  smallint: 'number',
  text: 'text',
}

const queries = {
  sqlite: `select t.name as "table", c.name as "column", lower(c.type) as type, not (c."notnull" or c.pk) as optional
    from pragma_table_list as t, pragma_table_info(t.name) as c
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'`,
  postgres: `select table_name as "table", column_name as "column", data_type as type, is_nullable = 'YES' as optional
    from information_schema.columns where table_schema = 'public'`,
}

const readColumns = async (forge: FakeForge, engine: keyof typeof queries): Promise<Map<string, Column>> => {
  const rows = await forge.platform.atomic((_platform, _at, sql) => sql(queries[engine]))
  await forge.close()
  return new Map(
    rows.map(({ table, column, type, optional }) => [
      `${String(table)}.${String(column)}`,
      (classes[String(type)] ?? String(type)) + (optional ? '?' : ''),
    ]),
  )
}

/** Only the triggers of PostgreSQL use it. */
const postgresOnly = ['permission_version.version']
/** Only on SQLite. */
const sqliteOnly = ['issue_label_key.link']

const describe = (columns: ReadonlyMap<string, Column>, omitted: readonly string[] = []) =>
  [...columns]
    .filter(([name]) => !omitted.includes(name))
    .map((column) => column.join(' '))
    .toSorted()

test.runIf(dialect === 'sqlite')('the row types have the columns of the tables', async () => {
  const columns = await readColumns(await world(), 'sqlite')
  expect(columns.size).toBeGreaterThan(900)
  expect(describe(readRowTypes())).toEqual(describe(columns, postgresOnly))
})

test.runIf(dialect === 'postgres')('the tables have the same columns on SQLite', async () => {
  const columns = await readColumns(await world(), 'postgres')
  expect(describe(columns, postgresOnly)).toEqual(
    describe(await readColumns(await fakeForge(), 'sqlite'), [...sqliteOnly, ...postgresOnly]),
  )
})
