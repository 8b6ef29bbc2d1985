import type { Project } from '../../../contract/project.ts'
import type { Commit } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import type { PipelineSource } from '../../code/pipeline-records/pipeline.ts'
import type { Variables } from './variables.ts'

interface PipelineOrigin {
  readonly ref: string
  readonly isTag: boolean
  readonly isProtected: boolean
  readonly source: PipelineSource
  readonly commit: Commit | undefined
  readonly mergeRequest?:
    | { readonly iid: number; readonly sourceBranch: string; readonly targetBranch: string; readonly title: string }
    | undefined
}

/** A name for hosts and paths: lower case, at most 63 characters. */
const toSlug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')

/** The predefined variables of GitLab that are known when a pipeline is created. */
export const predefineVariables = (
  { id, path, fullPath, name, visibility, defaultBranch }: Project,
  { ref, isTag, isProtected, source, commit, mergeRequest }: PipelineOrigin,
): Variables => ({
  CI: 'true',
  GITLAB_CI: 'true',
  CI_PIPELINE_SOURCE: source,
  ...(source === 'trigger' && { CI_PIPELINE_TRIGGERED: 'true' }),
  CI_PROJECT_ID: String(id),
  CI_PROJECT_NAME: path,
  CI_PROJECT_TITLE: name,
  CI_PROJECT_PATH: fullPath,
  CI_PROJECT_PATH_SLUG: toSlug(fullPath),
  CI_PROJECT_NAMESPACE: fullPath.slice(0, -path.length - 1),
  CI_PROJECT_ROOT_NAMESPACE: defined(fullPath.split('/')[0]),
  CI_PROJECT_VISIBILITY: visibility,
  CI_DEFAULT_BRANCH: defaultBranch,
  CI_COMMIT_REF_NAME: ref,
  CI_COMMIT_REF_SLUG: toSlug(ref),
  CI_COMMIT_REF_PROTECTED: String(isProtected),
  ...(commit && {
    CI_COMMIT_SHA: commit.id,
    CI_COMMIT_SHORT_SHA: commit.id.slice(0, 8),
    CI_COMMIT_MESSAGE: commit.message,
    CI_COMMIT_TITLE: defined(commit.message.split('\n')[0]),
  }),
  ...(isTag && { CI_COMMIT_TAG: ref }),
  ...(!isTag && !mergeRequest && { CI_COMMIT_BRANCH: ref }),
  ...(mergeRequest && {
    CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
    CI_MERGE_REQUEST_TITLE: mergeRequest.title,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: mergeRequest.sourceBranch,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: mergeRequest.targetBranch,
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
  }),
})
