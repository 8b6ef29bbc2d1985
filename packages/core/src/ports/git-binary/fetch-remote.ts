import type { RemoteFetchReport, RemoteFetchRequest } from '../git.ts'
import { runRemoteCommand } from './remote-command.ts'
import { createRemoteConfig } from './remote-config.ts'
import type { GitRuntime } from './runtime.ts'

/** Objects with these problems are in many old repositories, and every version of git reads them. */
const toleratedFindings = ['badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedFilemode']

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
  ])
  const [, head] = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(output.toString()) ?? []
  const checks = ['fetch.fsckObjects=true', ...toleratedFindings.map((finding) => `fetch.fsck.${finding}=ignore`)]
  const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
  await runRemoteCommand(runtime, { ...remote, config: { ...config, settings: [...config.settings, ...checks] } }, [
    'fetch',
    '--quiet',
    '--prune',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--',
    config.url,
    ...refspecs,
  ])
  return { ...(head !== undefined && { head }) }
}
