import type { RemoteFetchReport, RemoteFetchRequest, RemoteReference } from '../git.ts'
import { isObjectId } from './object-id.ts'
import { runRemoteCommand } from './remote-command.ts'
import { createRemoteConfig } from './remote-config.ts'
import type { GitRuntime } from './runtime.ts'

/** Objects with these problems are in many old repositories, and every version of git reads them. */
const toleratedFindings = ['badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedFilemode']

/** The branches and tags of a listing, without the commits of annotated tags. */
const parseReferences = (listing: string): RemoteReference[] =>
  listing.split('\n').flatMap((line) => {
    const [id = '', name = ''] = line.split('\t')
    return isObjectId(id) && /^refs\/(heads|tags)\/[^^]+$/.test(name) ? { name, id } : []
  })

/** See `Repository.fetchRemote`. */
export const fetchRemote = async (
  runtime: GitRuntime,
  request: RemoteFetchRequest,
  protocols: readonly string[],
): Promise<RemoteFetchReport> => {
  const config = createRemoteConfig(request, protocols)
  const deadline = performance.now() + (request.timeout ?? runtime.limits.pushTimeout)
  const remote = { config, deadline, signal: request.signal }
  const { output } = await runRemoteCommand(runtime, remote, [
    'ls-remote',
    '--quiet',
    '--symref',
    '--',
    config.url,
    'HEAD',
    ...(request.select ? ['refs/heads/*', 'refs/tags/*'] : []),
  ])
  const listing = output.toString()
  const [, head] = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listing) ?? []
  const selected = await request.select?.(parseReferences(listing))
  const checks = ['fetch.fsckObjects=true', ...toleratedFindings.map((finding) => `fetch.fsck.${finding}=ignore`)]
  const checked = { ...remote, config: { ...config, settings: [...config.settings, ...checks] } }
  const common = ['--quiet', '--no-write-fetch-head', '--no-recurse-submodules']
  if (selected === undefined) {
    const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
    await runRemoteCommand(runtime, checked, ['fetch', '--prune', ...common, '--', config.url, ...refspecs])
  } else if (selected.length > 0) {
    // A name without a second part fetches objects only. The length of a command line is limited.
    const input = [Buffer.from(selected.map(({ name }) => `${name}\n`).join(''))]
    await runRemoteCommand(runtime, checked, ['fetch', '--no-tags', ...common, '--stdin', '--', config.url], { input })
  }
  return { ...(head !== undefined && { head }) }
}
