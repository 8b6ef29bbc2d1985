import { formatAttachment } from '../reply/content-disposition.ts'

/** Images that browsers display, by the extension of the file name. SVG is omitted: it can contain scripts and links. */
export const imageTypes: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['ico', 'image/x-icon'],
])

/** Names of files that are downloaded instead of displayed as text, because they are not text. */
const binaryPattern =
  /\.(?:zip|gz|tgz|bz2|xz|zst|7z|rar|jar|tar|pdf|exe|dll|so|dylib|bin|class|wasm|woff2?|ttf|otf|eot|mp[34]|m4a|mov|avi|webm|ogg|wav|flac|sqlite|db|docx?|xlsx?|pptx?|od[tsp]|psd|bmp|tiff?|heic)$/i

/** Headers under which a browser never runs the content of a file as a part of this site. */
export const createRawHeaders = (fileName: string): Record<string, string> => {
  const image = imageTypes.get(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase())
  const isDownload = image === undefined && binaryPattern.test(fileName)
  return {
    'Content-Type': image ?? (isDownload ? 'application/octet-stream' : 'text/plain; charset=utf-8'),
    'Content-Disposition': isDownload ? formatAttachment(fileName, 'file') : 'inline',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  }
}
