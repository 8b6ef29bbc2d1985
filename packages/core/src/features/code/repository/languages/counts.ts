import type { CompleteRow } from '../../../../db/complete-row.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { Handle } from '../../../../kernel/store.ts'
import type { Abortable, Repository, SizedFile } from '../../../../ports/git.ts'
import type { RepositoryLanguage } from './language.ts'

/** Files that are counted; the others of a larger repository are ignored. */
const maxFiles = 100_000
/** Bytes of `.gitattributes`. */
const maxAttributeBytes = 100_000

/** The languages that were counted for a commit; undefined if another commit was counted last, or none. */
export async function readCountedLanguages(
  { db }: Pick<Handle, 'db'>,
  projectId: number,
  commit: string,
): Promise<RepositoryLanguage[] | undefined> {
  const counted = await db
    .selectFrom('languageCount')
    .where('projectId', '=', projectId)
    .select('commitId')
    .executeTakeFirst()
  if (counted?.commitId !== commit) return undefined
  return db
    .selectFrom('projectLanguage')
    .where('projectId', '=', projectId)
    .orderBy('position')
    .select(['name', 'share'])
    .execute()
}

/** Stores the languages of the newest commit of the default branch, which the lists of projects filter by. */
export async function storeLanguages(
  { db }: Pick<Context, 'db'>,
  projectId: number,
  commitId: string,
  languages: readonly RepositoryLanguage[],
): Promise<void> {
  await db
    .insertInto('languageCount')
    .values({ projectId, commitId } satisfies CompleteRow<'languageCount'>)
    .onConflict((existing) => existing.column('projectId').doUpdateSet({ commitId }))
    .execute()
  await db.deleteFrom('projectLanguage').where('projectId', '=', projectId).execute()
  const rows = languages.map(
    ({ name, share }, position) =>
      ({ projectId, name, nameKey: name.toLowerCase(), share, position }) satisfies CompleteRow<'projectLanguage'>,
  )
  if (rows.length > 0) await db.insertInto('projectLanguage').values(rows).execute()
}

const readAttributes = async (repository: Repository, files: readonly SizedFile[]): Promise<string> => {
  const file = files.find(({ path }) => path === '.gitattributes')
  if (file === undefined || file.size > maxAttributeBytes) return ''
  const blob = await repository.blob(file.id)
  return blob === undefined ? '' : Buffer.from(blob.content).toString('utf8')
}

/** Counts the languages of a commit. Reads names and sizes of files only. */
export async function countLanguages(
  repository: Repository,
  commit: string,
  abortable: Abortable,
): Promise<RepositoryLanguage[]> {
  const files = await repository.files(commit, abortable)
  // Loaded on first use: the names and extensions of all languages.
  const { detectLanguages } = await import('./detect.ts')
  return detectLanguages(files.slice(0, maxFiles), await readAttributes(repository, files))
}
