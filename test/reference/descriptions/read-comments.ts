import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { readFeatures } from './operations.ts'
import { listAllSources, root } from './program.ts'
import { readHttp } from './schemas.ts'
import { readSeedComments } from './seed-comments.ts'

const readComments = () => ({ features: readFeatures(), http: readHttp(), seeds: readSeedComments() })

type Comments = ReturnType<typeof readComments>

/** The content of everything that the comments and types depend on, as a hash. */
const hashSources = (): string => {
  const readers = globSync('*.ts', { cwd: import.meta.dirname }).map((name) => join(import.meta.dirname, name))
  const settings = ['tsconfig.json', 'pnpm-lock.yaml'].map((name) => join(root, name))
  const hash = createHash('sha256')
  for (const path of [...listAllSources(), ...readers, ...settings].sort()) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Stores the comments: the build and the tests use the same ones, and reading them takes 15 seconds of processor time. */
const loadComments = (): Comments => {
  const folder = join(root, 'node_modules', '.cache', 'forgelet')
  const file = join(folder, 'comments')
  const key = hashSources()
  const stored = existsSync(file) ? (deserialize(readFileSync(file)) as { key: string; comments: Comments }) : undefined
  if (stored?.key === key) return stored.comments
  const comments = readComments()
  mkdirSync(folder, { recursive: true })
  // Other processes never read a part of it.
  writeFileSync(`${file}.${process.pid}`, serialize({ key, comments }))
  renameSync(`${file}.${process.pid}`, file)
  return comments
}

let loaded: Comments | undefined

const getComments = (): Comments => {
  loaded ??= loadComments()
  return loaded
}

export const getDescriptions = (): Comments['features'] => getComments().features
export const getWires = (): Comments['http']['wires'] => getComments().http.wires
export const getControlInputs = (): Comments['http']['controlInputs'] => getComments().http.controlInputs
export const getSeedComments = (): Comments['seeds'] => getComments().seeds
