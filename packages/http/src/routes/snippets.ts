import { features, type SnippetContent } from '@forgelet/core/operations'
import { formatAttachment } from '../reply/content-disposition.ts'
import { empty, file, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { SnippetWire, UserAgentDetailWire } from '../shapes/snippet.ts'

const { snippets } = features

/** A plain text attachment, so that browsers cannot run user content with the origin of this site. */
const rawContent = file(['text/plain'], ({ content, fileName }: SnippetContent) => ({
  bytes: Buffer.from(content),
  headers: {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Disposition': formatAttachment(fileName, 'snippet.txt'),
    'Content-Security-Policy': "sandbox; default-src 'none'",
  },
}))

const snippetOptions = { names: { id: 'snippet' } } satisfies RouteOptions

/** Personal snippets; project snippets are available by id. */
export const snippetRoutes = [
  route('GET /snippets', snippets.list, page(SnippetWire)),
  route('GET /snippets/public', snippets.listPublic, page(SnippetWire)),
  route('GET /snippets/:id', snippets.get, one(SnippetWire), snippetOptions),
  route('GET /snippets/:id/raw', snippets.raw, rawContent, snippetOptions),
  route('GET /snippets/:id/user_agent_detail', snippets.userAgentDetail, one(UserAgentDetailWire), snippetOptions),
  route('POST /snippets', snippets.create, one(SnippetWire), { hidden: ['project', 'author'] }),
  route('PUT /snippets/:id', snippets.update, one(SnippetWire), snippetOptions),
  route('DELETE /snippets/:id', snippets.remove, empty(), { ...snippetOptions, errors: [412] }),
]
