import type { RunnerImage, RunnerStep } from './runner-job.ts'

type Keys = Readonly<Record<string, unknown>>

const isKeys = (value: unknown): value is Keys => typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

const textsOf = (value: unknown): string[] => listOf(value).flat(10).map(String)

const textsOrNull = (value: unknown) => (value === undefined || value === null ? null : textsOf(value))

/** An image, or a service: a name, or a mapping with it. */
const toImage = (value: unknown): RunnerImage => {
  const { name, alias, entrypoint, command } = isKeys(value) ? value : ({ name: value } as Keys)
  return {
    name: String(name),
    alias: typeof alias === 'string' ? alias : null,
    entrypoint: textsOrNull(entrypoint),
    command: textsOrNull(command),
  }
}

const readSteps = (keys: Keys, timeout: number): RunnerStep[] => {
  const script = [...textsOf(keys.before_script), ...textsOf(keys.script)]
  const after = textsOf(keys.after_script)
  return [
    { name: 'script', script, timeout, when: 'on_success', allowFailure: false },
    ...(after.length ? [{ name: 'after_script', script: after, timeout, when: 'always', allowFailure: true }] : []),
  ]
}

/** The archive of artifacts, and the report of dependencies. Other reports are not used. */
const readArtifacts = ({ artifacts }: Keys): Record<string, unknown>[] => {
  if (!isKeys(artifacts)) return []
  const { name, paths, exclude, untracked, when, expire_in, reports } = artifacts
  const archive = { name, paths, exclude, untracked, when, expire_in, artifact_type: 'archive', artifact_format: 'zip' }
  const report = {
    name: 'gl-dependency-scanning-report.json',
    paths: textsOf(isKeys(reports) ? reports.dependency_scanning : undefined),
    when: 'always',
    expire_in,
    artifact_type: 'dependency_scanning',
    artifact_format: 'raw',
  }
  return [...(paths === undefined && untracked !== true ? [] : [archive]), ...(report.paths.length ? [report] : [])]
}

const readCaches = ({ cache }: Keys): Record<string, unknown>[] =>
  listOf(cache).flatMap((entry) => {
    if (!isKeys(entry)) return []
    const { key, paths, untracked, policy, when, fallback_keys } = entry
    // Keys from the content of files are not computed.
    const name = typeof key === 'string' ? key : 'default'
    return [{ key: name, paths, untracked, policy: policy ?? 'pull-push', when: when ?? 'on_success', fallback_keys }]
  })

/** What the keys of a job say to a runner. */
export const readJobKeys = (keys: Keys, timeout: number) => ({
  timeout,
  steps: readSteps(keys, timeout),
  image: keys.image === undefined ? null : toImage(keys.image),
  services: listOf(keys.services).map(toImage),
  artifacts: readArtifacts(keys),
  caches: readCaches(keys),
})
