import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { buildCommand } from '../support/built-programs.ts'
import { folder, forgelet } from './command-line.ts'

/** Runs the command line in a pseudo-terminal, and returns its output. */
const atTerminal = async (args: readonly string[]) => {
  const script = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'
  const command = [process.execPath, await buildCommand(), ...args]
  const { stdout } = await promisify(execFile)('python3', ['-c', script, ...command], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm' },
  })
  return stdout
}

/** Return to the start of the line and clear it. */
const redrawn = '\r\u001b[2K'

/** Large enough for several progress updates. */
const world = {
  users: [{ username: 'alice', email: 'alice@example.com' }],
  projects: [
    {
      path: 'alice/web',
      issues: Array.from({ length: 2_000 }, (_, at) => ({ title: `Number ${at}`, author: 'alice' })),
    },
  ],
}

it('is shown on a terminal during seeding, and cleared at the end', async () => {
  writeFileSync(join(folder, 'world.json'), JSON.stringify(world))
  const output = await atTerminal(['seed', 'world.json', '--data', 'terminal.db'])
  const updates = output.split(redrawn)
  expect(updates.filter((update) => /^seeded [\d,]+$/.test(update)).length).toBeGreaterThan(1)
  const [before, after] = updates.slice(-2)
  expect(before).toMatch(/^seeded/)
  expect(after).not.toContain('seeded ')
  expect(after).toContain('Seeded ')
}, 60_000)

it('is shown on a terminal during backup and restore, and not in a pipe', async () => {
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
