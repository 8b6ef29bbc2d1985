import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { CliError } from './cli-error.ts'
import { type DataPaths, dataPathsOf } from './data-paths.ts'

const ManifestSchema = v.object({
  format: v.literal(1),
  version: v.string(),
  createdAt: v.string(),
  migrations: v.array(v.string()),
  database: v.object({ bytes: v.number(), sha256: v.string() }),
  /** `none`: no key existed, because no secret was stored. */
  key: v.picklist(['included', 'left out', 'none']),
  repositories: v.number(),
})

/** The contents of `manifest.json` in a backup. */
export type Manifest = v.InferOutput<typeof ManifestSchema>

/** The paths in a backup folder: those of a data file `forge.db` and of the files that belong to it. */
export const pathsInBackup = (folder: string): DataPaths => dataPathsOf(join(folder, 'forge.db'))

export const manifestPath = (folder: string): string => join(folder, 'manifest.json')

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** @throws CliError if the folder is not a backup, or its format is that of another version */
export function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(manifestPath(folder), 'utf8')
  } catch {
    throw new CliError(`${folder} is not a backup: it has no manifest.json`)
  }
  try {
    return v.parse(ManifestSchema, JSON.parse(text))
  } catch {
    throw new CliError(`${folder} is not a backup that this version supports: its manifest.json is invalid`)
  }
}
