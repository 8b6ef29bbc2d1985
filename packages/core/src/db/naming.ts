import {
  type BinaryOperationNode,
  type CommonTableExpressionNameNode,
  type IdentifierNode,
  type OperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type SchemableIdentifierNode,
  SqliteQueryCompiler,
} from 'kysely'

/** Lowercase letters, digits and `_`: valid in both databases without quotes. 30 leave room for table names in PostgreSQL's 63. */
const namePattern = /^[a-z_][a-z0-9_]{0,29}$/

/** @throws TypeError when the name would need quotes or is reserved by a database */
export const assertPlainName = (what: string, name: string): string => {
  if (namePattern.test(name) && !name.startsWith('sqlite_') && !name.startsWith('pg_')) return name
  throw new TypeError(
    `Invalid ${what} "${name}": use 1 to 30 lowercase letters, digits and "_", not starting with a digit, "sqlite_" or "pg_"`,
  )
}

const identifiers = new Map<string, string>()

/** The name in SQL: `createdAt` becomes `created_at`. The names are those of the sources, so the memory is bounded. */
const toIdentifier = (name: string): string => {
  const known = identifiers.get(name)
  if (known !== undefined) return known
  const identifier = name
    .replace(/(?<=[^A-Z])[A-Z]/g, '_$&')
    .toLowerCase()
    .replaceAll('"', '""')
  identifiers.set(name, identifier)
  return identifier
}

/**
 * SQLite replans a prepared join whenever a plain `?` is bound, because the value can affect the plan. With `+?` it plans
 * once, which makes joins two to five times as fast.
 */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }

  protected override sanitizeIdentifier(name: string): string {
    return toIdentifier(name)
  }
}

const emptyLists: Readonly<Record<string, string>> = { in: '1 = 0', 'not in': '1 = 1' }

/** Like SQLite, PostgreSQL accepts an empty list: `in ()` is an error there, which tests on SQLite would not show. */
class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand } = node
    const isEmpty = PrimitiveValueListNode.is(rightOperand) && rightOperand.values.length === 0
    const constant = isEmpty && OperatorNode.is(operator) ? emptyLists[operator.operator] : undefined
    if (constant === undefined) super.visitBinaryOperation(node)
    else this.append(constant)
  }

  protected override sanitizeIdentifier(name: string): string {
    return toIdentifier(name)
  }
}

/** The pseudo-table of `on conflict do update`, which must not get a prefix. */
const excluded = 'excluded'

/** An identifier with one of these parents names a table, an index or a trigger, not a column. */
const tableNameParents = new Set<OperationNode['kind'] | undefined>([
  'SchemableIdentifierNode',
  'CreateIndexNode',
  'RawNode',
])

/**
 * Adds the prefix to all names of tables, indexes and triggers, which share one namespace in SQLite, and to the table
 * aliases of queries, so that an alias and a table with the same name stay the same.
 */
class PrefixingCompiler extends SqliteCompiler {
  readonly #prefix: string

  constructor(prefix: string) {
    super()
    this.#prefix = prefix
  }

  protected override visitIdentifier(node: IdentifierNode): void {
    const [above, twoAbove] = [this.nodeStack.at(-2), this.nodeStack.at(-3)]
    const isTableName =
      above?.kind === 'AliasNode' ? twoAbove?.kind !== 'SelectionNode' : tableNameParents.has(above?.kind)
    const needsPrefix = isTableName && node.name !== excluded
    super.visitIdentifier(needsPrefix ? { ...node, name: this.#prefix + node.name } : node)
  }
}

/** A table with one of these parents is a reference to a name of the same query. */
const tableReferenceParents = new Set<OperationNode['kind'] | undefined>([
  'ReferenceNode',
  'SelectModifierNode',
  'CommonTableExpressionNameNode',
])

/** Qualifies all table names with the schema, so that they do not depend on the connection's search path. */
class QualifyingCompiler extends PostgresCompiler {
  readonly #schema: IdentifierNode
  /** Names of common table expressions in the current query. */
  readonly #expressionNames = new Set<string>()

  constructor(schema: string) {
    super()
    this.#schema = { kind: 'IdentifierNode', name: schema }
  }

  override compileQuery(...args: Parameters<PostgresCompiler['compileQuery']>) {
    this.#expressionNames.clear()
    return super.compileQuery(...args)
  }

  protected override visitCommonTableExpressionName(node: CommonTableExpressionNameNode): void {
    this.#expressionNames.add(node.table.table.identifier.name)
    super.visitCommonTableExpressionName(node)
  }

  protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
    const [above, twoAbove] = [this.nodeStack.at(-2), this.nodeStack.at(-3)]
    const isReference =
      above?.kind === 'TableNode' &&
      (tableReferenceParents.has(twoAbove?.kind) || this.#expressionNames.has(node.identifier.name))
    super.visitSchemableIdentifier(isReference ? node : { ...node, schema: this.#schema })
  }
}

/** How a store names its tables; empty for the default names. */
export interface TableNaming {
  /** SQLite: the prefix of all names. */
  readonly prefix?: string | undefined
  /** PostgreSQL: the schema of all tables. */
  readonly schema?: string | undefined
}

// Subclasses, because Kysely binds the methods in the constructor: replacing one on an instance has no effect.
export const queryCompilers = {
  sqlite: ({ prefix }: TableNaming) => (prefix ? new PrefixingCompiler(prefix) : new SqliteCompiler()),
  postgres: ({ schema }: TableNaming) => (schema ? new QualifyingCompiler(schema) : new PostgresCompiler()),
} as const
