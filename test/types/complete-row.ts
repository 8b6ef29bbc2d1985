/** Type tests of `CompleteRow`: an insert that omits a column does not compile. Never run. */
import type { Database } from '../../packages/core/src/contract/database.ts'
import type { CompleteRow } from '../../packages/core/src/db/complete-row.ts'
import { insertSelected } from '../../packages/core/src/db/insert-selected.ts'

type GeneratedNumber = Database['user']['themeId']
type GeneratedBoolean = Database['user']['canCreateGroup']
type MaintainedByTrigger = Database['issueLabelKey']['link']

interface Before {
  sample: {
    id: GeneratedNumber
    name: string
    color: string | null
    archived: GeneratedBoolean
    size: MaintainedByTrigger
  }
  /** A table whose id is not generated. */
  detail: { id: number; text: string | null }
}

/** The same tables after a nullable column and one with a default were added. */
interface After extends Before {
  sample: Before['sample'] & { note: string | null; level: GeneratedNumber }
}

const row = { name: 'x', color: null, archived: false }

export const completeRows = () => {
  void (row satisfies CompleteRow<'sample', Before>)
  void ({ ...row, note: null, level: 1 } satisfies CompleteRow<'sample', After>)
  void ({ id: 1, text: null } satisfies CompleteRow<'detail', Before>)
}

export const incompleteRows = () => {
  // @ts-expect-error: the columns that were added are missing
  void (row satisfies CompleteRow<'sample', After>)
  // @ts-expect-error: the nullable column is missing
  void ({ ...row, level: 1 } satisfies CompleteRow<'sample', After>)
  // @ts-expect-error: the column with a default is missing
  void ({ ...row, note: null } satisfies CompleteRow<'sample', After>)
  const optional: { note?: string } = {}
  // @ts-expect-error: the object that is spread may lack the column
  void ({ ...row, level: 1, ...optional } satisfies CompleteRow<'sample', After>)
  // @ts-expect-error: a column that is undefined is left out of the statement
  void ({ ...row, level: 1, note: undefined } satisfies CompleteRow<'sample', After>)
  // @ts-expect-error: no such column
  void ({ ...row, colour: 'red' } satisfies CompleteRow<'sample', Before>)
  // @ts-expect-error: the database generates the id
  void ({ ...row, id: 1 } satisfies CompleteRow<'sample', Before>)
  // @ts-expect-error: this id is not generated
  void ({ text: 'x' } satisfies CompleteRow<'detail', Before>)
}

export const inserts = (db: Parameters<typeof insertSelected>[0]) => {
  const label = { projectId: 1, groupId: null, name: 'bug', color: '#ff0000', createdAt: '', updatedAt: '' }
  // Kysely alone accepts the row without the nullable description.
  void db.insertInto('label').values(label).execute()
  // @ts-expect-error: the description is missing
  void (label satisfies CompleteRow<'label'>)
  void db
    .insertInto('label')
    .values(({ val }) => ({ ...label, description: val('text') }) satisfies CompleteRow<'label'>)
    .execute()
}

export const copies = (db: Parameters<typeof insertSelected>[0]) => {
  const links = db.selectFrom('issueLabel').where('labelId', '=', 1)
  insertSelected(db, 'issueLabel', links, ({ val, ref }) => ({ issueId: ref('issueId'), labelId: val(2) }))
  // @ts-expect-error: the issue is missing
  insertSelected(db, 'issueLabel', links, ({ val }) => ({ labelId: val(2) }))
  // @ts-expect-error: an id is a number
  insertSelected(db, 'issueLabel', links, ({ val, ref }) => ({ issueId: ref('issueId'), labelId: val('bug') }))
}
