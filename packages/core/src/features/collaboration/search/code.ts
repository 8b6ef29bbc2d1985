import { isUtf8 } from 'node:buffer'
import { basename } from 'node:path/posix'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { isPlatformError, notFound } from '../../../kernel/errors.ts'
import { getPageWindow, type Page, paginateArray } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { Repository } from '../../../ports/git.ts'
import type { CommitDetails } from '../../code/commits/commit.ts'
import { readCommits } from '../../code/commits/queries.ts'
import { type OpenedRepository, openRepository, resolveRevision } from '../../code/repository/opened-repository.ts'
import { findTreeEntry } from '../../code/repository/tree-entries.ts'
import type { FoundFile, SearchPage } from './search-page.ts'

interface CodeSearch {
  readonly search: string
  readonly ref?: string | undefined
  readonly page: number
  readonly perPage: number
}

interface SearchedCommit {
  readonly opened: OpenedRepository
  readonly commit: string
  readonly projectId: number
}

/** Lines of a found file before and after the first line with the text. */
const contextLines = 2

/** Longer lines are cut, in characters. */
const maximumLineLength = 1_000

/** Larger files are found without an excerpt. */
const maximumExcerptBytes = 1024 ** 2

/** The text of a file: files of unknown encoding that are not UTF-8 are read as Latin-1. */
const decode = (content: Uint8Array): string => {
  const bytes = Buffer.from(content)
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}

const toExcerpt = (content: string, search: string): Pick<FoundFile, 'startline' | 'data'> => {
  const lines = content.split('\n')
  const text = search.toLowerCase()
  const found = lines.findIndex((line) => line.toLowerCase().includes(text))
  const start = Math.max(0, found - contextLines)
  const excerpt = lines.slice(start, Math.max(0, found) + contextLines + 1)
  return { startline: start + 1, data: excerpt.map((line) => line.slice(0, maximumLineLength)).join('\n') }
}

const readSmallBlob = async (repository: Repository, id: string) => {
  try {
    return await repository.blob(id, { maximumBytes: maximumExcerptBytes })
  } catch (error) {
    if (isPlatformError(error) && error.reason === 'too_large') return undefined
    throw error
  }
}

const readFile = async (
  { opened, commit, projectId }: SearchedCommit,
  path: string,
  { search, ref }: CodeSearch,
): Promise<FoundFile> => {
  const { repository, abortable, defaultBranch } = opened
  const entry = await findTreeEntry(repository, commit, path, abortable)
  const blob = entry && (await readSmallBlob(repository, entry.id))
  const excerpt = blob ? toExcerpt(decode(blob.content), search) : { startline: 1, data: '' }
  const withoutExtension = basename(path).replace(/(?<=.)\.[^.]+$/, '')
  return { basename: withoutExtension, path, filename: path, ref: ref ?? defaultBranch, projectId, ...excerpt }
}

const findFiles = async (found: SearchedCommit, input: CodeSearch): Promise<Page<FoundFile>> => {
  const { opened, commit } = found
  const text = input.search.trim()
  const paths = await opened.repository.searchFiles({ commit, text, ...opened.abortable })
  const page = paginateArray(paths, input)
  const items: FoundFile[] = []
  // One after another, so that one file at a time is in memory.
  for (const path of page.items) items.push(await readFile(found, path, { ...input, search: text }))
  return { ...page, items }
}

const findCommits = async (
  { opened, commit, projectId }: SearchedCommit,
  { search, ...paging }: CodeSearch,
): Promise<Page<CommitDetails>> => {
  const { page, perPage, offset } = getPageWindow(paging)
  const ids = await opened.repository.listCommits({
    tips: [commit],
    message: search.trim(),
    offset,
    limit: perPage + 1,
    ...opened.abortable,
  })
  const items = await readCommits(opened, projectId, ids.slice(0, perPage), { withStats: false })
  return { items, page, perPage, total: undefined, hasNext: ids.length > perPage }
}

/** Searches the files or the messages of a branch, tag or commit of a project. Finds nothing for users who cannot read the code. */
export const searchCode = async (
  ctx: Context,
  scope: 'blobs' | 'commits',
  input: CodeSearch,
  subject: Subjects['project' | 'group' | 'instance'],
): Promise<Deferred<SearchPage>> => {
  // The same limits as those of all other searches.
  parseSearchText(input.search)
  if (subject.kind !== 'project') throw notFound('Project')
  const isReadable = hasAbility(ctx.actor, subject, 'code.read')
  const opened = isReadable ? await openRepository(ctx, subject) : undefined
  return afterTransaction(async (): Promise<SearchPage> => {
    const commit = await resolveRevision(opened, input.ref)
    if (opened === undefined || commit === undefined) {
      if (opened && input.ref !== undefined) throw notFound('Commit')
      return { ...paginateArray([], input), items: [], scope }
    }
    const found = { opened, commit, projectId: subject.project.id }
    return scope === 'blobs'
      ? { ...(await findFiles(found, input)), scope }
      : { ...(await findCommits(found, input)), scope }
  })
}
