import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type Picture, type PictureUpload, parsePicture } from '../../../kernel/picture.ts'
import { type Appearance, type AppearancePicture, appearancePictures } from './appearance.ts'

/** Names of the pictures in addresses and errors. */
const fields = { logo: 'logo', headerLogo: 'header_logo', favicon: 'favicon', pwaIcon: 'pwa_icon' } as const

export type PictureChanges = { readonly [K in AppearancePicture]?: PictureUpload | null | undefined }

/** Stores uploaded pictures, and removes those that are null. Returns the paths of the changed ones. */
export const storePictures = async (
  { db }: Context,
  changes: PictureChanges,
): Promise<Partial<Pick<Appearance, AppearancePicture>>> => {
  const paths: Partial<Record<AppearancePicture, string | null>> = {}
  for (const name of appearancePictures) {
    const upload = changes[name]
    if (upload === undefined) continue
    const field = fields[name]
    const picture = upload && parsePicture(upload, { field, maxKibibytes: 1_024 })
    await db.deleteFrom('appearancePicture').where('name', '=', name).execute()
    if (picture)
      await db
        .insertInto('appearancePicture')
        .values({ name, ...picture } satisfies CompleteRow<'appearancePicture'>)
        .execute()
    paths[name] = picture && `/uploads/-/system/appearance/${field}/1/${encodeURIComponent(picture.fileName)}`
  }
  return paths
}

/** @throws PlatformError `not_found` for a missing picture, and for another name of its file */
export const readPicture = async ({ db }: Context, name: AppearancePicture, fileName: string): Promise<Picture> => {
  const rows = db.selectFrom('appearancePicture').where('name', '=', name).where('fileName', '=', fileName)
  const picture = await rows.select(['fileName', 'mediaType', 'content']).executeTakeFirst()
  if (!picture) throw notFound('Picture')
  return picture
}
