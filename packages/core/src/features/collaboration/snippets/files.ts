import * as v from 'valibot'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { textUpTo } from '../../../kernel/text-limits.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { type SnippetFile, type SnippetRecord, unnamedFile } from './snippet.ts'

/** Text of a file. The limit is the default of GitLab's, 50 MiB. */
export const Content = textUpTo(52_428_800)

/** The default of GitLab's limit. */
const maxFiles = 10

const FilePath = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(255))

/** The files of a new snippet. */
export const NewFiles = v.pipe(
  v.array(
    v.object({
      /** Path in the snippet, 1 to 255 characters, unique. */
      filePath: FilePath,
      /** Text of the file, not blank. */
      content: Content,
    }),
  ),
  v.minLength(1),
  v.maxLength(maxFiles),
)

/** Changes of the files of a snippet. */
export const FileActions = v.pipe(
  v.array(
    v.object({
      /** `create`, `update` (the text), `delete`, or `move` (the path, and the text if `content` is set). */
      action: v.picklist(['create', 'update', 'delete', 'move']),
      /** Path of the file in the snippet; for `move`, the new one. */
      filePath: v.optional(FilePath),
      /** Path of the file to move. */
      previousPath: v.optional(FilePath),
      /** Text of the file, not blank. Required for `create` and `update`. */
      content: v.optional(Content),
    }),
  ),
  v.minLength(1),
  v.maxLength(2 * maxFiles),
)

type FileAction = v.InferOutput<typeof FileActions>[number]

/** @throws PlatformError `invalid` for repeated paths, blank files, none and too many */
export const assertValidFiles = (files: readonly SnippetFile[]): void => {
  const problems = [
    ...(files.length === 0 ? ["can't be empty"] : []),
    ...(files.length > maxFiles ? [`are too many (maximum is ${maxFiles})`] : []),
    ...(new Set(files.map(({ path }) => path)).size < files.length ? ['have the same path'] : []),
    ...(files.some(({ content }) => content.trim() === '') ? ['must not be blank'] : []),
  ]
  if (problems.length) throw invalid({ files: problems })
}

const applyAction = (files: readonly SnippetFile[], change: FileAction): readonly SnippetFile[] => {
  const { action, filePath: path = '', previousPath = path, content } = change
  const source = action === 'move' ? previousPath : path
  const file = files.find((file) => file.path === source)
  if (action !== 'create' && !file) throw invalid({ files: [`have no ${source}`] })
  if (action === 'delete') return files.filter((file) => file.path !== source)
  if (path === '') throw invalid({ files: ['must have a path'] })
  if (action === 'create') return [...files, { path, content: content ?? '' }]
  const changed = { path, content: content ?? (action === 'move' ? file?.content : undefined) ?? '' }
  return files.map((file) => (file.path === source ? changed : file))
}

/** The files after changes. @throws PlatformError `invalid` for a missing file, and as `assertValidFiles` */
export const applyActions = (files: readonly SnippetFile[], actions: readonly FileAction[]): readonly SnippetFile[] => {
  const changed = actions.reduce(applyAction, files)
  assertValidFiles(changed)
  return changed
}

/** Reads the files of a snippet, the first one first. */
export const readFiles = async (ctx: Context, snippetId: number): Promise<readonly SnippetFile[]> => {
  const { fileName, content } = await ctx.db
    .selectFrom('snippet')
    .where('id', '=', snippetId)
    .select(['fileName', 'content'])
    .executeTakeFirstOrThrow()
  const others = ctx.db.selectFrom('snippetFile').where('snippetId', '=', snippetId).orderBy('id')
  return [{ path: fileName || unnamedFile, content }, ...(await others.select(['path', 'content']).execute())]
}

/** Reads one file of a snippet, the first one without a path. Undefined if the snippet does not have it. */
export const readFile = async (
  { db }: Context,
  snippet: Pick<SnippetRecord, 'id' | 'fileName'>,
  path: string | undefined,
): Promise<SnippetFile | undefined> => {
  const firstPath = snippet.fileName || unnamedFile
  if (path === undefined || path === firstPath) {
    const first = db.selectFrom('snippet').where('id', '=', snippet.id).select('content')
    return { path: firstPath, ...(await first.executeTakeFirstOrThrow()) }
  }
  const others = db.selectFrom('snippetFile').where('snippetId', '=', snippet.id).where('path', '=', path)
  return others.select(['path', 'content']).executeTakeFirst()
}

/** Stores the files after the first one instead of the present ones. */
export const replaceOtherFiles = async (ctx: Context, snippetId: number, files: readonly SnippetFile[]) => {
  await ctx.db.deleteFrom('snippetFile').where('snippetId', '=', snippetId).execute()
  if (!files.length) return
  await ctx.db
    .insertInto('snippetFile')
    .values(files.map(({ path, content }) => ({ snippetId, path, content }) satisfies CompleteRow<'snippetFile'>))
    .execute()
}

/** @throws PlatformError `invalid` for files that are together larger than the limit of the settings */
export const assertSnippetSize = async (ctx: Context, contents: readonly string[]): Promise<void> => {
  const { snippetSizeLimit: limit } = await getSettings(ctx)
  const size = contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0)
  if (size > limit) throw invalid({ content: [`is too long (${size} bytes). The maximum size is ${limit} bytes.`] })
}
