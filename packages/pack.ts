import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Builds the packages and packs them into a folder. Prints the output of the build only if it fails. */

const [folder] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-')) {
  console.error('Name the folder for the packed files: pnpm packages <folder>')
  process.exit(2)
}

const root = join(import.meta.dirname, '..')
// A relative folder is one below the folder in which the user called pnpm.
const destination = resolve(process.env.INIT_CWD ?? root, folder)

const run = (...args: readonly string[]) => {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: Number.POSITIVE_INFINITY } as const
  const { status, error, stdout, stderr } = spawnSync(process.env.npm_execpath ?? 'pnpm', args, options)
  if (status === 0) return
  console.error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\npnpm ${args.join(' ')} failed`)
  process.exit(1)
}

console.log('Building the packages, which takes a few minutes …')
run('build')
run('--filter', './packages/*', 'pack', '--pack-destination', destination)

for (const file of readdirSync(destination)) if (/^forgelet-.*\.tgz$/.test(file)) console.log(join(destination, file))
console.log(`\nIn your project: npm install ${destination}/*.tgz`)
