import { constants, existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename } from 'node:path'

/** Copies a folder of uploaded files while servers write to it. Files are immutable, and incomplete ones have a hidden folder. */
export const copyFiles = async (source: string, target: string): Promise<void> => {
  if (!existsSync(source)) return
  await cp(source, target, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => path === source || !basename(path).startsWith('.'),
  })
}
