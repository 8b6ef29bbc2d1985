import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { readFile } from '../../collaboration/uploads/upload-file.ts'
import type { PackageFileContent } from './package.ts'

/** The columns that `readFileContent` requires. */
export const contentColumns = [
  'packageFile.fileName',
  'packageFile.size',
  'packageFile.sha256',
  'packageFile.storageKey',
] as const

interface StoredFile extends Omit<PackageFileContent, 'content'> {
  readonly storageKey: string
}

/** Reads a file of a package after the transaction. */
export const readFileContent = (
  { ports, call }: Context,
  { storageKey, ...details }: StoredFile,
): Deferred<PackageFileContent> =>
  afterTransaction(async () => ({ ...details, content: await readFile({ ports, call }, storageKey) }))
