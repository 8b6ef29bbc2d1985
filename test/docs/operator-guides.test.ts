import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { executedGuides } from './executed-guides.ts'
import { freePort, shellBlocks } from './shell-blocks.ts'
import { root } from './snippets.ts'

/** Between a server that was started in the background and whoever asks it, a reader has moved a hand. */
const waiting = (block: string, port: number) =>
  block.replace(
    /^forgelet serve .*&$/m,
    `$&\ncurl --silent --output /dev/null --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/-/health`,
  )

/** What a reader has done before, who reads just this page. */
const before: Readonly<Record<string, string>> = {
  // The page about upgrades is for those who have something to upgrade.
  'docs/guide/upgrading.md': 'forgelet user create --username root\n',
  // In a clone the server is started by the workspace.
  'README.md': 'forgelet serve --demo --port 8080 &\n',
}

/** Packages come from this workspace, and scripts of the workspace are other tests. */
const isTyped = (line: string) => !/^(npm install|npx -y pnpm@12) /.test(line)

test.each(executedGuides)(
  'every command of %s does what it says',
  async (guide) => {
    const folder = await mkdtemp(join(tmpdir(), 'forgelet-guide-'))
    try {
      const entry = join(root, 'packages/http/src/cli.ts')
      const command = `#!/bin/sh\nexec '${process.execPath}' --conditions=source '${entry}' "$@"\n`
      await writeFile(join(folder, 'forgelet'), command, { mode: 0o755 })
      const port = await freePort()
      const blocks = shellBlocks(guide).map((block) => block.split('\n').filter(isTyped).join('\n'))
      expect(blocks.filter((block) => block !== '').length).toBeGreaterThan(0)
      const typed = [before[guide] ?? '', ...blocks].map((block) =>
        waiting(block.replaceAll('8080', String(port)), port),
      )
      const ending = `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT`
      // A refusal over HTTP is an end as well.
      const strict = 'curl() { command curl --fail "$@"; }'
      const script = ['set -em', ending, strict, ...typed, 'echo; echo reached the end'].join('\n')
      const environment = { PATH: `${folder}:${process.env.PATH}`, HOME: folder }
      const given = { cwd: folder, env: environment, timeout: 100_000 }
      const { stdout } = await promisify(execFile)('bash', ['-c', script], given)
      expect(stdout.trimEnd().split('\n').at(-1)).toBe('reached the end')
      if (guide.includes('serving')) expect(await readFile(join(folder, 'figures'), 'utf8')).toContain('forgelet_jobs')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
