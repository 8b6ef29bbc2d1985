import { features, type SnippetContent } from '@forgelet/core/operations'
import * as v from 'valibot'
import { formatAttachment } from '../reply/content-disposition.ts'
import { empty, file, one, page } from '../reply/responders.ts'
import { createConverter } from '../request/converters.ts'
import { InvalidParametersError } from '../request/parameters.ts'
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

const FileEntry = v.object({
  file_path: v.optional(v.pipe(v.string(), v.description('Name of the file.'))),
  content: v.optional(v.pipe(v.string(), v.description('Content of the file.'))),
})
const readFiles = createConverter(v.array(v.object({ filePath: v.string(), content: v.string() })))
const OneFile = v.strictTuple([v.object({ filePath: v.optional(v.string()), content: v.optional(v.string()) })])

/**
 * Clients for GitLab 13 and later send `files: [{ file_path, content }]`. A snippet has one file, so the list is the same as
 * the documented `file_name` and `content`.
 */
const readSingleFile: RouteOptions['rewrite'] = ({ files, ...others }) => {
  if (files === undefined) return others
  if (others.file_name !== undefined || others.content !== undefined) {
    throw new InvalidParametersError('files, file_name, content are mutually exclusive')
  }
  const parsed = v.safeParse(OneFile, readFiles(files))
  if (!parsed.success) throw new InvalidParametersError('files must contain exactly one file')
  const [{ filePath, content }] = parsed.output
  return {
    ...others,
    ...(filePath !== undefined && { file_name: filePath }),
    ...(content !== undefined && { content }),
  }
}

/** The routes that accept `files`. */
const fileOptions = {
  rewrite: readSingleFile,
  wireParameters: {
    files: v.optional(
      v.pipe(
        v.array(FileEntry),
        v.length(1),
        v.description('The one file of the snippet, instead of `file_name` and `content`.'),
      ),
    ),
  },
} satisfies RouteOptions

const snippetOptions = { names: { id: 'snippet' }, hidden: ['project'] } satisfies RouteOptions

const extension = { extension: true } satisfies RouteOptions
const projectPath = '/projects/:id/snippets'
const projectOptions = { ...extension, names: { snippet_id: 'snippet' } } satisfies RouteOptions

/** Personal snippets, by id also those of projects, and the snippets of projects. */
export const snippetRoutes = [
  route('GET /snippets', snippets.list, page(SnippetWire), { hidden: ['project', 'public'] }),
  route('GET /snippets/public', snippets.list, page(SnippetWire), {
    hidden: ['project'],
    fixedInput: { public: true },
  }),
  route('GET /snippets/:id', snippets.get, one(SnippetWire), snippetOptions),
  route('GET /snippets/:id/raw', snippets.getRaw, rawContent, snippetOptions),
  route('GET /snippets/:id/user_agent_detail', snippets.getUserAgent, one(UserAgentDetailWire), snippetOptions),
  route('POST /snippets', snippets.create, one(SnippetWire), { ...fileOptions, hidden: ['project', 'author'] }),
  route('PUT /snippets/:id', snippets.update, one(SnippetWire), { ...snippetOptions, ...fileOptions }),
  route('DELETE /snippets/:id', snippets.remove, empty(), snippetOptions),
  route(`GET ${projectPath}`, snippets.list, page(SnippetWire), {
    ...extension,
    hidden: ['public', 'createdAfter', 'createdBefore'],
  }),
  route(`POST ${projectPath}`, snippets.create, one(SnippetWire), { ...extension, ...fileOptions, hidden: ['author'] }),
  route(`GET ${projectPath}/:snippet_id`, snippets.get, one(SnippetWire), projectOptions),
  route(`GET ${projectPath}/:snippet_id/raw`, snippets.getRaw, rawContent, projectOptions),
  route(
    `GET ${projectPath}/:snippet_id/user_agent_detail`,
    snippets.getUserAgent,
    one(UserAgentDetailWire),
    projectOptions,
  ),
  route(`PUT ${projectPath}/:snippet_id`, snippets.update, one(SnippetWire), { ...projectOptions, ...fileOptions }),
  route(`DELETE ${projectPath}/:snippet_id`, snippets.remove, empty(), projectOptions),
]
