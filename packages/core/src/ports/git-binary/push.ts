import { invalid, PlatformError } from '../../kernel/errors.ts'
import type { PushReport, PushRequest } from '../git.ts'
import { GitProcessError } from './errors.ts'
import { isObjectId } from './object-id.ts'
import { isReferenceName } from './reference-name.ts'
import { readHead } from './references.ts'
import { createRemoteConfig, type RemoteConfig, redactSecrets } from './remote-config.ts'
import type { GitRuntime } from './runtime.ts'
import { isAncestor } from './write-commits.ts'

/** References in one push, because the length of a command line is limited. */
const referencesPerPush = 200

/** Object ids by reference name. Annotated tags are not peeled. */
type ReferenceIds = ReadonlyMap<string, string>

interface PushTarget {
  readonly config: RemoteConfig
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

const parseReferenceList = (output: Buffer, separator: string): Map<string, string> => {
  const references = new Map<string, string>()
  for (const line of output.toString().split('\n')) {
    const [id = '', name = ''] = line.split(separator)
    if (isObjectId(id) && /^refs\/(heads|tags)\//.test(name)) references.set(name, id)
  }
  return references
}

const listLocalReferences = async (runtime: GitRuntime): Promise<ReferenceIds> => {
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/'],
    timeout: runtime.limits.readTimeout,
  })
  return parseReferenceList(output, ' ')
}

const remoteError = (stderr: string, { config }: PushTarget) => {
  const message = redactSecrets(stderr, config.secrets)
  return new PlatformError('unprocessable', message || 'The remote repository rejected the push', { reason: 'remote' })
}

const runRemoteCommand = async (
  runtime: GitRuntime,
  remote: PushTarget,
  commandArguments: readonly string[],
  expectedExitCodes: readonly number[] = [],
) => {
  const { config, deadline, signal } = remote
  try {
    return await runtime.runner.run({
      directory: runtime.directory,
      arguments: commandArguments,
      settings: config.settings,
      environment: config.environment,
      protocols: [config.protocol],
      timeout: Math.max(1, deadline - performance.now()),
      isRemote: true,
      signal,
      expectedExitCodes,
    })
  } catch (error) {
    throw error instanceof GitProcessError ? remoteError(error.stderr, remote) : error
  }
}

const isContained = async (runtime: GitRuntime, id: string, commit: string | undefined): Promise<boolean> => {
  if (commit === undefined || (await runtime.objects.info(`${id}^{commit}`)) === undefined) return false
  return isAncestor(runtime, id, commit)
}

const selectReferences = (request: PushRequest, local: ReferenceIds) => {
  const { branches, tags = branches === undefined } = request
  const branchNames = branches && new Set(branches.map((branch) => `refs/heads/${branch}`))
  const isSelected = (name: string) => (name.startsWith('refs/tags/') ? tags : (branchNames?.has(name) ?? true))
  return { isSelected, names: [...local.keys()].filter(isSelected) }
}

/** The refspecs that make the remote references equal to the local ones. */
const planPush = async (runtime: GitRuntime, request: PushRequest, remoteReferences: ReferenceIds) => {
  const local = await listLocalReferences(runtime)
  const { isSelected, names } = selectReferences(request, local)
  const keepDivergent = request.keepDivergentReferences ?? false
  const updates: string[] = []
  const divergent: string[] = []
  for (const name of names) {
    const id = local.get(name)
    const remoteId = remoteReferences.get(name)
    if (id === remoteId) continue
    if (remoteId === undefined || !keepDivergent) updates.push(`${keepDivergent ? '' : '+'}${id}:${name}`)
    // A changed tag is always divergent: only branches can be fast-forwarded.
    else if (name.startsWith('refs/heads/') && (await isContained(runtime, remoteId, id))) updates.push(`${id}:${name}`)
    else divergent.push(name)
  }
  const { commit: head } = await readHead(runtime)
  for (const [name, id] of remoteReferences) {
    if (local.has(name) || !isSelected(name) || request.branches !== undefined) continue
    if (await isContained(runtime, id, head)) updates.push(`:${name}`)
  }
  return { updates, divergent }
}

/** Parses `--porcelain` lines: `<flag>TAB<from>:<to>TAB<summary>`. */
const parsePushResults = (output: Buffer) => {
  const pushed: string[] = []
  const removed: string[] = []
  const rejected: string[] = []
  for (const line of output.toString().split('\n')) {
    const [flag, refspec, summary = ''] = line.split('\t')
    const name = refspec?.slice(refspec.indexOf(':') + 1)
    if (name === undefined || flag === undefined || flag.length !== 1) continue
    if (flag === '!') rejected.push(`${name} ${summary}`)
    else if (flag === '-') removed.push(name)
    else pushed.push(name)
  }
  return { pushed, removed, rejected }
}

/** See `Repository.push`. */
export const push = async (
  runtime: GitRuntime,
  request: PushRequest,
  protocols: readonly string[],
): Promise<PushReport> => {
  for (const branch of request.branches ?? [])
    if (!isReferenceName(branch)) throw invalid({ branches: ['are invalid'] })
  const config = createRemoteConfig(request, protocols)
  const deadline = performance.now() + (request.timeout ?? runtime.limits.pushTimeout)
  const remote: PushTarget = { config, deadline, signal: request.signal }
  const listing = await runRemoteCommand(runtime, remote, ['ls-remote', '--quiet', '--refs', '--', config.url])
  const { updates, divergent } = await planPush(runtime, request, parseReferenceList(listing.output, '\t'))
  const report = { pushed: [] as string[], removed: [] as string[], divergent }
  for (let start = 0; start < updates.length; start += referencesPerPush) {
    const command = ['push', '--porcelain', '--no-verify', '--no-signed', '--', config.url]
    const { code, output, stderr } = await runRemoteCommand(
      runtime,
      remote,
      [...command, ...updates.slice(start, start + referencesPerPush)],
      [1],
    )
    const { pushed, removed, rejected } = parsePushResults(output)
    report.pushed.push(...pushed)
    report.removed.push(...removed)
    if (code !== 0) throw remoteError(rejected.join('; ') || stderr, remote)
  }
  return report
}
