import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import type { Ports } from '../../../ports/ports.ts'
import { areOfSameNetwork } from '../../spaces/projects/fork-network.ts'
import { type OpenedRepository, openRepository, resolveRevision } from './opened-repository.ts'
import { isRepositoryShared } from './queries.ts'
import { addFileHeader, type RepositoryComparison, toComparison } from './repository.ts'
import { changeRepository, openForWriting } from './writable-repository.ts'

type ProjectSubject = Subjects['project']

/**
 * The project that contains the older side of a comparison.
 *
 * @throws PlatformError `invalid` for a project outside the fork network, and for one whose code the current user cannot read
 */
export async function loadOlderSide(
  ctx: Context,
  subject: ProjectSubject,
  fromProjectId: number | undefined,
): Promise<ProjectSubject> {
  const { id } = subject.project
  if (fromProjectId === undefined || fromProjectId === id) return subject
  const other = await loadIfVisible(ctx, project, { project: fromProjectId })
  const isReadable = other !== undefined && hasAbility(ctx.actor, other, 'code.read')
  if (!isReadable || !(await areOfSameNetwork(ctx, id, fromProjectId)))
    throw invalid(`Target project id:${fromProjectId} is not a fork of project id:${id}`)
  return other
}

/** The repositories of both sides, which are the same one for a comparison within a project. */
interface Sides {
  readonly projectId: number
  readonly from: OpenedRepository
  readonly to: OpenedRepository
  /** Whether other databases use the repository of the newer side, so that it must be copied before it changes. */
  readonly isShared: boolean
}

/** Opens the repositories; undefined if one of the projects has none. */
export async function openSides(
  ctx: Context,
  older: ProjectSubject,
  newer: ProjectSubject,
): Promise<Sides | undefined> {
  const projectId = newer.project.id
  const to = await openRepository(ctx, newer)
  const from = older === newer ? to : await openRepository(ctx, older)
  if (to === undefined || from === undefined) return undefined
  return { projectId, from, to, isShared: from !== to && (await isRepositoryShared(ctx, projectId)) }
}

/** Copies a commit of the older side to the repository of the newer side, unless it is there. */
const copyCommit = async (
  { write }: TransactionRunner,
  ports: Ports,
  { projectId, from, to, isShared }: Sides,
  commit: string,
): Promise<OpenedRepository> => {
  if (from === to || (await to.repository.commit(commit)) !== undefined) return to
  const repository = isShared
    ? await changeRepository({ ports, write }, projectId, (writer) => openForWriting(writer, projectId))
    : to.repository
  if (repository === undefined) throw notFound('Ref')
  await repository.fetchObjects({ from: from.repository.directory, commit, ...from.abortable })
  return { ...to, repository }
}

interface ComparisonRequest {
  readonly from: string
  readonly to: string
  readonly straight: boolean
  readonly unidiff: boolean
}

/** Compares two revisions. @throws PlatformError `not_found` for an unknown one */
export async function compareSides(
  runner: TransactionRunner,
  ports: Ports,
  sides: Sides | undefined,
  { straight, unidiff, ...revisions }: ComparisonRequest,
): Promise<RepositoryComparison> {
  // Unlike elsewhere, an empty revision is not the default branch.
  const resolve = (opened: OpenedRepository | undefined, text: string) =>
    text === '' ? undefined : resolveRevision(opened, text)
  const [from, to] = await Promise.all([resolve(sides?.from, revisions.from), resolve(sides?.to, revisions.to)])
  if (sides === undefined || from === undefined || to === undefined) throw notFound('Ref')
  const { repository, projectPath, maximumPatchBytes, abortable } = await copyCommit(runner, ports, sides, from)
  const [found, base] = await Promise.all([
    repository.compare({ from, to, straight, maximumPatchBytes, ...abortable }),
    straight ? from : repository.mergeBase([from, to], abortable),
  ])
  const comparison = toComparison(found, projectPath, { from, to, base: base ?? from })
  return unidiff ? { ...comparison, diffs: comparison.diffs.map(addFileHeader) } : comparison
}
