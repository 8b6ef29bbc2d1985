import { invalid } from '../../kernel/errors.ts'
import type { PushReport, PushRequest } from '../git.ts'
import { timeLimitError } from './errors.ts'
import { isObjectId } from './object-id.ts'
import { isReferenceName } from './reference-name.ts'
import { readHead } from './references.ts'
import { getRemainingTime, type RemoteTarget, remoteError, runRemoteCommand } from './remote-command.ts'
import { createRemoteConfig } from './remote-config.ts'
import type { GitRuntime } from './runtime.ts'
import { isAncestor } from './write-commits.ts'

/** References in one push, because the length of a command line is limited. */
const referencesPerPush = 200

/** Object ids by reference name. Annotated tags are not peeled. */
type ReferenceIds = ReadonlyMap<string, string>

const parseReferenceList = (output: Buffer, separator: string): Map<string, string> => {
  const references = new Map<string, string>()
  for (const line of output.toString().split('\n')) {
    const [id = '', name = ''] = line.split(separator)
    if (isObjectId(id)) references.set(name, id)
  }
  return references
}

const listLocalReferences = async (runtime: GitRuntime, remote: RemoteTarget): Promise<ReferenceIds> => {
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/'],
    timeout: Math.min(runtime.limits.readTimeout, getRemainingTime(remote)),
    signal: remote.signal,
  })
  return parseReferenceList(output, ' ')
}

const isContained = async (
  runtime: GitRuntime,
  remote: RemoteTarget,
  id: string,
  commit: string | undefined,
): Promise<boolean> => {
  if (commit === undefined || (await runtime.objects.info(`${id}^{commit}`)) === undefined) return false
  if (performance.now() > remote.deadline) throw timeLimitError()
  return isAncestor(runtime, id, commit, remote.signal)
}

const createSelector = ({ branches, tags = branches === undefined }: PushRequest) => {
  const selected = branches && new Set(branches.map((branch) => `refs/heads/${branch}`))
  return (name: string) =>
    name.startsWith('refs/tags/') ? tags : name.startsWith('refs/heads/') && (selected?.has(name) ?? true)
}

/** Names that would make other names ambiguous in the remote, and names that are not UTF-8, which arguments cannot contain. */
const isUnsupportedName = (name: string) => /^refs\/(heads|tags)\/refs\//.test(name) || name.includes('\ufffd')

/**
 * Whether git could change another reference of the remote instead of `name`. It resolves even full names like abbreviations
 * (gitrevisions(7)): `refs/heads/main` is also the branch `refs/heads/refs/heads/main`.
 */
const isAmbiguous = (name: string, remoteReferences: ReferenceIds): boolean =>
  [`refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`, `refs/remotes/${name}`, `refs/remotes/${name}/HEAD`].some(
    (other) => remoteReferences.has(other),
  )

/** The refspecs that make the remote references equal to the local ones. */
const planPush = async (
  runtime: GitRuntime,
  request: PushRequest,
  remote: RemoteTarget,
  remoteReferences: ReferenceIds,
) => {
  const local = await listLocalReferences(runtime, remote)
  const isSelected = createSelector(request)
  const keepDivergent = request.keepDivergentReferences ?? false
  const updates: string[] = []
  const divergent: string[] = []
  const ambiguous: string[] = []
  for (const [name, id] of local) {
    const remoteId = remoteReferences.get(name)
    if (!isSelected(name) || id === remoteId) continue
    // With an id alone, git prefers a branch or tag whose name is that id. No name contains `^`.
    const refspec = `${id}^{object}:${name}`
    if (isUnsupportedName(name) || isAmbiguous(name, remoteReferences)) ambiguous.push(name)
    else if (remoteId === undefined || !keepDivergent) updates.push(`${keepDivergent ? '' : '+'}${refspec}`)
    // A changed tag is always divergent: only branches can be fast-forwarded.
    else if (name.startsWith('refs/heads/') && (await isContained(runtime, remote, remoteId, id))) updates.push(refspec)
    else divergent.push(name)
  }
  const { commit: head } = await readHead(runtime)
  for (const [name, id] of remoteReferences) {
    if (local.has(name) || !isSelected(name) || request.branches !== undefined) continue
    // Ambiguous references stay, as unmerged branches do.
    if (isAmbiguous(name, remoteReferences)) continue
    if (await isContained(runtime, remote, id, head)) updates.push(`:${name}`)
  }
  return { updates, divergent, ambiguous }
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
  const remote: RemoteTarget = { config, deadline, signal: request.signal }
  const listing = await runRemoteCommand(runtime, remote, ['ls-remote', '--quiet', '--refs', '--', config.url])
  const remoteReferences = parseReferenceList(listing.output, '\t')
  const { updates, divergent, ambiguous } = await planPush(runtime, request, remote, remoteReferences)
  const report = { pushed: [] as string[], removed: [] as string[], divergent, ambiguous }
  for (let start = 0; start < updates.length; start += referencesPerPush) {
    const command = ['push', '--porcelain', '--no-verify', '--no-signed', '--', config.url]
    const { code, output, stderr } = await runRemoteCommand(
      runtime,
      remote,
      [...command, ...updates.slice(start, start + referencesPerPush)],
      { expectedExitCodes: [1] },
    )
    const { pushed, removed, rejected } = parsePushResults(output)
    report.pushed.push(...pushed)
    report.removed.push(...removed)
    if (code !== 0) throw remoteError(rejected.join(';\n') || stderr, remote)
  }
  return report
}
