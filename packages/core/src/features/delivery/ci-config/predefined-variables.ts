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
  /** SHA of the branch before a push. */
  readonly before?: string | null | undefined
  readonly mergeRequest?:
    | {
        readonly id: number
        readonly iid: number
        readonly sourceBranch: string
        readonly targetBranch: string
        readonly title: string
        readonly projectId: number
        readonly sourceProjectId: number | null
      }
    | undefined
  /** Full references of open merge requests from the branch: `acme/web!7`. */
  readonly openMergeRequests: readonly string[]
  /** Path of the pipeline file. */
  readonly configPath: string
  /** Who starts the pipeline; undefined for the host. */
  readonly user: { readonly id: number; readonly username: string; readonly name: string } | undefined
  /** The URL of the site without a trailing slash; undefined if the call does not know it. */
  readonly siteUrl: string | undefined
  readonly apiVersion: string
  /** Whether the project is in a freeze period. */
  readonly isDeployFrozen: boolean
  /** ISO 8601. */
  readonly now: string
}

/** What the URL of the site determines. */
const predefineUrls = (siteUrl: string, { fullPath }: Project): Variables => {
  const { host, hostname, port, protocol } = new URL(siteUrl)
  const scheme = protocol.slice(0, -1)
  return {
    CI_API_V4_URL: `${siteUrl}/api/v4`,
    CI_API_GRAPHQL_URL: `${siteUrl}/api/graphql`,
    CI_PROJECT_URL: `${siteUrl}/${fullPath}`,
    CI_SERVER_URL: siteUrl,
    CI_SERVER_HOST: hostname,
    CI_SERVER_FQDN: host,
    CI_SERVER_PORT: port || (scheme === 'https' ? '443' : '80'),
    CI_SERVER_PROTOCOL: scheme,
  }
}

const predefineCommit = ({ id, title, message, author, committedAt }: Commit): Variables => ({
  CI_COMMIT_SHA: id,
  CI_COMMIT_SHORT_SHA: id.slice(0, 8),
  CI_COMMIT_MESSAGE: message,
  CI_COMMIT_TITLE: title,
  CI_COMMIT_DESCRIPTION: message.startsWith(title) ? message.slice(title.length).trim() : message,
  CI_COMMIT_AUTHOR: `${author.name} <${author.email}>`,
  CI_COMMIT_TIMESTAMP: committedAt,
})

const noCommit = '0'.repeat(40)

/** A name for hosts and paths: lower case, at most 63 characters. */
const toSlug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')

/** The predefined variables of GitLab that are known when a pipeline is created: https://docs.gitlab.com/ci/variables/predefined_variables/. */
export const predefineVariables = (project: Project, origin: PipelineOrigin): Variables => {
  const { id, path, fullPath, name, description, namespaceId, visibility, defaultBranch } = project
  const { ref, isTag, isProtected, source, commit, before, mergeRequest, user, siteUrl, apiVersion, now } = origin
  const namespace = fullPath.slice(0, -path.length - 1)
  const [major = '', minor = '', patch = ''] = apiVersion.split(/[.-]/)
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER: 'yes',
    CI_SERVER_NAME: 'GitLab',
    CI_SERVER_VERSION: apiVersion,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_PIPELINE_SOURCE: source,
    CI_PIPELINE_CREATED_AT: now,
    ...(origin.isDeployFrozen && { CI_DEPLOY_FREEZE: 'true' }),
    ...(source === 'trigger' && { CI_PIPELINE_TRIGGERED: 'true' }),
    CI_CONFIG_PATH: origin.configPath,
    CI_PROJECT_ID: String(id),
    CI_PROJECT_NAME: path,
    CI_PROJECT_TITLE: name,
    CI_PROJECT_DESCRIPTION: description ?? '',
    CI_PROJECT_PATH: fullPath,
    CI_PROJECT_PATH_SLUG: toSlug(fullPath),
    CI_PROJECT_NAMESPACE: namespace,
    CI_PROJECT_NAMESPACE_ID: String(namespaceId),
    CI_PROJECT_NAMESPACE_SLUG: toSlug(namespace),
    CI_PROJECT_ROOT_NAMESPACE: defined(fullPath.split('/')[0]),
    CI_PROJECT_VISIBILITY: visibility,
    CI_DEFAULT_BRANCH: defaultBranch,
    CI_DEFAULT_BRANCH_SLUG: toSlug(defaultBranch),
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: toSlug(ref),
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    CI_COMMIT_BEFORE_SHA: before ?? noCommit,
    ...(commit && predefineCommit(commit)),
    ...(isTag && { CI_COMMIT_TAG: ref }),
    ...(!isTag && !mergeRequest && { CI_COMMIT_BRANCH: ref }),
    ...(origin.openMergeRequests.length > 0 && { CI_OPEN_MERGE_REQUESTS: origin.openMergeRequests.join(',') }),
    ...(user && {
      GITLAB_USER_ID: String(user.id),
      GITLAB_USER_LOGIN: user.username,
      GITLAB_USER_NAME: user.name,
    }),
    ...(siteUrl !== undefined && predefineUrls(siteUrl, project)),
    ...(mergeRequest && {
      CI_MERGE_REQUEST_ID: String(mergeRequest.id),
      CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
      CI_MERGE_REQUEST_REF_PATH: `refs/merge-requests/${mergeRequest.iid}/head`,
      CI_MERGE_REQUEST_TITLE: mergeRequest.title,
      CI_MERGE_REQUEST_PROJECT_ID: String(mergeRequest.projectId),
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(mergeRequest.sourceProjectId ?? ''),
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: mergeRequest.sourceBranch,
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: mergeRequest.targetBranch,
      ...(mergeRequest.projectId === id && {
        CI_MERGE_REQUEST_PROJECT_PATH: fullPath,
        ...(siteUrl !== undefined && { CI_MERGE_REQUEST_PROJECT_URL: `${siteUrl}/${fullPath}` }),
      }),
      CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    }),
  }
}
