import type { Snippet, UserAgentDetail } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, type Site, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

const createWebUrl = ({ id, projectPath }: Snippet, { url }: Site) =>
  projectPath === null ? `${url}/snippets/${id}` : `${url}/${projectPath}/snippets/${id}`

/** A snippet without its content: specification 2, "Snippet". */
export const SnippetWire = wire<Snippet>()({
  id: v.number(),
  title: v.string(),
  file_name: v.string(),
  description: v.nullable(v.string()),
  visibility: v.string(),
  author: UserSummaryWire,
  expires_at: v.null(),
  updated_at: v.string(),
  created_at: v.string(),
  project_id: v.nullable(v.number()),
  web_url: computed(v.string(), createWebUrl),
  raw_url: computed(v.string(), (snippet: Snippet, site: Site) => `${createWebUrl(snippet, site)}/raw`),
})

/** The client that created a snippet. */
export const UserAgentDetailWire = wire<UserAgentDetail>()({
  user_agent: v.string(),
  ip_address: v.string(),
  akismet_submitted: v.boolean(),
})
