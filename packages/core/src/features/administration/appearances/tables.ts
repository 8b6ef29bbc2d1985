import type { Appearance, AppearancePicture } from './appearance.ts'

export interface AppearanceTables {
  /** At most one row, with the id 1. */
  appearance: Appearance & {
    id: number
    updatedAt: string
  }
  appearancePicture: {
    name: AppearancePicture
    fileName: string
    mediaType: string
    /** At most 1 MiB: small enough to be written in the transaction of the change. */
    content: Buffer
  }
}
