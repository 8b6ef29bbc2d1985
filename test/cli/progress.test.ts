import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folder, forgelet } from './command-line.ts'

const entry = join(import.meta.dirname, '../../packages/http/src/cli.ts')

/** Runs the command line at a terminal of its own, and tells what a person would have seen. */
const atTerminal = async (args: readonly string[]) => {
  const script = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'
  const command = [process.execPath, '--conditions=source', entry, ...args]
  const { stdout } = await promisify(execFile)('python3', ['-c', script, ...command], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm' },
  })
  return stdout
}

/** Back to the beginning of the line, and the line away. */
const redrawn = '\r\u001b[2K'

/** Enough that it takes longer than a picture. */
const world = {
  users: [{ username: 'alice', email: 'alice@example.com' }],
  projects: [
    {
      path: 'alice/web',
      issues: Array.from({ length: 2_000 }, (_, at) => ({ title: `Number ${at}`, author: 'alice' })),
    },
  ],
}

it('is shown at a terminal while a world is planted, and gone at the end', async () => {
  writeFileSync(join(folder, 'world.json'), JSON.stringify(world))
  const seen = await atTerminal(['seed', 'world.json', '--data', 'terminal.db'])
  const pictures = seen.split(redrawn)
  expect(pictures.filter((picture) => /^planted [\d,]+$/.test(picture)).length).toBeGreaterThan(1)
  const [before, after] = pictures.slice(-2)
  expect(before).toMatch(/^planted/)
  expect(after).not.toContain('planted ')
  expect(after).toContain('Planted into')
}, 60_000)

it('is shown at a terminal while a backup is written and brought back, and nowhere else', async () => {
  await forgelet(['seed', 'demo', '--data', 'copied.db'])
  const written = await atTerminal(['backup', 'copied', '--data', 'copied.db'])
  expect(written).toContain(`${redrawn}copying the database`)
  expect(written).toMatch(/copying the database +\d+% \(\d+ of \d+\)/)
  expect(await atTerminal(['restore', 'copied', '--data', 'again.db'])).toMatch(/checking the backup 100% \(1 of 1\)/)
  for (const args of [
    ['seed', 'world.json', '--data', 'pipe.db'],
    ['backup', 'pipe', '--data', 'copied.db'],
    ['restore', 'copied', '--data', 'pipe-again.db'],
  ]) {
    const { code, stdout, stderr } = await forgelet(args)
    expect(code, args[0]).toBe(0)
    expect(stdout + stderr).not.toContain('\u001b')
    expect(stdout + stderr).not.toContain('\r')
    expect(stderr).not.toMatch(/\d+%/)
  }
}, 60_000)
