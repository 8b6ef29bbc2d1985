import { invalid, PlatformError } from '../../kernel/errors.ts'
import type { PushReport, PushRequest } from '../git.ts'
import { GitFailure } from './failures.ts'
import { isObjectId } from './object-id.ts'
import { isReferenceName } from './reference-name.ts'
import { readHead } from './references.ts'
import { type RemoteAddress, remoteAddress, scrubbed } from './remote-address.ts'
import type { Workplace } from './workplace.ts'
import { isAncestor } from './write.ts'

/** References in one push: a list of arguments has an end. */
const batch = 200

/** Id of the object each reference leads to here, annotated tags as the tag objects they are. */
type ReferenceIds = ReadonlyMap<string, string>

interface Remote {
  readonly address: RemoteAddress
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

const readList = (output: Buffer, separator: string): Map<string, string> => {
  const references = new Map<string, string>()
  for (const line of output.toString().split('\n')) {
    const [id = '', name = ''] = line.split(separator)
    if (isObjectId(id) && /^refs\/(heads|tags)\//.test(name)) references.set(name, id)
  }
  return references
}

const localReferences = async (place: Workplace): Promise<ReferenceIds> => {
  const { output } = await place.runner.run({
    directory: place.directory,
    arguments: ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/'],
    timeLimit: place.limits.readTime,
  })
  return readList(output, ' ')
}

const refusal = (complaint: string, { address }: Remote) => {
  const words = scrubbed(complaint, address.secrets)
  return new PlatformError('unprocessable', words || 'The other repository refused', { reason: 'remote' })
}

const talk = async (place: Workplace, remote: Remote, words: readonly string[], codes: readonly number[] = []) => {
  const { address, deadline, signal } = remote
  try {
    return await place.runner.run({
      directory: place.directory,
      arguments: words,
      settings: address.settings,
      environment: address.environment,
      protocols: [address.protocol],
      timeLimit: Math.max(1, deadline - performance.now()),
      long: true,
      signal,
      codes,
    })
  } catch (error) {
    throw error instanceof GitFailure ? refusal(error.complaint, remote) : error
  }
}

const isContained = async (place: Workplace, id: string, commit: string | undefined): Promise<boolean> => {
  if (commit === undefined || (await place.objects.info(`${id}^{commit}`)) === undefined) return false
  return isAncestor(place, id, commit)
}

const wantedReferences = (request: PushRequest, local: ReferenceIds) => {
  const { branches, tags = branches === undefined } = request
  const chosen = branches && new Set(branches.map((branch) => `refs/heads/${branch}`))
  const wanted = (name: string) => (name.startsWith('refs/tags/') ? tags : (chosen?.has(name) ?? true))
  return { wanted, names: [...local.keys()].filter(wanted) }
}

/** What has to change over there, as git's own notation. */
const planPush = async (place: Workplace, request: PushRequest, there: ReferenceIds) => {
  const local = await localReferences(place)
  const { wanted, names } = wantedReferences(request, local)
  const keep = request.keepDivergentReferences ?? false
  const updates: string[] = []
  const divergent: string[] = []
  for (const name of names) {
    const id = local.get(name)
    const other = there.get(name)
    if (id === other) continue
    if (other === undefined || !keep) updates.push(`${keep ? '' : '+'}${id}:${name}`)
    // A tag that marks something else over there has no history that could contain ours.
    else if (name.startsWith('refs/heads/') && (await isContained(place, other, id))) updates.push(`${id}:${name}`)
    else divergent.push(name)
  }
  const { commit: head } = await readHead(place)
  for (const [name, id] of there) {
    if (local.has(name) || !wanted(name) || request.branches !== undefined) continue
    if (await isContained(place, id, head)) updates.push(`:${name}`)
  }
  return { updates, divergent }
}

/** Lines of `--porcelain`: a mark, TAB, `<from>:<to>`, TAB, a summary. */
const readResults = (output: Buffer) => {
  const pushed: string[] = []
  const removed: string[] = []
  const refused: string[] = []
  for (const line of output.toString().split('\n')) {
    const [mark, pair, summary = ''] = line.split('\t')
    const name = pair?.slice(pair.indexOf(':') + 1)
    if (name === undefined || mark === undefined || mark.length !== 1) continue
    if (mark === '!') refused.push(`${name} ${summary}`)
    else if (mark === '-') removed.push(name)
    else pushed.push(name)
  }
  return { pushed, removed, refused }
}

/** See `Repository.push`. */
export const push = async (
  place: Workplace,
  request: PushRequest,
  protocols: readonly string[],
): Promise<PushReport> => {
  for (const branch of request.branches ?? [])
    if (!isReferenceName(branch)) throw invalid({ branches: ['are invalid'] })
  const address = remoteAddress(request, protocols)
  const deadline = performance.now() + (request.timeLimit ?? place.limits.pushTime)
  const remote: Remote = { address, deadline, signal: request.signal }
  const listing = await talk(place, remote, ['ls-remote', '--quiet', '--refs', '--', address.url])
  const { updates, divergent } = await planPush(place, request, readList(listing.output, '\t'))
  const report = { pushed: [] as string[], removed: [] as string[], divergent }
  for (let start = 0; start < updates.length; start += batch) {
    const words = ['push', '--porcelain', '--no-verify', '--no-signed', '--', address.url]
    const answer = await talk(place, remote, [...words, ...updates.slice(start, start + batch)], [1])
    const { pushed, removed, refused } = readResults(answer.output)
    report.pushed.push(...pushed)
    report.removed.push(...removed)
    if (answer.code !== 0) throw refusal(refused.join('; ') || answer.complaint, remote)
  }
  return report
}
