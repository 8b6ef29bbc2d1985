import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { readRules } from '../../code/protected-references/queries.ts'
import { matchesName } from '../../code/protected-references/reference-names.ts'
import { resolveName } from '../../code/repository/opened-repository.ts'
import { isFromFork } from '../../collaboration/merge-requests/merge-request.ts'
import { selectOpenFrom } from '../../collaboration/merge-requests/queries.ts'
import type { PipelineConditions } from '../ci-config/plan.ts'
import { predefineVariables } from '../ci-config/predefined-variables.ts'
import type { ChangeList } from '../ci-config/repository-reader.ts'
import { readJobVariables } from '../ci-variables/effective-variables.ts'
import { isDeployFrozen } from '../freeze-periods/queries.ts'
import type { PipelineRequest, PipelineTarget } from './pipeline-request.ts'
import { canRunOn } from './reference-permission.ts'

/** What a pipeline file needs to know of its pipeline. */
export interface PlanInputs {
  readonly conditions: PipelineConditions
  readonly listChanges: (compareTo: string | undefined) => Promise<ChangeList>
}

interface Comparison {
  readonly from: string
  readonly to: string
  readonly straight: boolean
}

const listDifferences = async (
  { repository }: Pick<PipelineTarget, 'repository'>,
  comparison: Comparison,
): Promise<ChangeList> => {
  const { diffs, overflow, timedOut } = await repository.compare(comparison)
  return overflow || timedOut ? 'all' : diffs.flatMap(({ oldPath, newPath }) => [oldPath, newPath])
}

/** The paths that a merge request or a push to an existing branch changes. */
const listChangedPaths = async (
  target: PipelineTarget,
  { mergeRequest, mergeBase, before = null }: PlanRequest,
): Promise<ChangeList> => {
  const { repository, sha, isTag } = target
  const tip = mergeRequest && (mergeBase ?? (await repository.branch(mergeRequest.targetBranch)))
  const from = mergeRequest ? tip : isTag ? undefined : before
  if (from === undefined || from === null || (await repository.commit(from)) === undefined) return 'all'
  return listDifferences(target, { from, to: sha, straight: !mergeRequest })
}

/** The paths that differ from the merge base with a branch, tag or commit, with or without `refs/heads/` or `refs/tags/`. */
const compareTo = async (target: PipelineTarget, name: string, { defaultBranch }: Project): Promise<ChangeList> => {
  const { repository, sha } = target
  const [, kind, plain = name] = /^refs\/(heads|tags)\/(.+)$/s.exec(name) ?? []
  const from =
    kind === 'heads'
      ? await repository.branch(plain)
      : kind === 'tags'
        ? await repository.tag(plain)
        : await resolveName({ repository, defaultBranch }, name)
  return from === undefined ? 'missing ref' : listDifferences(target, { from, to: sha, straight: false })
}

/** Whether a branch or tag is protected. */
export const isProtectedName = async (
  ctx: Context,
  projectId: number,
  { name, isTag }: Pick<PipelineTarget, 'name' | 'isTag'>,
) =>
  (await readRules(ctx, projectId)).some(
    (rule) => rule.kind === (isTag ? 'tag' : 'branch') && matchesName(rule.name, name),
  )

/** Whether a pipeline in the target project is for the branch of a fork. */
const runsForFork = ({ id }: Pick<Project, 'id'>, mergeRequest: NonNullable<PipelineRequest['mergeRequest']>) =>
  id === mergeRequest.projectId && isFromFork(mergeRequest)

/** As in GitLab, only the first ones are named. */
const maxOpenMergeRequests = 4

/** The references of open merge requests from a branch: `acme/web!7`. Rules must not reveal the paths of private projects. */
const listOpenMergeRequests = async (
  ctx: Context,
  { id }: Project,
  { sourceBranch, sourceProjectId }: { readonly sourceBranch: string; readonly sourceProjectId?: number | null },
): Promise<readonly string[]> => {
  const open = await selectOpenFrom(ctx, sourceProjectId ?? id, sourceBranch)
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where((eb) => eb.or([eb('project.id', '=', id), eb('project.visibility', '=', 'public')]))
    .select(['project.fullPath', 'mergeRequest.iid'])
    .limit(maxOpenMergeRequests)
    .execute()
  return open.map(({ fullPath, iid }) => `${fullPath}!${iid}`)
}

const toValues = (variables: readonly { readonly key: string; readonly value: string }[]) =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]))

type PlanRequest = Omit<PipelineRequest, 'ref'> & {
  /** Path of the pipeline file. */
  readonly configPath: string
}

/** The conditions and changes of a pipeline of a branch or tag. */
export const readPlanInputs = async (
  runner: TransactionRunner,
  { project }: Pick<Subjects['project'], 'project'>,
  target: PipelineTarget,
  request: PlanRequest,
): Promise<PlanInputs> => {
  const { source, configPath, variables = [], inputs = {}, before, mergeRequest, readsVariables = true } = request
  const { name: ref, isTag, sha } = target
  const { stored, ...known } = await runner.read(async (ctx) => {
    // The name of a branch of a fork can be that of a protected branch here.
    const isForeign = mergeRequest !== undefined && runsForFork(project, mergeRequest)
    const isProtected = !isForeign && (await isProtectedName(ctx, project.id, target))
    const known = {
      isProtected,
      openMergeRequests: isTag ? [] : await listOpenMergeRequests(ctx, project, mergeRequest ?? { sourceBranch: ref }),
      user: ctx.actor.kind === 'user' ? ctx.actor : undefined,
      siteUrl: ctx.call.siteUrl,
      apiVersion: ctx.apiVersion,
      isDeployFrozen: await isDeployFrozen(ctx, project.id),
      now: ctx.now,
    }
    if (!readsVariables) return { ...known, stored: [] }
    // A rule must not reveal the values of protected variables to those who cannot change the branch.
    const isTrusted = isProtected && (await canRunOn(ctx, project, target))
    return { ...known, stored: await readJobVariables(ctx, project, { isProtected: isTrusted, environment: null }) }
  })
  const commit = await target.repository.commit(sha)
  const origin = { ...known, configPath, ref, isTag, source, commit, before, mergeRequest }
  const given = toValues(variables)
  return {
    conditions: {
      ref,
      isTag,
      source,
      variables: { ...predefineVariables(project, origin), ...toValues(stored), ...given },
      given,
      masked: stored.filter(({ key, masked }) => masked && !Object.hasOwn(given, key)).map(({ key }) => key),
      inputs,
    },
    listChanges: (name) => (name === undefined ? listChangedPaths(target, request) : compareTo(target, name, project)),
  }
}
