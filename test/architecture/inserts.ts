interface Insert {
  /** The table, or the expression that names it. */
  readonly table: string
  /** Whether the rows are declared with `satisfies CompleteRow` of this table. */
  readonly complete: boolean
}

/** Inserts whose rows are checked in another way than by `satisfies CompleteRow` in the same file. */
export const uncheckedInserts: readonly { readonly path: string; readonly table: string; readonly because: string }[] =
  [
    {
      path: 'packages/core/src/db/copy/copy-store.ts',
      table: 'property',
      because: 'the rows are those of another database with the same schema',
    },
    {
      path: 'packages/core/src/db/insert-selected.ts',
      table: 'table',
      because: 'its parameter type requires an expression for every column',
    },
    {
      path: 'packages/core/src/features/planning/issuables/relations.ts',
      table: 'table',
      because: 'the rows come from `toLabelRow` and `toAssigneeRow`, which satisfy CompleteRow',
    },
  ]

/** The text from an opening parenthesis to the one that closes it, without both. */
const readArguments = (code: string, open: number): string => {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++
    if (code[at] === ')') depth--
    if (depth === 0) return code.slice(open + 1, at)
  }
  return code.slice(open + 1)
}

/** The inserts of a source file. Rows in a variable count if the same file declares complete rows of the table. */
export function findInserts(code: string): Insert[] {
  return Array.from(code.matchAll(/\binsertInto\(/g), ({ index }) => {
    const table = readArguments(code, index + 'insertInto'.length).replaceAll("'", '')
    const rest = code.slice(code.indexOf(')', index) + 1)
    const values = /^\s*\.values\(/.exec(rest)
    if (!values) return { table, complete: false }
    const rows = readArguments(rest, values[0].length - 1)
    const place = /^\w+$/.test(rows.trim()) ? code : rows
    return { table, complete: place.includes(`satisfies CompleteRow<'${table}'>`) }
  })
}
