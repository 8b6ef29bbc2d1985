import { invalid } from '../../../kernel/errors.ts'

/** Bytes of one directory or page name, as in file systems. */
const maxSegmentBytes = 245

const maxTitleLength = 255

const isSafeSegment = (segment: string) => segment !== '' && segment !== '.' && segment !== '..'

const findProblem = (title: string, slug: string): string | undefined => {
  if (title === '') return "can't be blank"
  if ([...title].length > maxTitleLength) return `is too long (maximum is ${maxTitleLength} characters)`
  const segments = slug.split('/')
  if (!segments.every(isSafeSegment)) return 'has an invalid directory'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are invalid in URLs
  if (/[\u0000-\u001f\u007f]/.test(title)) return 'contains control characters'
  const isTooLong = segments.some((segment) => Buffer.byteLength(segment) > maxSegmentBytes)
  return isTooLong ? `has a name of more than ${maxSegmentBytes} bytes` : undefined
}

/**
 * The title without surrounding spaces, and its slug.
 *
 * @throws PlatformError `invalid` for a title that cannot be a path
 */
export const parseTitle = (text: string): { readonly title: string; readonly slug: string } => {
  const title = text.trim()
  const slug = title.replace(/ +/g, '-')
  const problem = findProblem(title, slug)
  if (problem) throw invalid({ title: [problem] })
  return { title, slug }
}
