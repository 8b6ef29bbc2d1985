import type { Snippet, UserAgentDetail } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableInteger, NullableText, Url } from '../reply/field-types.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

const createWebUrl = ({ id, projectPath }: Snippet, { url }: Site) =>
  projectPath === null ? `${url}/snippets/${id}` : `${url}/${projectPath}/snippets/${id}`

const createFileUrl = (snippet: Snippet, path: string, site: Site) =>
  `${createWebUrl(snippet, site)}/raw/main/${path.split('/').map(encodeURIComponent).join('/')}`

const Files = v.array(
  v.strictObject({
    /** Name of the file in the snippet. */
    path: v.string(),
    /** URL of its content as plain text. */
    raw_url: Url,
  }),
)

/** A snippet without its content: specification 2, "Snippet". */
export const SnippetWire = wire<Snippet>('Snippet')({
  id: Integer,
  title: v.string(),
  file_name: v.string(),
  description: NullableText,
  visibility: v.string(),
  author: UserSummaryWire,
  expires_at: v.null(),
  updated_at: DateTime,
  created_at: DateTime,
  project_id: NullableInteger,
  /** URL of the snippet's page. */
  web_url: computed(Url, createWebUrl),
  /** URL of the content as plain text. */
  raw_url: computed(Url, (snippet: Snippet, site: Site) => `${createWebUrl(snippet, site)}/raw`),
  /** The files, with the URL of their text. */
  files: computed(Files, (snippet: Snippet, site: Site) =>
    snippet.filePaths.map((path) => ({ path, raw_url: createFileUrl(snippet, path, site) })),
  ),
})

/** The client that created a snippet. */
export const UserAgentDetailWire = wire<UserAgentDetail>('UserAgentDetail')({
  user_agent: v.string(),
  ip_address: v.string(),
  akismet_submitted: v.boolean(),
})
