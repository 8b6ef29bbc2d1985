import { features, type SnippetContent } from '@forgelet/core/operations'
import { attachment } from '../content-disposition.ts'
import type { Reply } from '../reply.ts'
import { route } from '../route.ts'
import { empty, one, page, type Send } from '../send.ts'
import { SnippetWire, UserAgentDetailWire } from '../shapes/snippet.ts'

const { snippets } = features

/** What people wrote leaves as plain text to be saved: a browser must never run it in the name of this site. */
const raw: Send<SnippetContent> = Object.assign(
  ({ content, fileName }: SnippetContent): Reply => ({
    status: 200,
    bytes: Buffer.from(content),
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': attachment(fileName, 'snippet.txt'),
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
  }),
  { status: 200 },
)

const named = { names: { id: 'snippet' } }

/** Personal snippets; those of projects are found by their ids too. */
export const snippetRoutes = [
  route('GET /snippets', snippets.list, page(SnippetWire)),
  route('GET /snippets/public', snippets.listPublic, page(SnippetWire)),
  route('GET /snippets/:id', snippets.get, one(SnippetWire), named),
  route('GET /snippets/:id/raw', snippets.raw, raw, named),
  route('GET /snippets/:id/user_agent_detail', snippets.userAgentDetail, one(UserAgentDetailWire), named),
  route('POST /snippets', snippets.create, one(SnippetWire), { omit: ['project', 'author'] }),
  route('PUT /snippets/:id', snippets.update, one(SnippetWire), named),
  route('DELETE /snippets/:id', snippets.remove, empty(), named),
]
