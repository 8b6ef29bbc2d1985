import { spawnSync } from 'node:child_process'

/**
 * The Python with python-gitlab, or undefined. The package python3-gitlab of Debian belongs to /usr/bin/python3, which may not be
 * the first Python in the path.
 */
export const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import gitlab'], { timeout: 20_000 }).status === 0,
)
if (python === undefined)
  console.warn('SKIPPED: python-gitlab is not installed (apt-get install python3-gitlab) and is NOT tested.')
