import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive. Directories end with `/`. */
export interface ZipFileInput {
  readonly path: string
  readonly content?: string | Uint8Array
  readonly compressed?: boolean
  /** Permissions and kind, such as `0o100755`. */
  readonly mode?: number
  /** A size that is not that of the content. */
  readonly announcedSize?: number
  /** 0: stored, 8: deflate; others are not supported by readers. */
  readonly method?: number
  readonly flags?: number
}

const toEntry = (input: ZipFileInput) => {
  const { path, content = '', compressed = true, mode = 0, method = compressed ? 8 : 0, flags = 0x800 } = input
  const bytes = Buffer.from(content as string)
  const data = compressed ? deflateRawSync(bytes) : bytes
  const name = Buffer.from(path)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(flags, 2)
  common.writeUInt16LE(method, 4)
  common.writeUInt32LE(crc32(bytes), 10)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(input.announcedSize ?? bytes.length, 18)
  common.writeUInt16LE(name.length, 22)
  return { name, data, common, mode }
}

/** A ZIP archive for tests, also an invalid one (APPNOTE.TXT, sections 4.3.7 to 4.3.16). */
export const createZip = (files: readonly ZipFileInput[]): Uint8Array<ArrayBuffer> => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, common, mode } of files.map(toEntry)) {
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, name)
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, central, end]))
}
