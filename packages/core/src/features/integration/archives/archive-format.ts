export const mebibyte = 1024 ** 2

/** Bytes of the data, which are parsed in memory. */
export const maxContentBytes = 32 * mebibyte
/** Bytes of all files of an archive, which protects the disk from archives that expand enormously. */
export const maxUnpackedBytes = 4 * 1024 * mebibyte

export const format = 'forgelet-archive'
export const version = 1
export const manifestFile = 'manifest.json'
export const contentFile = 'content.json'
export const bundleFile = 'repository.bundle'
export const fileNames: readonly string[] = [manifestFile, contentFile, bundleFile]
