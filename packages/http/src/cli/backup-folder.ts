import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { type DataPlace, dataPlace } from './data-file.ts'
import { Failure } from './failure.ts'

const ManifestSchema = v.object({
  format: v.literal(1),
  version: v.string(),
  createdAt: v.string(),
  migrations: v.array(v.string()),
  database: v.object({ bytes: v.number(), sha256: v.string() }),
  /** The key of stored secrets: in here, left out on demand, or not made yet, since nothing was secret. */
  key: v.picklist(['included', 'left out', 'none']),
  repositories: v.number(),
})

/** What a backup says of itself. */
export type Manifest = v.InferOutput<typeof ManifestSchema>

/** The names in a backup's folder: those of a data file `forge.db` and of what lies beside it. */
export const placeIn = (folder: string): DataPlace => dataPlace(join(folder, 'forge.db'))

export const manifestIn = (folder: string): string => join(folder, 'manifest.json')

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** @throws Failure when the folder is no backup, or one that another version has written differently */
export function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(manifestIn(folder), 'utf8')
  } catch {
    throw new Failure(`${folder} is no backup: there is no manifest.json in it`)
  }
  try {
    return v.parse(ManifestSchema, JSON.parse(text))
  } catch {
    throw new Failure(`${folder} is no backup that this version reads: its manifest.json is not understood`)
  }
}
