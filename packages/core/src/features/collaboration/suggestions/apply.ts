import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import type { Repository } from '../../../ports/git.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { readViewerAccess } from '../../code/protected-references/reference-access.ts'
import { findPusher, type Pusher, resolvePusher, writeToBranches } from '../../code/repository/branch-writer.ts'
import { mayPushToFork } from '../../code/repository/collaboration.ts'
import { findTreeEntry } from '../../code/repository/tree-entries.ts'
import { setResolved } from '../discussions/mutations.ts'
import { loadProjectSettings } from '../merge-requests/mergeability.ts'
import { findSourceProject } from '../merge-requests/source-project.ts'
import { createLocator, type Location, readLines } from './locate.ts'
import { createSuggestionMessage } from './message.ts'
import { findSuggestions, type SuggestionRow, toSuggestion } from './queries.ts'
import type { Suggestion } from './suggestion.ts'

/** The texts of errors are those of GitLab. */
const assertAppliable = (state: Subjects['mergeRequest']['mergeRequest']['state'], row: SuggestionRow) => {
  if (row.commitId !== null) throw invalid("Can't apply this suggestion.")
  if (state === 'merged')
    throw invalid('This merge request was merged. To apply this suggestion, edit this file directly.')
  if (state !== 'opened')
    throw invalid('This merge request is closed. To apply this suggestion, edit this file directly.')
  if (row.outdated) throw outdatedError(row)
  if (row.fromContent === row.toContent) throw invalid('This suggestion already matches its content.')
}

const outdatedError = ({ fromLine, toLine }: Pick<SuggestionRow, 'fromLine' | 'toLine'>) =>
  invalid(
    fromLine === toLine
      ? "Can't apply as this line was changed in a more recent version."
      : "Can't apply as these lines were changed in a more recent version.",
  )

interface Replacement {
  readonly at: Location
  readonly toContent: string
}

/** @throws PlatformError `invalid` for overlapping lines */
const replaceLines = (lines: readonly string[], replacements: readonly Replacement[]): string => {
  const result = [...lines]
  let next = Number.POSITIVE_INFINITY
  for (const { at, toContent } of replacements.toSorted((one, other) => other.at.fromLine - one.at.fromLine)) {
    if (at.toLine >= next) throw invalid('Suggestions are not applicable as their lines cannot overlap.')
    result.splice(at.fromLine - 1, at.toLine - at.fromLine + 1, toContent)
    next = at.fromLine
  }
  return result.join('')
}

const writeFile = async (repository: Repository, tip: string, path: string, replacements: readonly Replacement[]) => {
  const lines = (await readLines(repository, tip, path)) ?? []
  const isExecutable = (await findTreeEntry(repository, tip, path))?.mode === '100755'
  const mode = isExecutable ? '100755' : '100644'
  return { path, content: replaceLines(lines, replacements), mode } as const
}

const locateAll = async (repository: Repository, tip: string, rows: readonly SuggestionRow[]) => {
  const locate = createLocator(repository, tip)
  const replacements: Replacement[] = []
  for (const row of rows) {
    const at = await locate(row)
    if (at === undefined) throw outdatedError(row)
    replacements.push({ at, toContent: row.toContent })
  }
  return Map.groupBy(replacements, ({ at }) => at.path)
}

/** The source project, if the current user may push to the source branch. */
const getWritableSource = async (ctx: Context, subject: Subjects['mergeRequest']) => {
  const { sourceBranch } = subject.mergeRequest
  const source = await findSourceProject(ctx, subject)
  if (source === undefined) throw invalid("Can't apply as the source branch was deleted.")
  const access = await readViewerAccess(ctx, source)
  if (!(await mayPushToFork(ctx, source, sourceBranch)) || !access.canPush(sourceBranch))
    throw forbidden('You are not allowed to push into this branch.')
  return source
}

/** Who the commit is by: the author of the suggestions, or of several the user who applies them. */
const readPeople = async (ctx: Context, authorId: number, otherAuthorIds: readonly number[]) => {
  const author = await findPusher(ctx, authorId)
  const others: Pusher[] = []
  for (const id of new Set(otherAuthorIds)) if (id !== authorId) others.push(await findPusher(ctx, id))
  const pusher = await resolvePusher(ctx)
  const committer = pusher ?? author
  return {
    pusher,
    committer,
    author: others.length === 0 ? author : committer,
    coAuthors: [author, ...others].filter(({ id }) => id !== committer.id),
    user: await findUser(ctx, committer.id),
  }
}

/**
 * Commits the changes of suggestions to the source branch, and resolves their discussions.
 *
 * @throws PlatformError `forbidden` if the current user may not push to the source branch; `invalid` for suggestions that cannot be
 * applied, with the text of GitLab
 */
export const applySuggestions = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  ids: readonly number[],
  commitMessage: string | undefined,
): Promise<Deferred<readonly [Suggestion, ...Suggestion[]]>> => {
  const { sourceBranch, state } = subject.mergeRequest
  const source = await getWritableSource(ctx, subject)
  const rows = await findSuggestions(ctx, ids)
  const [first, ...others] = rows
  if (first === undefined) throw notFound('Suggestion')
  for (const row of rows) assertAppliable(state, row)
  const { pusher, author, committer, coAuthors, user } = await readPeople(
    ctx,
    first.authorId,
    others.map(({ authorId }) => authorId),
  )
  const { ports, now } = ctx
  const settings = await loadProjectSettings(ctx, [subject.project.id])
  const template = commitMessage || (settings.get(subject.project.id)?.suggestionCommitMessage ?? '')
  return afterTransaction(async ({ write }) => {
    const commitId = await writeToBranches({ ports, write }, source, pusher, async (branches) => {
      const { repository } = branches
      const tip = await repository.branch(sourceBranch)
      if (tip === undefined) throw invalid("Can't apply as the source branch was deleted.")
      const byPath = [...(await locateAll(repository, tip, rows))]
      const files = await Promise.all(
        byPath.map(([path, replacements]) => writeFile(repository, tip, path, replacements)),
      )
      const message = createSuggestionMessage(template, {
        ...{ branch: sourceBranch, files: byPath.map(([path]) => path), project: subject.project, user, coAuthors },
        count: rows.length,
      })
      return branches.commit({
        ...{ branch: sourceBranch, message, parents: [tip], files },
        author: { name: author.name, email: author.email, date: now },
        committer: { name: committer.name, email: committer.email, date: now },
      })
    })
    return write(async (later) => {
      await later.db.updateTable('suggestion').set({ commitId }).where('id', 'in', ids).execute()
      const discussions = rows.map(({ discussion }) => discussion)
      const notes = later.db.selectFrom('discussionNote').where('discussion', 'in', discussions).select('noteId')
      const resolved = (await notes.execute()).map(({ noteId }) => ({ id: noteId, resolvable: true }))
      await setResolved(later, resolved, true)
      const applied = (row: SuggestionRow) => toSuggestion(state)({ ...row, commitId })
      return [applied(first), ...others.map(applied)] as const
    })
  })
}
