import { matchesGlob as matchesPath } from 'node:path'
import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import type { PipelineSource } from '../../code/pipeline-records/pipeline.ts'

/** Makes a leading dot an ordinary character, which Node.js matches only literally: GitLab's `*` matches `.github`, too. */
const withoutDots = (text: string) => text.replaceAll('.', '\u{e000}')

/** Whether a pattern such as `src/**` or `*.{js,ts}` matches a path from the root of the repository. */
export const matchesGlob = (pattern: string, path: string): boolean => {
  const plain = pattern.replace(/^\/+/, '')
  return plain === path || matchesPath(withoutDots(path), withoutDots(plain))
}

/** Keywords of `only` and `except` by the source of the pipeline. */
const sourceKeywords: Readonly<Record<string, string>> = {
  push: 'pushes',
  web: 'web',
  trigger: 'triggers',
  schedule: 'schedules',
  api: 'api',
  external: 'external',
  pipeline: 'pipelines',
  chat: 'chat',
  webide: 'webide',
  merge_request_event: 'merge_requests',
  external_pull_request_event: 'external_pull_requests',
  parent_pipeline: 'pipelines',
}

interface PipelineReference {
  /** Full path of the project. */
  readonly projectPath: string | undefined
  readonly ref: string
  readonly isTag: boolean
  readonly source: PipelineSource
}

/**
 * Whether an entry of `only` or `except` names a pipeline: a keyword, a name, or a pattern between slashes. `main@acme/web` limits an
 * entry to a project: forks are other projects.
 */
export const matchesReference = (entry: string, { projectPath, ref, isTag, source }: PipelineReference): boolean => {
  const [name = '', project] = /^([^@]*)@(.*)$/s.exec(entry)?.slice(1) ?? [entry]
  if (project !== undefined && project !== projectPath) return false
  const isMergeRequest = source === 'merge_request_event'
  if (name === 'branches') return !isTag && !isMergeRequest
  if (name === 'tags') return isTag
  if (name === sourceKeywords[source]) return true
  const pattern = /^\/(?<source>.*)\/(?<flags>[a-z]*)$/s.exec(name)?.groups
  if (isMergeRequest) return false
  if (!pattern) return name === ref
  const flags = pattern.flags?.includes('i') ? '(?i)' : ''
  const result = compileNamePattern(`${flags}${pattern.source}`)
  return 'pattern' in result && result.pattern.matchesPart(ref)
}
