import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildCommand } from '../support/built-programs.ts'
import { findMarkedProcesses } from '../support/process-list.ts'
import { freePort, shellBlocks } from './shell-blocks.ts'
import { root } from './snippets.ts'

/** Runs the shell commands of the recipes for CI services, with this workspace in the place of the published package. */

const folder = mkdtempSync(join(tmpdir(), 'forgelet-ci-'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const yamlBlocks = [...read('docs/guide/continuous-integration.md').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, text]) => parse(text as string),
)
const { version } = JSON.parse(read('packages/http/package.json')) as { version: string }

beforeAll(async () => {
  const install = `test "$1 $2" = "--yes @forgelet/http@${version}" || exit 9\nshift 2`
  const script = `#!/bin/sh\n${install}\nexec '${process.execPath}' '${await buildCommand()}' "$@"\n`
  writeFileSync(join(folder, 'npx'), script, { mode: 0o755 })
  const link = `mkdir -p node_modules/.bin && ln -sf '${await buildCommand()}' node_modules/.bin/forgelet`
  const installed = `test "$1 $2 $3" = "install --no-save @forgelet/http@${version}" && { ${link}; exit; }`
  const request = 'curl --silent --fail --header "PRIVATE-TOKEN: $GITLAB_TOKEN" "$GITLAB_URL/api/v4/user"'
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${installed}\n${request}\n`, { mode: 0o755 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stopJobs = `trap 'for job in $(jobs -p); do kill -- -$job; done' EXIT`

const runScript = async (script: string, variables: Readonly<Record<string, string>>, cleanup = stopJobs) => {
  // The installed command runs with the `node` of the path.
  const env = { PATH: `${folder}:${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder, ...variables }
  return promisify(execFile)('bash', ['-c', `set -em\n${cleanup}\n${script}`], { cwd: folder, env, timeout: 100_000 })
}

test('the job of GitLab CI starts a server that ends with it, and runs its tests', async () => {
  const job = yamlBlocks.find((block) => block.test?.script).test
  const port = String(await freePort())
  const withPort = (text: string) => text.replaceAll('8080', port)
  const hooks = shellBlocks('docs/guide/continuous-integration.md').map((code) => `( ${withPort(code)} )`)
  const script = [...job.script.map(withPort), ...hooks].join('\n')
  const variables = { ...job.variables, GITLAB_URL: withPort(job.variables.GITLAB_URL), MARKER: folder }
  const { stdout } = await runScript(script, variables, '')
  expect(stdout).toContain('"username":"alice"')
  expect(stdout).toContain('"url":"http://127.0.0.1:9090/"')
  expect(stdout).toContain('"ran":')
  await expect.poll(() => findMarkedProcesses(`MARKER=${folder}`, /serve/), { timeout: 10_000 }).toEqual([])
}, 120_000)

test('the action starts a server, and sets its outputs', async () => {
  const action = parse(read('.github/actions/serve/action.yml'))
  expect(action.inputs.version.default).toBe(version)
  const [step] = action.runs.steps
  const port = String(await freePort())
  const outputs = join(folder, 'outputs')
  const { stdout } = await runScript(`${step.run}\nGITLAB_URL="$url" npm test`, {
    VERSION: version,
    SEED: action.inputs.seed.default,
    PORT: port,
    RUNNER_TEMP: folder,
    GITHUB_OUTPUT: outputs,
    GITLAB_TOKEN: 'alice-token',
  })
  expect(stdout).toContain('"username":"alice"')
  expect(readFileSync(outputs, 'utf8')).toBe(`url=http://127.0.0.1:${port}\n`)
  expect(action.outputs.url.value).toContain('steps.serve.outputs.url')
}, 120_000)

test('a job uses the inputs that the action has', () => {
  const { inputs } = parse(read('.github/actions/serve/action.yml'))
  const job = yamlBlocks.find((block) => block.jobs).jobs.test
  const step = job.steps.find(({ uses }: { uses?: string }) => uses?.includes('/actions/serve@'))
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)))
  expect(step.uses.endsWith(`@v${version}`)).toBe(true)
})

test('a release publishes only when the tag is the version of every package', () => {
  const { jobs } = parse(read('.github/workflows/release.yml'))
  expect(jobs.packages.permissions['id-token']).toBe('write')
  expect(jobs.image.needs).toBe('packages')
  const steps: readonly { readonly run?: string }[] = jobs.packages.steps
  const commands = steps.flatMap(({ run }) => run ?? [])
  expect(commands.findIndex((run) => run.includes('publish'))).toBe(commands.length - 1)
  expect(commands).toContain('.ci/run')
})
