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

const snippetOptions = { names: { id: 'snippet' }, hidden: ['project'] } satisfies RouteOptions

const extension = { extension: true } satisfies RouteOptions
const projectPath = '/projects/:id/snippets'
const projectOptions = { ...extension, names: { snippet_id: 'snippet' } } satisfies RouteOptions

/** Personal snippets, by id also those of projects, and the snippets of projects. */
export const snippetRoutes = [
  route('GET /snippets', snippets.list, page(SnippetWire), { hidden: ['project', 'public', 'all'] }),
  route('GET /snippets/public', snippets.list, page(SnippetWire), {
    hidden: ['project', 'all'],
    fixedInput: { public: true },
  }),
  route('GET /snippets/all', snippets.list, page(SnippetWire), {
    ...extension,
    hidden: ['project', 'public'],
    fixedInput: { all: true },
  }),
  route('GET /snippets/:id', snippets.get, one(SnippetWire), snippetOptions),
  route('GET /snippets/:id/raw', snippets.getRaw, rawContent, {
    ...snippetOptions,
    hidden: [...snippetOptions.hidden, 'filePath', 'ref'],
  }),
  route('GET /snippets/:id/files/:ref/:file_path/raw', snippets.getRaw, rawContent, {
    ...snippetOptions,
    ...extension,
  }),
  route('GET /snippets/:id/user_agent_detail', snippets.getUserAgent, one(UserAgentDetailWire), snippetOptions),
  route('POST /snippets', snippets.create, one(SnippetWire), { hidden: ['project', 'author'] }),
  route('PUT /snippets/:id', snippets.update, one(SnippetWire), snippetOptions),
  route('DELETE /snippets/:id', snippets.remove, empty(), snippetOptions),
  route(`GET ${projectPath}`, snippets.list, page(SnippetWire), {
    ...extension,
    hidden: ['public', 'all', 'createdAfter', 'createdBefore'],
  }),
  route(`POST ${projectPath}`, snippets.create, one(SnippetWire), {
    ...extension,
    hidden: ['author'],
  }),
  route(`GET ${projectPath}/:snippet_id`, snippets.get, one(SnippetWire), projectOptions),
  route(`GET ${projectPath}/:snippet_id/raw`, snippets.getRaw, rawContent, {
    ...projectOptions,
    hidden: ['filePath', 'ref'],
  }),
  route(`GET ${projectPath}/:snippet_id/files/:ref/:file_path/raw`, snippets.getRaw, rawContent, projectOptions),
  route(
    `GET ${projectPath}/:snippet_id/user_agent_detail`,
    snippets.getUserAgent,
    one(UserAgentDetailWire),
    projectOptions,
  ),
  route(`PUT ${projectPath}/:snippet_id`, snippets.update, one(SnippetWire), projectOptions),
  route(`DELETE ${projectPath}/:snippet_id`, snippets.remove, empty(), projectOptions),
]
