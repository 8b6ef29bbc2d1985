import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildCommand } from '../support/built-programs.ts'
import { executedGuides } from './executed-guides.ts'
import { freePort, shellBlocks } from './shell-blocks.ts'

/** Adds a wait for the health check after a server is started in the background. */
const withWait = (block: string, port: number) =>
  block.replace(
    /^forgelet serve .*&$/m,
    `$&\ncurl --silent --output /dev/null --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/-/health`,
  )

/** Commands that a page requires to be run before. */
const setup: Readonly<Record<string, string>> = {
  // The upgrade guide requires an existing data file.
  'docs/guide/upgrading.md': 'forgelet user create --username root\n',
  // The README starts the server with a workspace script.
  'README.md': 'forgelet serve --demo --port 8080 &\n',
}

/** Installations use the workspace packages, and other tests cover the workspace scripts. */
const isExecuted = (line: string) => !/^(npm install|npx -y pnpm@12) /.test(line)

test.each(executedGuides)(
  'the commands of %s succeed',
  async (guide) => {
    const folder = await mkdtemp(join(tmpdir(), 'forgelet-guide-'))
    try {
      const command = `#!/bin/sh\nexec '${process.execPath}' '${await buildCommand()}' "$@"\n`
      await writeFile(join(folder, 'forgelet'), command, { mode: 0o755 })
      const port = await freePort()
      const blocks = shellBlocks(guide).map((block) => block.split('\n').filter(isExecuted).join('\n'))
      expect(blocks.filter((block) => block !== '').length).toBeGreaterThan(0)
      const commands = [setup[guide] ?? '', ...blocks].map((block) =>
        withWait(block.replaceAll('8080', String(port)), port),
      )
      const cleanup = `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT`
      // An HTTP error status ends the script as well.
      const failingCurl = 'curl() { command curl --fail "$@"; }'
      const script = ['set -em', cleanup, failingCurl, ...commands, 'echo; echo reached the end'].join('\n')
      const { PATH, NODE_COMPILE_CACHE } = process.env
      const env = { PATH: `${folder}:${PATH}`, HOME: folder, NODE_COMPILE_CACHE }
      const options = { cwd: folder, env, timeout: 100_000 }
      const { stdout } = await promisify(execFile)('bash', ['-c', script], options)
      expect(stdout.trimEnd().split('\n').at(-1)).toBe('reached the end')
      if (guide.includes('serving'))
        expect(await readFile(join(folder, 'metrics.txt'), 'utf8')).toContain('forgelet_jobs')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
