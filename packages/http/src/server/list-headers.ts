import type { RequestContext } from '../app/request-context.ts'
import {
  createKeysetHeaders,
  createPagingHeaders,
  createSentPageQuery,
  maxPageQueryLength,
} from '../reply/paging-headers.ts'
import type { Reply } from '../reply/reply.ts'
import type { InputReader } from '../request/input-reader.ts'

type Input = Readonly<Record<string, unknown>>

/** Whether the pages of a list continue after a cursor instead of having numbers. */
export const isKeyset = ({ pagination }: Input): boolean => pagination === 'keyset'

type ListHeaderWriter = (
  context: RequestContext,
  reader: InputReader,
  input: Input,
  page: NonNullable<Reply['page']>,
) => Record<string, string>

/**
 * Creates the function that writes the headers of a page.
 *
 * @param baseUrl empty for relative links
 */
export const createListHeaderWriter =
  (baseUrl: string): ListHeaderWriter =>
  ({ request, path, query: sentQuery }, reader, input, page) => {
    const url = `${request.site ?? baseUrl}${path}`
    const cursor = isKeyset(input) ? { cursor: page.nextCursor } : undefined
    const effective = reader.createPageQuery(cursor ? { ...input, ...cursor } : input, page.perPage)
    const isLong = effective.before.length + effective.after.length > maxPageQueryLength
    const query = isLong ? createSentPageQuery(sentQuery, { [reader.toWireName('cursor')]: cursor?.cursor }) : effective
    return cursor ? createKeysetHeaders(page, url, query) : createPagingHeaders(page, url, query)
  }
