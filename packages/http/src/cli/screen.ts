import { styleText } from 'node:util'
import type { CastMember } from './demo-cast.ts'
import { table } from './table.ts'

export interface Start {
  /** Where it listens. */
  readonly url: string
  readonly baseUrl: string | undefined
  readonly where: string
  /** What became of the seed: undefined where none was asked for. */
  readonly planted: boolean | undefined
  readonly seed: string | undefined
}

const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
const bold = (text: string) => styleText('bold', text, { stream: process.stdout })

const aboutSeed = ({ planted, seed }: Start) => {
  if (planted === undefined) return ''
  const name = seed === 'demo' ? 'the demo world' : seed
  return planted
    ? `, with ${name} planted just now`
    : `, as it was left; ${name} is planted only where there is no data yet`
}

/** What `serve` says when it answers. The first line is for programs: it stays as it is. */
export const startScreen = (start: Start): string =>
  [
    `listening on ${start.url}`,
    ...(start.baseUrl === undefined ? [] : [`links lead to ${start.baseUrl}`]),
    `data in ${start.where}${aboutSeed(start)}`,
    '',
  ].join('\n')

const quoted = (text: string) => `"${text}"`

/** Calls to paste, made so that they read the same in every shell. */
const calls = (url: string, label: string): readonly (readonly [string, string])[] => {
  const api = `${url}/api/v4/projects`
  const curl = (user: string, rest: string) => `curl -H ${quoted(`PRIVATE-TOKEN: ${user}-token`)} ${rest}`
  return [
    ['list the labels of a project', curl('alice', quoted(`${api}/acme%2Fweb/labels`))],
    ['create one', curl('alice', `-d name=${label} -d color=teal ${quoted(`${api}/acme%2Fweb/labels`)}`)],
    ['a stranger finds no private project', curl('mallory', quoted(`${api}/acme%2Ftools%2Fdeploy/labels`))],
  ]
}

/** How to play with the demo world: its cast, and calls to paste. */
export const demoScreen = ({ url, where }: Start, cast: readonly CastMember[], label: string): string => {
  if (cast.length === 0) {
    return `\nThis data is not the demo world. To see that, start on another file: --data ./demo.db\n`
  }
  const rows = cast.map(({ username, role, token }) => [username, role, token])
  return [
    '',
    table(['user', 'role', 'token'], rows, process.stdout),
    bold('Try in another terminal'),
    ...calls(url, label).flatMap(([says, call]) => [dim(`# ${says}`), call]),
    '',
    dim(`All calls: ${url} in a browser, ${url}/api/v4/openapi.json for programs`),
    dim(`Ctrl-C stops it; delete ${where} to start anew.`),
    '',
  ].join('\n')
}
